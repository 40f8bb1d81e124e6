import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { answered } from './answered.ts';

test('a caller that ends in the middle of its request fails nothing else', async () => {
  const broken: unknown[] = [];
  const bodies: string[] = [];
  let begun = () => {};
  const begins = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const server = createServer(
    answered(async (request, response) => {
      begun();
      let body = '';
      try {
        for await (const chunk of request) body += chunk;
      } catch (error) {
        broken.push(error);
        throw error;
      }
      bodies.push(body);
      response.end('heard');
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const dying = connect(port, '127.0.0.1');
  dying.write('PUT / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf');
  await begins;
  dying.resetAndDestroy();
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', body: 'whole' });
  expect(await answer.text()).toBe('heard');
  while (broken.length === 0) await new Promise((resolve) => setImmediate(resolve));

  expect(bodies).toEqual(['whole']);
  expect(broken).toHaveLength(1);
  server.closeAllConnections();
  server.close();
});
