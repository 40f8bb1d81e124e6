import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSandbox, until } from '../hosts/running-sandbox.ts';

describe('the control API', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  beforeAll(async () => {
    world = await openSandbox();
  });
  afterAll(() => world.close());

  async function send(method: string, path: string, body?: unknown) {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${world.sandbox.url}/sandbox${path}`, { method, ...text });
    const reply = await response.text();
    return { status: response.status, body: reply === '' ? undefined : JSON.parse(reply) };
  }

  /** Sends a request without fetch, which does not let a test choose these headers. */
  function sendWith(headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${world.sandbox.url}/sandbox/state`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.on('error', reject).end();
    });
  }

  test('accepts calls from the loopback, and none from browsers', async () => {
    expect(await sendWith({})).toBe(200);
    expect(await sendWith({ origin: 'https://example.com' })).toBe(403);
    expect(await sendWith({ host: 'sandbox.example.com' })).toBe(403);
  });

  test('switches faults on and off', async () => {
    const fault = {
      service: 'gitlab',
      effect: { kind: 'status', status: 429, retry_after_seconds: 2 },
    };
    const { status, body } = await send('POST', '/faults', fault);
    expect(status).toBe(201);
    const version = await fetch(`${world.sandbox.url}/api/v4/version`);
    expect([version.status, version.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await send('GET', '/faults')).body).toEqual([{ id: body.id, ...fault }]);
    expect((await send('DELETE', `/faults/${body.id}`)).status).toBe(204);
    expect((await send('DELETE', `/faults/${body.id}`)).body).toEqual({
      error: `There is no fault "${body.id}".`,
    });
  });

  test('breaks a connection of GitLab after the effect', async () => {
    await send('POST', '/faults', { service: 'gitlab', effect: { kind: 'reset_after' }, times: 1 });
    await expect(fetch(`${world.sandbox.url}/api/v4/version`)).rejects.toThrow('fetch failed');
    expect((await send('GET', '/faults')).body).toEqual([]);
  });

  test('reports the mistake in a fault', async () => {
    const { status, body } = await send('POST', '/faults', {
      service: 'moon',
      effect: { kind: 'reset_before' },
    });
    expect(status).toBe(400);
    expect(body.error).toContain('→ at service');
  });

  test('submits jobs, sets their status and lists them without a secret', async () => {
    const { body } = await send('POST', '/jobs', { tags: ['nobody'], script: ['true'] });
    await send('PUT', `/jobs/${body.id}`, { status: 'canceled' });
    const { body: jobs } = await send('GET', '/jobs');
    const job = jobs.find(({ id }: { id: number }) => id === body.id);
    expect(job).toMatchObject({ status: 'canceled', tags: ['nobody'] });
    expect(Object.keys(job).filter((key) => key.includes('token'))).toEqual([]);
  });

  test('creates pipelines and tokens', async () => {
    const pipeline = await send('POST', '/pipelines', { runner_names: ['linux'] });
    expect(pipeline.body.jobs.map(({ name }: { name: string }) => name)).toContain(
      'hosted_runner_canary',
    );
    const token = await send('POST', '/tokens', {
      user: 'guest',
      scopes: ['api'],
      access_level: 'guest',
    });
    const response = await fetch(`${world.sandbox.url}/api/v4/user`, {
      headers: { 'private-token': token.body.token },
    });
    expect([token.status, response.status]).toEqual([201, 200]);
  });

  test('moves the clock forward', async () => {
    const before = world.sandbox.clock.now();
    expect((await send('POST', '/clock', { advance: '30d' })).status).toBe(200);
    expect(world.sandbox.clock.now() - before).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect((await send('POST', '/clock', { advance: 'abc' })).body).toEqual({
      error: '"abc" is not a duration such as "30d".',
    });
  });

  test('sets behaviour for a stack and for one shard of it', async () => {
    await send('PUT', '/stacks/linux', { boot_delay_ms: 7 });
    const { body } = await send('PUT', '/stacks/linux/pink', { boot: 'hangs' });
    expect(body).toMatchObject({ boot: 'hangs', boot_delay_ms: 7 });
    expect((await send('GET', '/stacks/linux/purple')).body).toMatchObject({ boot: 'ok' });
    const failing = await send('PUT', '/stacks/linux/purple', { fails_every: 5 });
    expect(failing.body).toMatchObject({ fails_every: 5, boot_delay_ms: 7 });
    expect((await send('PUT', '/stacks/linux', { fails_every: -1 })).status).toBe(400);
    expect((await send('PUT', '/stacks/linux', { bot: 'ok' })).status).toBe(400);
    expect((await send('PUT', '/stacks/..%2Fx', {})).status).toBe(400);
  });

  test('builds, stops, starts and destroys machines', async () => {
    const applied = await send('POST', '/stacks/windows/pink/apply');
    expect(applied.body).toMatchObject({ outcome: 'done', added: 13, runner_name: 'windows' });
    const id = applied.body.instance_ids[0];
    await until(() => world.sandbox.fleet.find(id)?.state === 'running');
    const instances = (await send('GET', '/instances')).body;
    expect(instances).toMatchObject([
      { id, name_tag: 'pink-windows_runner-manager', state: 'running', agent: 'online' },
    ]);
    expect((await send('POST', `/instances/${id}/stop`)).status).toBe(204);
    expect((await send('POST', `/instances/${id}/stop`)).body).toEqual({
      error: `${id} is stopped: no "stop".`,
    });
    expect((await send('POST', `/instances/${id}/start`)).status).toBe(204);
    await until(() => world.sandbox.fleet.find(id)?.state === 'running');
    expect((await send('POST', `/instances/${id}/lose-agent`)).status).toBe(204);
    expect((await send('POST', '/stacks/windows/pink/destroy')).body).toMatchObject({
      outcome: 'done',
      destroyed: 13,
    });
    expect((await send('GET', '/instances')).body[0].state).toBe('terminated');
    expect((await send('POST', '/instances/i-0/stop')).status).toBe(404);
  });

  test('shows everything on one page', async () => {
    const { body } = await send('GET', '/state');
    expect(body).toMatchObject({ gitlab_url: world.sandbox.url, ssm_url: world.sandbox.ssmUrl });
    expect((await send('GET', '/nothing')).body).toEqual({
      error: 'There is no GET /sandbox/nothing.',
    });
  });
});
