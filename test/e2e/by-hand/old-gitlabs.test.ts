import { afterEach, expect, test } from '@jest/globals';
import { readParameters, whatIsWrongAtRest } from './world/at-rest.ts';
import { startHeldJob } from './world/held-job.ts';
import { openWorld, type World } from './world/world.ts';

let world: World | undefined;
afterEach(() => world?.close());

// The newest is what every other suite plays on.
test.each(['17.5', '18.7'] as const)(
  'GitLab %s: a rollback, a recovery, a drain that waits for its job, and the removal of what it emptied',
  async (gitlabVersion) => {
    world = await openWorld({ gitlabVersion });
    await succeed('deploy');

    for (const stage of ['prepare', 'provision']) await succeed(stage);
    expect(activeShard()).toBe('purple');
    await succeed('rollback');
    await succeed('finalize');
    expect(activeShard()).toBe('pink');
    expect(whatIsWrongAtRest(opened())).toEqual([]);

    // What was gone back from is not deployed again unasked.
    await succeed('prepare', '--again', 'nothing was wrong with it');
    behave({ boot: 'never_contacts' });
    const impatient = { set: ['healthcheck.timeout=4s'] };
    expect(await opened().stage('provision', impatient)).toMatchObject({
      code: 'HealthcheckTimedOut',
    });
    behave({ boot: 'ok' });
    // Pink alone serves as yet: the recovery promotes what it builds anew.
    const job = await startHeldJob(opened());
    await succeed('recover', '--method', 'cleanup', '--yes');
    expect(activeShard()).toBe('purple');

    const draining = opened().start({ args: ['shutdown', '--runner', 'linux'] });
    const ended = draining.ended.then(() => true);
    const waits = () => draining.text().includes(`Waiting: pink drains, job ${job.id} "job" is`);
    while (!waits() && !(await Promise.race([ended, pause()])));
    expect(draining.text()).toContain(`Waiting: pink drains, job ${job.id} "job" is running`);
    expect(job.status()).toBe('running');
    job.release();
    const { exitCode, stderr } = await draining.ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(job.status()).toBe('success');
    await succeed('cleanup');
    expect(activeShard()).toBe('purple');
    expect(whatIsWrongAtRest(opened())).toEqual([]);
  },
);

function opened(): World {
  if (world === undefined) throw new Error('no world is open');
  return world;
}

async function succeed(stage: string, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await opened().stage(stage, { args });
  expect({ stage, exitCode, stderr }).toEqual({ stage, exitCode: 0, stderr: '' });
}

function behave(change: Parameters<World['sandbox']['settings']['change']>[1]): void {
  opened().sandbox.settings.change({ runnerName: 'linux', shard: 'purple' }, change);
}

function activeShard(): string {
  return JSON.parse(readParameters(opened().sandbox)['deployment_status'] ?? '{}').active_shard;
}

function pause(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), 20));
}
