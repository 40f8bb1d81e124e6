import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { type ComponentWorld, jobNames, openComponent } from './world.ts';

const { prepare, onboard, canary, provision, promote, shutdown, cleanup, finalize } = jobNames;
const scheduledFinalize = 'hosted_runner_scheduled_finalize: [linux]';
const scheduledHealthcheck = 'hosted_runner_scheduled_healthcheck: [linux]';

/** Exit code of a job of a superseded pipeline. */
const superseded = 3;

/** Jobs that GitLab starts by itself before the approval, and jobs that follow the button. */
const before = [prepare, onboard, canary, provision];
const after = [promote, shutdown, cleanup, finalize];
const web = { CI_PIPELINE_SOURCE: 'web' };
const pressed = { ...web, CI_JOB_MANUAL: 'true' };
const ended = (jobs: readonly string[]) =>
  Object.fromEntries(jobs.filter((job) => job !== canary).map((job) => [job, 0]));

describeWithTools({ name: 'the deploy component with an approval', needs: ['rsync'] }, () => {
  let it: ComponentWorld;
  beforeEach(async () => {
    // This suite has the oldest supported version. The other two suites have a middle version and
    // the newest.
    it = await openComponent('approval-and-schedule', { gitlabVersion: '17.5' });
    await it.deployFirst();
  });
  afterEach(() => it.close());

  test('waits before the switch, switches after the approval, and not without it', async () => {
    const pipeline = await it.createPipeline({ approval: true });
    expect((await pipeline.run({ jobs: before, variables: web })).jobs).toEqual(ended(before));
    expect(it.active()).toBe('pink');
    expect(await it.acceptsJobs('pink')).toBe(true);

    const unasked = await pipeline.run({ jobs: [promote], manual: [promote], variables: web });
    expect(unasked.verdicts).toEqual({ [promote]: 'FAIL' });
    expect(unasked.output).toContain(
      '✖ promote: The pipeline started this manual job automatically',
    );
    expect(unasked.jobs).toEqual({ [promote]: 2 });
    expect(it.active()).toBe('pink');

    const given = await pipeline.run({ jobs: after, manual: [promote], variables: pressed });
    expect(given.jobs).toEqual(ended(after));
    expect(it.active()).toBe('purple');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('leaves the active shard unchanged if refused; a new pipeline adopts the candidate and waits', async () => {
    const abandoned = await it.createPipeline({ approval: true });
    expect((await abandoned.run({ jobs: before, variables: web })).jobs).toEqual(ended(before));
    abandoned.setStatus(promote, 'manual');
    expect(it.active()).toBe('pink');
    expect(await it.acceptsJobs('pink')).toBe(true);

    const next = await it.createPipeline({ approval: true });
    const adopting = await next.run({ jobs: before, variables: web });
    expect(adopting.jobs).toEqual(ended(before));
    expect(adopting.output).toContain(`Adopted: deployment 101-${abandoned.id} is `);
    expect(it.active()).toBe('pink');
    // The button comes days later, and the newer pipeline takes precedence.
    const late = await abandoned.run({ jobs: [promote], manual: [promote], variables: pressed });
    expect(late.jobs).toEqual({ [promote]: superseded });
    expect(it.active()).toBe('pink');

    const given = await next.run({ jobs: after, manual: [promote], variables: pressed });
    expect(given.jobs).toEqual(ended(after));
    expect(it.active()).toBe('purple');
    expect(whatIsWrongAtRest(it.world)).toEqual([]);
  });

  test('leaves a cancelled deployment after the switch to the schedule, which finishes it', async () => {
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

/** Returns the example's name of a job. The schedule runs two jobs under other names. */
function scheduledName(name: string): string {
  if (name === finalize) return scheduledFinalize;
  return name === prepare ? scheduledHealthcheck : name;
}
