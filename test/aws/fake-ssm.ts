import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answered } from '../support/answered.ts';

/**
 * Response of Systems Manager. `reset` and `silence` are no response; `stalled` and `endless` never
 * end.
 */
export type Reply =
  | { readonly status?: number; readonly body: unknown; readonly type?: string }
  | 'reset'
  | 'silence'
  | 'stalled'
  | 'endless';

export interface SsmRequest {
  readonly operation: string;
  readonly body: Record<string, unknown>;
}

export interface FakeSsm {
  readonly url: string;
  /** Requests in the order of their arrival. */
  readonly requests: SsmRequest[];
  close(): Promise<void>;
}

/** Starts a server that returns the replies in turn and repeats the last one. */
export async function startFakeSsm(
  ...replies: readonly (Reply | ((request: SsmRequest) => Reply))[]
): Promise<FakeSsm> {
  const requests: FakeSsm['requests'] = [];
  const server = createServer(
    answered(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const operation = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
      const reply = replies[Math.min(requests.length, replies.length - 1)];
      const received = { operation, body: JSON.parse(text) as Record<string, unknown> };
      requests.push(received);
      answer(response, (typeof reply === 'function' ? reply(received) : reply) ?? 'reset');
    }),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return;
  if (reply === 'reset') {
    response.socket?.destroy();
    return;
  }
  if (reply === 'stalled' || reply === 'endless') {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.write('{');
    if (reply === 'endless') fill(response);
    return;
  }
  const { status = 200, body, type = 'application/x-amz-json-1.1' } = reply;
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Writes as fast as the client reads. */
function fill(response: ServerResponse): void {
  while (!response.destroyed && response.write(' '.repeat(1024 * 1024)));
  if (!response.destroyed) response.once('drain', () => fill(response));
}

export function refusal(name: string, message = 'its own words', status = 400): Reply {
  return { status, body: { __type: name, message } };
}
