import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { type ListenAt, type Listening, listen } from '../../src/report/endpoint/http-listener.ts';

const anyPort = 'hosted-runner healthcheck --runner linux --listen 127.0.0.1:0';
const app = new Hono().get('/live', (context) => context.text('alive'));

let listening: Listening;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening.close(0);
});

const start = async (given: Partial<ListenAt>) => {
  listening = await listen(app, { host: '127.0.0.1', port: 0, anyPort, ...given });
};

async function openSockets(count: number, words = ''): Promise<Promise<void>[]> {
  const all = Array.from({ length: count }, () => {
    const socket = connect(listening.port, '127.0.0.1');
    sockets.push(socket);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.resume();
    const opened = new Promise<void>((resolve) =>
      socket.once('connect', () => {
        if (words !== '') socket.write(words);
        resolve();
      }),
    );
    return { opened: Promise.race([opened, closed]), closed };
  });
  await Promise.all(all.map(({ opened }) => opened));
  return all.map(({ closed }) => closed);
}

const readLive = async () => (await fetch(`http://127.0.0.1:${listening.port}/live`)).text();

describe('a thousand connections that send no request', () => {
  test('leave capacity for a probe, and are closed above a bounded number', async () => {
    // The time limit is so long that only the bound on connections can have closed any.
    await start({ headersMs: 3_600_000, mostUnanswered: 50 });
    const closed = await openSockets(1000);
    expect(await readLive()).toBe('alive');
    let ended = 0;
    await new Promise<void>((resolve) => {
      for (const one of closed)
        void one.then(() => {
          ended += 1;
          if (ended >= 950) resolve();
        });
    });
    expect(await readLive()).toBe('alive');
    expect(ended).toBeLessThanOrEqual(955);
  });

  test.each([
    ['send nothing', ''],
    ['never end their headers', 'GET /live HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ])('end once they are late: they %s', async (_, words) => {
    await start({ headersMs: 150, mostUnanswered: 5000 });
    await Promise.all(await openSockets(100, words));
    expect(await readLive()).toBe('alive');
  });
});
