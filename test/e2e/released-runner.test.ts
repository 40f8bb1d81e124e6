import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithReleasedRunner } from '../support/tools.ts';
import { type Customers, openForBusiness } from './by-hand/world/customers.ts';
import { startHeldJob } from './by-hand/world/held-job.ts';
import { openWorld, type World } from './by-hand/world/world.ts';

/** Whole deployments with the named gitlab-runner instead of the sandbox's manager. */
describeWithReleasedRunner('a released gitlab-runner', (runnerBinary) => {
  let world: World;
  // A released runner polls at most once a second.
  const set = ['drain.poll_of_runner=3s'];
  const deploy = () => world.stage('deploy', { set });
  const running = () => world.sandbox.fleet.list().filter(({ state }) => state === 'running');

  // Each test begins with a shard that accepts jobs, in any order of the tests.
  beforeAll(async () => {
    world = await openWorld({ runnerBinary, behaviour: { checkIntervalMs: 1000 } });
    const { exitCode, text } = await deploy();
    if (exitCode !== 0) throw new Error(`The first deployment ended with ${exitCode}: ${text}`);
  });
  afterAll(() => world.close());

  /** Runs `act` under a stream of customer jobs and returns their results. */
  async function underCustomers(act: () => Promise<void>) {
    const customers: Customers = openForBusiness(world);
    try {
      await act();
      return await customers.finish();
    } finally {
      customers.close();
    }
  }

  test('takes a job after a deployment, and ends it', async () => {
    const { lost, unavailable } = await underCustomers(async () => {
      const job = await startHeldJob(world);
      expect(job.status()).toBe('running');
      job.release();
    });
    expect({ lost, unavailable }).toEqual({ lost: [], unavailable: [] });
  });

  test('replaces the runner during a job, which ends before its process does', async () => {
    const job = await startHeldJob(world);
    const [before] = running();
    const deployment = world.start({ args: ['deploy', '--runner', 'linux'], set });
    while (running().length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    const others = () => running().filter(({ id }) => id !== before?.id);
    expect(others()).toHaveLength(1);
    expect(job.status()).toBe('running');
    job.release();
    const { exitCode, text } = await deployment.ended;
    expect({ exitCode, text }).toEqual({ exitCode: 0, text });
    expect(job.status()).toBe('success');
    expect(running().map(({ id }) => id)).not.toContain(before?.id);
  });

  test('replaces the runner under a stream of jobs, and loses none', async () => {
    const { submitted, lost, unavailable } = await underCustomers(async () => {
      const { exitCode, text } = await deploy();
      expect({ exitCode, text }).toEqual({ exitCode: 0, text });
    });
    expect(submitted).toBeGreaterThan(0);
    expect({ lost, unavailable }).toEqual({ lost: [], unavailable: [] });
  });
});
