import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Simulated IMDSv2, which requires a session token. */
export interface InstanceMetadata {
  readonly url: string;
  readonly values: Map<string, string>;
  /** Stops or starts responses, like a host's network during its start. */
  setUnresponsive(isUnresponsive: boolean): void;
  /** Returns the number of received requests. */
  requestCount(): number;
  close(): Promise<void>;
}

export async function startInstanceMetadata(): Promise<InstanceMetadata> {
  const values = new Map([['instance-id', 'i-0123456789abcdef0']]);
  let isUnresponsive = false;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (isUnresponsive) {
      response.destroy();
      return;
    }
    if (request.method === 'PUT' && request.url === '/latest/api/token') {
      response.end('session');
      return;
    }
    const value = values.get((request.url ?? '').replace('/latest/meta-data/', ''));
    const known = request.headers['x-aws-ec2-metadata-token'] === 'session';
    response.writeHead(known ? (value === undefined ? 404 : 200) : 401).end(known ? value : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    values,
    setUnresponsive: (whether) => {
      isUnresponsive = whether;
    },
    requestCount: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
