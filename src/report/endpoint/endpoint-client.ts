import { endpointTimedOut, notHealthy } from '../../errors/healthcheck-errors.ts';

const limitMs = 5000;

/** Queries the endpoint for a container's own health check. */
export async function queryEndpoint({
  host,
  port,
  runner,
  fetch,
}: {
  readonly host: string;
  readonly port: number;
  readonly runner: string;
  readonly fetch: typeof globalThis.fetch;
}): Promise<string> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/health`;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { status, body } = await fetchHealth({ fetch, url, runner, address });
  const words = typeof body['status'] === 'string' ? body['status'] : `status ${status}`;
  const shard = typeof body['shard'] === 'string' ? body['shard'] : runner;
  if (status === 200 && words === 'healthy') return `${shard} is healthy, reports ${url}`;
  const reasons = Array.isArray(body['reasons']) ? body['reasons'].map(String) : [];
  const because = body['stalled_because'];
  throw notHealthy({
    runner,
    shard,
    status: words,
    reasons: [...(typeof because === 'string' ? [because] : []), ...reasons],
  });
}

async function fetchHealth({
  fetch,
  url,
  runner,
  address,
}: {
  fetch: typeof globalThis.fetch;
  url: string;
  runner: string;
  address: string;
}): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
    const body: unknown = await answer.json();
    if (typeof body !== 'object' || body === null) throw new Error('its response is not an object');
    return { status: answer.status, body: body as Record<string, unknown> };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    const reason = name === 'TimeoutError' ? `no response within 5s` : (cause?.code ?? message);
    throw endpointTimedOut({ url, reason, runner, address });
  }
}
