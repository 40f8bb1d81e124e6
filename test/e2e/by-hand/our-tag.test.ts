import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { startHeldJob } from './world/held-job.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
  for (const [name, ...args] of [['deploy'], ['prepare'], ['provision', '--until', 'healthy']])
    expect(await world.stage(name ?? '', { args })).toMatchObject({ exitCode: 0 });
});
afterEach(() => world.close());

function runnerOf(shard: string) {
  const found = world.sandbox.gitlab
    .runners()
    .find(({ description }) => description === `${shard}-linux`);
  if (found === undefined) throw new Error(`no runner of ${shard}`);
  return found;
}

test("a customer's job with our canary's name and tag is named, waited for and never killed", async () => {
  const { id, tags } = runnerOf('purple');
  const job = await startHeldJob(world, { name: 'hosted_runner_canary', tags });
  for (const method of ['terminate', 'cleanup', 'auto']) {
    const end = await world.stage('recover', { args: ['--method', method, '--yes'] });
    expect({ method, code: end.code }).toEqual({
      method,
      code: method === 'auto' ? 'NoRungLeft' : 'CannotRecover',
    });
    expect(end.stderr).toContain(
      `ob ${job.id} "hosted_runner_canary" of acme/app is running on purple; it is not our canary, so acme/app asks for the tag ${tags.join(' or ')} itself`,
    );
    expect(job.status()).toBe('running');
  }
  const provision = await world.stage('provision');
  expect(provision).toMatchObject({ exitCode: 3, code: 'InactiveShardHealthy' });
  expect(provision.stderr).toContain(
    `fix  When job ${job.id} has ended: hosted-runner provision --runner linux`,
  );
  expect(provision.stderr).toContain(`Runner ${id}`.replace('R', 'r'));
  job.release();
  while (job.status() === 'running') await new Promise((resolve) => setTimeout(resolve, 50));
  expect(job.status()).toBe('success');
  // Begun with --until healthy, so that promote is its approval.
  for (const stage of ['provision', 'promote', 'finalize'])
    expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
  const wrong = whatIsWrongAtRest(world).filter((text) => !text.includes(`[${job.id}]`));
  expect(wrong).toEqual([]);
});
