import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface ConnectProxy {
  readonly port: number;
  /** Requested tunnels as `host:port`, in order. */
  readonly requests: string[];
  /** Requests without a tunnel. */
  readonly untunnelled: string[];
  close(): Promise<void>;
}

/** Starts a proxy that opens and counts CONNECT tunnels to ports of this machine. */
export async function startConnectProxy({
  authorization,
  ports,
}: {
  /** Required header; a request without it gets 407. */
  authorization?: string;
  /** Ports by host name. Any other host name gets 403. */
  ports: Readonly<Record<string, number>>;
}): Promise<ConnectProxy> {
  const requested: string[] = [];
  const untunnelled: string[] = [];
  const tunnels = new Set<{ destroy(): void }>();
  const server = createServer((request, response) => {
    untunnelled.push(`${request.method} ${request.url}`);
    response.writeHead(400).end();
  });
  server.on('connect', (request, socket) => {
    requested.push(request.url ?? '');
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
    if (request.headers['proxy-authorization'] !== authorization) {
      refuse('407 Proxy Authentication Required');
      return;
    }
    const port = ports[(request.url ?? '').replace(/:\d+$/, '')];
    if (port === undefined) {
      refuse('403 Forbidden');
      return;
    }
    const far = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket).pipe(far);
      tunnels.add(far).add(socket);
    });
    for (const end of [far, socket])
      end.on('error', () => {
        far.destroy();
        socket.destroy();
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests: requested,
    untunnelled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const end of tunnels) end.destroy();
      }),
  };
}
