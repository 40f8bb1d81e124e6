import { expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { GitLabVersion } from '../../fakes/world/gitlab-version.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import type { JobState, World } from '../../fakes/world/world.ts';
import { schedule } from '../../fakes/world/world-event.ts';
import { openScene } from '../scene.ts';

const minute = 60_000;

/**
 * Opens a stack on which only GitLab reports pink's jobs, with a token that may not see all of
 * them.
 */
async function openUnseen(gitlab: GitLabVersion, timeLimitMs?: number, intercept?: Intercept) {
  const settings = stackSettings();
  const stack = stackSettings({
    host: { ...settings.host, access: 'none' },
    healthcheck: {
      ...settings.healthcheck,
      evidence: {
        ...settings.healthcheck.evidence,
        instance: 'off',
        host: 'off',
        workload: 'off',
      },
    },
  });
  const world = worldWithActive(pink, {
    stacks: [stack],
    behaviour: { gitlab, jobsVisible: false },
  });
  const scene = openScene(world, intercept);
  const limit = timeLimitMs === undefined ? {} : { timeLimitMs };
  const prepared = await scene.type('prepare', limit);
  const job = submitJob(world, {
    name: 'unseen build',
    tags: ['linux'],
    durationMs: 600 * minute,
    visible: false,
  });
  await scene.simulation.advance(10_000);
  expect(job.status).toBe('running');
  expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
  return { scene, world, job, prepared };
}

/** Ends the script of a job and schedules the end of its after_script. */
function cancel(world: World, job: JobState, afterScriptMs: number): void {
  job.status = 'canceling';
  job.attempt += 1;
  const { id: jobId, attempt } = job;
  schedule(world, afterScriptMs, { kind: 'job_canceled', jobId, attempt });
}

test.each([
  ['17.5', '1h 5m'],
  ['18.7', '1h 5m'],
  ['19.3', '35m'],
] as const)(
  'GitLab %s as the only source has to report no job for %s in one run, and no after_script is cut off',
  async (gitlab, needs) => {
    const { scene, world, job } = await openUnseen(gitlab);
    cancel(world, job, 29 * minute);
    const begun = world.now;
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
    const neededMs = needs === '35m' ? 35 * minute : 65 * minute;
    expect(world.now - begun).toBeGreaterThanOrEqual(neededMs);
    expect(job.status).toBe('canceled');
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  },
);

test('a finalize that has just proven the drain removes the shard on that proof', async () => {
  const { scene, world, job } = await openUnseen('19.3');
  cancel(world, job, minute);
  await scene.simulation.advance(2 * minute);
  const begun = world.now;
  const timeLimitMs = 40 * minute;
  const { log, ...ending } = await scene.type('finalize', {
    deadline: world.now + timeLimitMs,
    timeLimitMs,
  });
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.now - begun).toBeLessThan(timeLimitMs);
  expect(log).toContainEqual(
    expect.stringMatching(
      /^Confirmed again that pink is drained: only GitLab reports .* \(for 2\d{3}s\)\.$/,
    ),
  );
  expect(world.violations).toEqual([]);
});

test('a finalize that was suspended after its proof repeats the proof', async () => {
  const slow: Intercept = ({ port, method, args }) =>
    port === 'parameters' && method === 'overwrite' && JSON.stringify(args).includes('"drained')
      ? { kind: 'delay', afterMs: 2 * minute }
      : undefined;
  const { scene, world, job } = await openUnseen('19.3', undefined, slow);
  cancel(world, job, minute);
  await scene.simulation.advance(2 * minute);
  const begun = world.now;
  expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.now - begun).toBeGreaterThan(70 * minute);
});

test('a job with too short a timeout gets a warning in prepare and a refusal once it drains', async () => {
  const hour = 60 * minute;
  const { scene, world, job, prepared } = await openUnseen('18.7', hour);
  const foretold = prepared.log.filter((line) => line.includes('The drain will need'));
  expect(foretold).toEqual([
    '! The drain will need 1h 5m in one run, but this job ends after 1h: host.access is none, and the token may be unable to see the jobs of every project. Increase the timeout of the job that drains.',
  ]);
  cancel(world, job, minute);
  await scene.simulation.advance(2 * minute);
  const begun = world.now;
  const options = { deadline: world.now + hour, timeLimitMs: hour };
  expect(await scene.type('shutdown', options)).toMatchObject({
    phase: 'draining',
    error: { code: 'DrainJobTooShort', exitCode: 1 },
  });
  expect(world.now - begun).toBeLessThan(5 * minute);
  const longer = { deadline: world.now + 2 * hour, timeLimitMs: 2 * hour };
  // The removal repeats the proof in a separate run.
  expect(await scene.type('shutdown', longer)).toMatchObject({ kind: 'done', phase: 'drained' });
  const last = { deadline: world.now + 2 * hour, timeLimitMs: 2 * hour };
  expect(await scene.type('cleanup', last)).toMatchObject({ kind: 'done', phase: 'done' });
  expect(world.violations).toEqual([]);
});

test('a job with too little time left ends unfinished, and the next job completes the drain', async () => {
  const { scene, world, job } = await openUnseen('19.3');
  cancel(world, job, minute);
  await scene.simulation.advance(2 * minute);
  const timeLimitMs = 60 * minute;
  expect(
    await scene.type('shutdown', { deadline: world.now + 20 * minute, timeLimitMs }),
  ).toMatchObject({ error: { code: 'StillDraining', exitCode: 75 } });
  expect(
    await scene.type('shutdown', { deadline: world.now + timeLimitMs, timeLimitMs }),
  ).toMatchObject({ kind: 'done', phase: 'drained' });
});

test('prepare warns of a blind drain if GitLab does not report whether jobs run', async () => {
  const settings = stackSettings();
  const world = worldWithActive(pink, {
    stacks: [stackSettings({ host: { ...settings.host, access: 'none' } })],
    behaviour: { gitlab: '17.5', graphQl: 'refused', jobsVisible: false },
  });
  const { log } = await openScene(world).type('prepare');
  expect(log).toContain(
    '! The drain will end with DrainBlind: host.access is none, this GitLab does not report whether jobs run, and the token may be unable to see the jobs of every project.',
  );
});
