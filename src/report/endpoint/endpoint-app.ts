import { isIP } from 'node:net';
import { Hono } from 'hono';
import { mapTexts } from '../../domain/output-schema.ts';
import type { ShardHealth } from '../../operator/health-checker.ts';
import { type Answer, healthAnswer, liveAnswer } from './endpoint-answers.ts';
import type { VerdictCache } from './verdict-cache.ts';

export interface EndpointOptions {
  readonly cache: Pick<VerdictCache<ShardHealth>, 'read'>;
  readonly runner: string;
  readonly everyMs: number;
  readonly redact: (text: string) => string;
  /** Host names from `--allow-host`. */
  readonly allowedHosts: readonly string[];
}

/**
 * Creates the endpoint: `/health` for readiness and startup, `/live` for liveness, and `/metrics`.
 * Every response comes from memory.
 */
export function createEndpoint(options: EndpointOptions): Hono {
  const { cache, runner, redact, allowedHosts } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    if (isOwnName(new URL(context.req.url).hostname, allowedHosts)) return next();
    return context.text(
      'Requests must name an IP address, localhost or a host of --allow-host. To allow this name, start the endpoint with --allow-host NAME.\n',
      421,
    );
  });
  const json = ({ status, body }: Answer) =>
    new Response(`${JSON.stringify(mapTexts(body, redact), undefined, 2)}\n`, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
  app.get('/health', () => json(healthAnswer(cache.read(), options)));
  app.get('/live', () => json(liveAnswer(cache.read())));
  app.get('/metrics', async () => {
    const { exposeMetrics } = await import('./metrics.ts');
    const { contentType, text } = await exposeMetrics(cache.read(), runner);
    return new Response(redact(text), { headers: { 'content-type': contentType } });
  });
  app.notFound((context) => context.text('The paths are /health, /live and /metrics.\n', 404));
  return app;
}

/**
 * Decides whether a request names this machine. A foreign web page whose name resolves here sends
 * its own name. An IP address cannot be misused in this way.
 */
function isOwnName(host: string, allowed: readonly string[]): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || allowed.includes(name);
}
