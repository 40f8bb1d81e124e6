import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { type ComponentWorld, jobNames, openComponent, refused, usualJobs } from './world.ts';

const { prepare, onboard, canary, provision, shutdown, bake, cleanup, finalize } = jobNames;

const results = [
  'annotations.json',
  'deployment.env',
  'evidence.jsonl',
  'junit.xml',
  'timeline.html',
];

// Each job's own exit code counts, not the `PASS` of gitlab-ci-local.
describeWithTools({ name: 'the deploy component in a pipeline', needs: ['rsync'] }, () => {
  let it: ComponentWorld;
  beforeEach(async () => {
    it = await openComponent('minimal');
    await it.deployFirst();
  });
  afterEach(() => it.close());

  test('deploys; afterwards each job alone, prepare among them, changes nothing', async () => {
    const pipeline = await it.createPipeline();
    const outcome = await pipeline.run();
    expect(outcome.jobs).toEqual(Object.fromEntries(usualJobs.map((job) => [job, 0])));
    expect(outcome.verdicts).toEqual(
      Object.fromEntries([...usualJobs, canary].map((job) => [job, 'PASS'])),
    );
    expect(it.active()).toBe('purple');
    const [registration] = it.world.sandbox.gitlab.runners();
    expect(pipeline.canaries().at(-1)).toMatchObject({
      status: 'success',
      runnerId: registration?.id,
      managerId: registration?.managers[0]?.id,
    });
    expect(whatIsWrongAtRest(it.world)).toEqual([]);

    const before = it.withoutJobs();
    for (const job of usualJobs) {
      const again = await pipeline.run({ jobs: [job] });
      expect(again.jobs).toEqual({ [job]: 0 });
      expect(again.output).toContain('is done; start a new pipeline to deploy again.');
    }
    expect(it.withoutJobs()).toEqual(before);
  });

  test('stops at a failed provision while the active shard stays; its retry completes the pipeline', async () => {
    it.world.sandbox.settings.change(
      { runnerName: 'linux', shard: 'purple' },
      { failApplyAfter: 3 },
    );
    const pipeline = await it.createPipeline();
    const failed = await pipeline.run();
    expect(failed.jobs).toEqual({ [prepare]: 0, [onboard]: 0, [provision]: 1 });
    expect(failed.verdicts[provision]).toBe('FAIL');
    expect(it.active()).toBe('pink');
    expect(await it.acceptsJobs('pink')).toBe(true);
    for (const job of [prepare, onboard, provision]) expect(it.artifactsOf(job)).toEqual(results);

    const brought = await pipeline.run({ jobs: [provision, shutdown, cleanup, finalize] });
    expect(brought.jobs).toEqual({ [provision]: 0, [shutdown]: 0, [cleanup]: 0, [finalize]: 0 });
    expect(it.active()).toBe('purple');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('finishes by the retry of a failed shutdown, although finalize had to give up as well', async () => {
    const job = await it.submitCustomerJob();
    const pipeline = await it.createPipeline();
    const outcome = await pipeline.run({
      facts: {
        [shutdown]: { env: { HOSTED_RUNNER_DRAIN_TIMEOUT: '1s' } },
        [finalize]: { env: it.almostOver() },
      },
    });
    expect(outcome.jobs).toMatchObject({
      [prepare]: 0,
      [onboard]: 0,
      [provision]: 0,
      [shutdown]: 1,
      [cleanup]: refused,
      [finalize]: 75,
    });
    expect(outcome.verdicts).toMatchObject({ [shutdown]: 'WARN', [cleanup]: 'WARN' });
    expect(it.active()).toBe('purple');
    expect(it.stateOf(job)).toBe('running');

    it.endCustomerJob();
    for (const name of [shutdown, cleanup, finalize]) {
      expect((await pipeline.run({ jobs: [name] })).jobs).toEqual({ [name]: 0 });
    }
    expect(it.stateOf(job)).toBe('success');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('completes in finalize the rest of a killed shutdown and a refused cleanup', async () => {
    const job = await it.submitCustomerJob();
    const pipeline = await it.createPipeline();
    const outcome = await pipeline.run({
      facts: {
        [shutdown]: { killAfterMs: 2500 },
        [cleanup]: { afterwards: it.endCustomerJobFile },
      },
    });
    expect(outcome.jobs).toMatchObject({
      [prepare]: 0,
      [onboard]: 0,
      [provision]: 0,
      [shutdown]: 137,
      [cleanup]: refused,
      [finalize]: 0,
    });
    expect(it.stateOf(job)).toBe('success');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('ends finalize with 75 while jobs run, and completes when finalize runs again', async () => {
    const job = await it.submitCustomerJob();
    const pipeline = await it.createPipeline();
    const env = it.almostOver();
    const outcome = await pipeline.run({ facts: { [shutdown]: { env }, [finalize]: { env } } });
    expect(outcome.jobs).toMatchObject({ [shutdown]: 75, [cleanup]: refused, [finalize]: 75 });
    expect(it.stateOf(job)).toBe('running');

    it.endCustomerJob();
    expect((await pipeline.run({ jobs: [finalize] })).jobs).toEqual({ [finalize]: 0 });
    expect(it.stateOf(job)).toBe('success');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });
});

describeWithTools({ name: 'the deploy component with a bake', needs: ['rsync'] }, () => {
  test('bakes in a separate job; an unfinished bake is a warning, and is resumed', async () => {
    const inputs = { bake: true };
    const signals = { canary: 'off' };
    const it = await openComponent('minimal', {
      inputs,
      bake: { for: '2s', poll: '300ms', jobs: 0, signals },
    });
    try {
      await it.deployFirst();
      const pipeline = await it.createPipeline(inputs);
      const env = it.almostOver();
      const outcome = await pipeline.run({
        variables: { HOSTED_RUNNER_BAKE_FOR: '10m' },
        facts: { [bake]: { env }, [finalize]: { env } },
      });
      expect(outcome.jobs).toMatchObject({
        [prepare]: 0,
        [onboard]: 0,
        [provision]: 0,
        [shutdown]: 0,
        [bake]: 75,
        [cleanup]: refused,
        [finalize]: 75,
      });
      expect(outcome.verdicts).toMatchObject({ [bake]: 'WARN', [finalize]: 'WARN' });
      expect(it.active()).toBe('purple');

      for (const name of [bake, cleanup, finalize]) {
        expect((await pipeline.run({ jobs: [name] })).jobs).toEqual({ [name]: 0 });
      }
      expect(it.active()).toBe('purple');
      expect(whatIsWrongAtRest(it.world)).toEqual([]);
    } finally {
      await it.close();
    }
  });
});
