import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';

describe("GitLab.com's limits", () => {
  let world: GitLabWorld;
  beforeEach(() => {
    world = createGitLabWorld(undefined, 7, { rateLimits: 'gitlab.com' });
  });
  afterEach(() => world.close());

  const read = () => world.call('GET', '/version', { token: world.deployer });
  async function times(count: number, call: () => Promise<{ status: number }>) {
    const statuses = new Set<number>();
    for (let at = 0; at < count; at += 1) statuses.add((await call()).status);
    return [...statuses];
  }

  test('show a user the calls left of 2,000 a minute in each response, and refuse more', async () => {
    expect(Object.fromEntries((await read()).headers)).toMatchObject({
      'ratelimit-name': 'throttle_authenticated_api',
      'ratelimit-limit': '2000',
      'ratelimit-observed': '1',
      'ratelimit-remaining': '1999',
    });
    expect(await times(1999, read)).toEqual([200]);
    const refused = await read();
    expect([refused.status, refused.text]).toEqual([429, 'Retry later\n']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    world.clock.advance(wait * 1000);
    expect((await read()).status).toBe(200);
    expect(world.gitlab.traffic()).toMatchObject({ calls: 2002, refused: 1 });
  });

  test('allow 600 reads of a project’s jobs a minute, without a refusal for other projects', async () => {
    const jobs = () => world.call('GET', '/projects/201/jobs', { token: world.deployer });
    expect(await times(600, jobs)).toEqual([200]);
    const refused = await jobs();
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
      '60',
    ]);
    expect((await read()).status).toBe(200);
  });

  test('allow each runner 2,000 job requests a minute', async () => {
    const register = async () =>
      (
        await world.call('POST', '/user/runners', {
          token: world.deployer,
          body: { runner_type: 'group_type', group_id: 10, tag_list: 'linux' },
        })
      ).body.token as string;
    const requestJob = (token: string) => () =>
      world.call('POST', '/jobs/request', { body: { token, system_id: 's_1' } });
    const one = await register();
    expect(await times(2000, requestJob(one))).toEqual([204]);
    expect((await requestJob(one)()).status).toBe(429);
    expect((await requestJob(await register())()).status).toBe(204);
  });

  test('stay off on an instance by default', async () => {
    const other = createGitLabWorld();
    const answer = await other.call('GET', '/version', { token: other.deployer });
    expect(answer.headers.get('ratelimit-limit')).toBe(null);
    other.close();
  });
});

test('count an hour on an instance, and report the limit converted to a minute', async () => {
  const world = createGitLabWorld(undefined, 7, { rateLimits: 'self-managed' });
  const read = () => world.call('GET', '/version', { token: world.deployer });
  for (let call = 1; call < 200; call += 1) await read();
  const { headers } = await read();
  const now = world.clock.now();
  expect(Object.fromEntries(headers)).toMatchObject({
    'ratelimit-limit': '120',
    'ratelimit-observed': '200',
    'ratelimit-remaining': '7000',
    'ratelimit-reset': `${Math.ceil((now + 1) / 3_600_000) * 3600}`,
  });
  world.close();
});
