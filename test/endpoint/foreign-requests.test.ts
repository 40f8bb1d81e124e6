import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { type Listening, listen } from '../../src/report/endpoint/http-listener.ts';
import { openEndpoint } from './probing.ts';

describe('a request to the endpoint', () => {
  test.each([
    'http://127.0.0.1:8888',
    'http://10.1.2.3:8888',
    'http://[fd00::7]:8888',
    'http://localhost:8888',
    'http://health.internal:8888',
    'http://HEALTH.internal',
  ])('gets a response under the name %s', async (address) => {
    const { app, stop } = openEndpoint();
    for (const path of ['/live', '/metrics'])
      expect((await app.request(`${address}${path}`)).status).toBe(200);
    await stop();
  });

  test.each([
    'http://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://health.internal.evil.example',
    'http://other.internal',
  ])('gets a refusal on every path under the foreign name %s', async (address) => {
    const { app, stop } = openEndpoint();
    for (const path of ['/health', '/live', '/metrics', '/'])
      expect((await app.request(`${address}${path}`)).status).toBe(421);
    await stop();
  });

  test('gets a refusal that names the option for a further name', async () => {
    const { app, stop } = openEndpoint();
    const answer = await app.request('http://other.internal/health');
    expect(await answer.text()).toContain('start the endpoint with --allow-host NAME.');
    await stop();
  });
});

describe('many requests at the same time', () => {
  let listening: Listening;
  afterEach(() => listening.close(0));

  test('end their connection after a hundred, and others get responses', async () => {
    let answered = 0;
    const app = new Hono().get('/live', (context) => {
      answered += 1;
      return context.text('alive');
    });
    const anyPort = 'hosted-runner healthcheck --runner linux --listen 127.0.0.1:0';
    listening = await listen(app, { host: '127.0.0.1', port: 0, anyPort });
    const socket = connect(listening.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined).resume();
    socket.write('GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(90_000));
    await closed;
    expect(answered).toBeLessThanOrEqual(100);
    const answer = await fetch(`http://127.0.0.1:${listening.port}/live`);
    expect(await answer.text()).toBe('alive');
  });
});
