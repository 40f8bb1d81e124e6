import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BootBehaviour } from '../../../sandbox/hosts/behaviour.ts';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { type Customers, openForBusiness } from './world/customers.ts';
import { startHeldJob } from './world/held-job.ts';
import { createPipeline } from './world/pipeline.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
let customers: Customers;
beforeEach(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  customers = openForBusiness(world);
});
afterEach(async () => {
  customers.close();
  await world.close();
});

async function expectUnharmed(): Promise<void> {
  const { lost, unserved } = await customers.finish();
  expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
    lost: [],
    unserved: [],
    wrong: [],
  });
}

function behave(shard: string, change: Parameters<World['sandbox']['settings']['change']>[1]) {
  world.sandbox.settings.change({ runnerName: 'linux', shard }, change);
}

function hostOf(shard: string): string {
  const host = world.sandbox.fleet
    .list()
    .find((one) => one.shard === shard && one.state === 'running');
  return host?.id ?? `no host of ${shard}`;
}

const impatient = ['healthcheck.timeout=4s'];

describe('a candidate that cannot serve', () => {
  test.each<[BootBehaviour, number]>([
    ['never_contacts', 1],
    ['contacts_but_fails_jobs', 2],
    ['hangs', 1],
  ])('%s: is never made active; what is printed leads to the goal', async (boot, runs) => {
    behave('purple', { boot });
    expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
    let said = '';
    for (let run = 0; run < runs; run += 1) {
      const end = await world.stage('provision', { set: impatient });
      expect({ text: end.stderr, exitCode: end.exitCode }).toMatchObject({ exitCode: 1 });
      expect(['HealthcheckTimedOut', 'CanaryFailed', 'HealthInconclusive']).toContain(end.code);
      expect(end.stderr).toMatch(/now {2}pink serves jobs: runner \d+ of pink is un-paused/);
      said = end.stderr;
    }
    expect(said).toContain('hosted-runner recover --runner linux --method cleanup');
    behave('purple', { boot: 'ok' });
    const recovered = await world.stage('recover', { args: ['--method', 'cleanup', '--yes'] });
    expect({ text: recovered.stderr, exitCode: recovered.exitCode }).toEqual({
      text: '',
      exitCode: 0,
    });
    for (const stage of ['provision', 'finalize']) {
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
    }
    await expectUnharmed();
  });

  test('quotes the lines of the runner’s log that carry the cause, and none of those around them', async () => {
    behave('purple', { boot: 'contacts_but_fails_jobs' });
    expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
    const end = await world.stage('provision', { set: impatient });
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toContain(
      'WARNING: Job failed: prepare environment: exit status 1 failure_reason=runner_system_failure',
    );
    expect(end.stderr).not.toMatch(/Updating job|to coordinator|processing list|checksum/);
  });

  test('is not blamed where GitLab gives the canary to no runner, and a second canary is started', async () => {
    behave('purple', { boot: 'contacts_but_never_takes_jobs' });
    expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
    const end = await world.stage('provision', { set: ['healthcheck.timeout=15s'] });
    expect({ text: end.stderr, code: end.code }).toMatchObject({ code: 'HealthInconclusive' });
    expect(end.stderr).toContain('GitLab gave the canary to no manager');
    expect(end.stderr).toContain('the second time');
    behave('purple', { boot: 'ok' });
    const terminate = await world.stage('recover', { args: ['--method', 'terminate', '--yes'] });
    expect({ text: terminate.stderr, exitCode: terminate.exitCode }).toEqual({
      text: '',
      exitCode: 0,
    });
    for (const stage of ['provision', 'finalize']) {
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
    }
    await expectUnharmed();
  });

  test('whose apply fails half-way is finished by the next run', async () => {
    behave('purple', { failApplyAfter: 5 });
    expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
    const end = await world.stage('provision');
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toContain('InsufficientInstanceCapacity: try again later.');
    for (const stage of ['provision', 'finalize']) {
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
    }
    await expectUnharmed();
  });
});

describe('a drain', () => {
  test('with a job that outlasts its own ends with 75, tells the job, and goes on when run again', async () => {
    const pipeline = await createPipeline(world);
    const job = await startHeldJob(world);
    for (const stage of ['prepare', 'onboard', 'provision']) {
      expect(await pipeline.run(stage)).toMatchObject({ exitCode: 0 });
    }
    // Less than the minute that is kept for the last words is left of the stage's own job.
    const env = {
      CI_JOB_STARTED_AT: new Date().toISOString(),
      CI_JOB_TIMEOUT: '60',
    };
    const end = await pipeline.run('shutdown', { env });
    expect(end).toMatchObject({ exitCode: 75, code: 'StillDraining' });
    const listed = new RegExp(`job ${job.id} "job" of acme/app, running for [\\dhms ]+: http`);
    expect(end.stderr).toMatch(listed);
    expect(job.status()).toBe('running');
    job.release();
    expect(await pipeline.run('shutdown')).toMatchObject({ exitCode: 0 });
    expect(await pipeline.run('finalize')).toMatchObject({ exitCode: 0 });
    expect(job.status()).toBe('success');
    await expectUnharmed();
  });

  test('whose host dies has no job to wait for: it is listed as lost, and the drain goes on', async () => {
    // What dies with the host is not lost because of us.
    customers.close();
    const job = await startHeldJob(world);
    for (const stage of ['prepare', 'provision']) {
      expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
    }
    await world.sandbox.fleet.terminate(hostOf('pink'), { abrupt: true });
    const shutdown = await world.stage('shutdown');
    expect(shutdown).toMatchObject({ exitCode: 0 });
    expect(shutdown.text).toContain(
      `Lost: GitLab still believes that job ${job.id} "job" of acme/app is running; its host is gone`,
    );
    expect(await world.stage('cleanup')).toMatchObject({ exitCode: 0 });
    world.sandbox.clock.advance(2 * 60 * 60 * 1000);
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});
