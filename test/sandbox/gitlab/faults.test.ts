import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RESET_HEADER } from '../../../sandbox/faults.ts';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

let world: GitLabWorld;
beforeEach(() => {
  world = createGitLabWorld();
});
afterEach(() => world.close());

const runners = () => world.call('GET', '/runners', { token: world.deployer });

describe('a fault', () => {
  test('affects either GitLab’s API or the runners', async () => {
    const { token } = await register(world);
    const client = runnerClient(world, token, { systemId: 's_1' });
    const effect = { kind: 'status', status: 500 } as const;
    world.faults.add({ id: 'a', service: 'gitlab', effect });
    expect([(await runners()).status, (await client.verify()).status]).toEqual([500, 200]);
    world.faults.clear();
    world.faults.add({ id: 'a', service: 'runner', effect });
    expect([(await runners()).status, (await client.verify()).status]).toEqual([200, 500]);
    expect((await client.request()).status).toBe(500);
  });

  test('resets before the effect without any effect, and after it with the whole effect', async () => {
    const create = () =>
      world.call('POST', '/user/runners', {
        token: world.deployer,
        body: { runner_type: 'group_type', group_id: 10 },
      });
    const match = { method: 'POST', path: '/user/runners$' };
    world.faults.add({
      id: 'a',
      service: 'gitlab',
      match,
      effect: { kind: 'reset_before' },
      times: 1,
    });
    expect((await create()).headers.get(RESET_HEADER)).toBe('before');
    expect((await runners()).body).toHaveLength(0);
    world.faults.add({
      id: 'a',
      service: 'gitlab',
      match,
      effect: { kind: 'reset_after' },
      times: 1,
    });
    const lost = await create();
    expect([lost.headers.get(RESET_HEADER), lost.text]).toEqual(['after', '']);
    expect((await runners()).body).toHaveLength(1);
  });

  test('returns a stale value for a read, and never for a write', async () => {
    const { id } = await register(world);
    const paused = async () =>
      (await world.call('GET', `/runners/${id}`, { token: world.deployer })).body.paused;
    expect(await paused()).toBe(false);
    world.clock.advance(1000);
    world.faults.add({ id: 'a', service: 'gitlab', effect: { kind: 'stale', ms: 1000 } });
    const body = { paused: true };
    const change = await world.call('PUT', `/runners/${id}`, { token: world.deployer, body });
    expect(change.body.paused).toBe(true);
    expect(await paused()).toBe(false);
    world.faults.remove('a');
    expect(await paused()).toBe(true);
  });
});
