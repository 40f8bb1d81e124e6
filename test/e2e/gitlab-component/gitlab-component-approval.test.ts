import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { type ComponentWorld, jobNames, openComponent } from './world.ts';

const { prepare, onboard, canary, provision, promote, shutdown, cleanup, finalize } = jobNames;
const scheduledFinalize = 'hosted_runner_scheduled_finalize: [linux]';
const scheduledHealthcheck = 'hosted_runner_scheduled_healthcheck: [linux]';

/** Exit code of a job whose pipeline is not the newest any more. */
const superseded = 3;

/** What GitLab runs by itself before the gate, and what a press of the button brings about. */
const before = [prepare, onboard, canary, provision];
const after = [promote, shutdown, cleanup, finalize];
const web = { CI_PIPELINE_SOURCE: 'web' };
const pressed = { ...web, CI_JOB_MANUAL: 'true' };
const ended = (jobs: readonly string[]) =>
  Object.fromEntries(jobs.filter((job) => job !== canary).map((job) => [job, 0]));

describeWithTools({ name: 'the deploy component with an approval', needs: ['rsync'] }, () => {
  let it: ComponentWorld;
  beforeEach(async () => {
    // The oldest that is supported; a middle one and the newest have the other two suites.
    it = await openComponent('approval-and-schedule', { gitlabVersion: '17.5' });
    await it.deployFirst();
  });
  afterEach(() => it.close());

  test('waits before the switch, switches when it is given, and does not without a person', async () => {
    const pipeline = await it.createPipeline({ approval: true });
    expect((await pipeline.run({ jobs: before, variables: web })).jobs).toEqual(ended(before));
    expect(it.active()).toBe('pink');
    expect(await it.serves('pink')).toBe(true);

    const unasked = await pipeline.run({ jobs: [promote], manual: [promote], variables: web });
    expect(unasked.verdicts).toEqual({ [promote]: 'FAIL' });
    expect(unasked.output).toContain('✖ promote: This job is for a person to press');
    expect(unasked.jobs).toEqual({ [promote]: 2 });
    expect(it.active()).toBe('pink');

    const given = await pipeline.run({ jobs: after, manual: [promote], variables: pressed });
    expect(given.jobs).toEqual(ended(after));
    expect(it.active()).toBe('purple');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('refused or abandoned, leaves the active shard alone; a new pipeline adopts what it built and asks again', async () => {
    const abandoned = await it.createPipeline({ approval: true });
    expect((await abandoned.run({ jobs: before, variables: web })).jobs).toEqual(ended(before));
    abandoned.setStatus(promote, 'manual');
    expect(it.active()).toBe('pink');
    expect(await it.serves('pink')).toBe(true);

    const next = await it.createPipeline({ approval: true });
    const adopting = await next.run({ jobs: before, variables: web });
    expect(adopting.jobs).toEqual(ended(before));
    expect(adopting.output).toContain(`Adopted: deployment 101-${abandoned.id} is `);
    expect(it.active()).toBe('pink');
    // Pressed after all, days later: the newer pipeline has the say.
    const late = await abandoned.run({ jobs: [promote], manual: [promote], variables: pressed });
    expect(late.jobs).toEqual({ [promote]: superseded });
    expect(it.active()).toBe('pink');

    const given = await next.run({ jobs: after, manual: [promote], variables: pressed });
    expect(given.jobs).toEqual(ended(after));
    expect(it.active()).toBe('purple');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('cancelled after the switch, is finished by the schedule', async () => {
    const cancelled = await it.createPipeline({ approval: true });
    await cancelled.run({ jobs: before, variables: web });
    await cancelled.run({ jobs: [promote], manual: [promote], variables: pressed });
    for (const job of [shutdown, cleanup, finalize]) cancelled.setStatus(job, 'canceled');
    expect(it.active()).toBe('purple');

    const scheduled = await it.createPipeline({ jobName: scheduledName });
    const outcome = await scheduled.run({ variables: { CI_PIPELINE_SOURCE: 'schedule' } });
    expect(outcome.jobs).toEqual({ [scheduledFinalize]: 0, [scheduledHealthcheck]: 0 });
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });
});

/** The scheduled jobs are other names for two jobs of the sandbox's pipeline. */
function scheduledName(name: string): string {
  if (name === finalize) return scheduledFinalize;
  return name === prepare ? scheduledHealthcheck : name;
}
