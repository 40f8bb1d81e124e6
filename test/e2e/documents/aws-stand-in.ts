import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runAws } from '../../errors/aws-program.ts';

/**
 * Stands in for `aws` in a shell. It receives each command line, and AWS's own clients run and
 * validate it. Returns the script for the place of `aws`, and a function that ends its server.
 */
export async function standInForAws(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly script: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const words = body.split('\u001f').slice(0, -1);
      const isText = words.join(' ').includes('--output text');
      runAws(['aws', ...words], environment).then(
        (answer) => response.end(isText ? String(answer) : JSON.stringify(answer)),
        (error: unknown) => response.writeHead(400).end(String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    script: `printf '%s\\037' "$@" | curl --silent --fail-with-body --data-binary @- http://127.0.0.1:${port}`,
    close: () => server.close(),
  };
}
