import { describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { type CiJob, expand, isNever, renderExample, renderTemplate } from './configuration.ts';

const one = { runner_name: 'linux', runner_tags: ['operations'] };
const several = { runner_names: ['linux', 'arm'], runner_tags: ['operations'] };
const rendered = [
  ['deploy', one],
  ['deploy', { ...one, approval: true }],
  ['deploy', { ...one, bake: true }],
  ['finalize', several],
  ['healthcheck', several],
  ['recover', one],
] as const;

const jobsOf = (name: string, inputs: Record<string, unknown>) =>
  Object.entries(expand(renderTemplate(name, { inputs }))).filter(([, job]) => !isNever(job));
const isCanary = (name: string) => name === 'hosted_runner_canary';

test('the minimal example renders as reviewed, with its shared parts once', () => {
  const jobs = Object.entries(renderExample('minimal')).filter(([, job]) => !isNever(job));
  expect(stringify(Object.fromEntries(jobs))).toMatchSnapshot();
});

describe.each(rendered)('the stages of %s with %j', (name, inputs) => {
  const stages = jobsOf(name, inputs).filter(([job]) => !isCanary(job));

  test.each(stages)('%s runs again when it is not finished, and otherwise not', (_, job) => {
    expect(job['retry']).toEqual({ max: 2, when: ['runner_system_failure'], exit_codes: [75] });
  });

  test.each(stages)('%s inherits nothing, and uses no artifacts of other jobs', (_, job) => {
    expect(job['inherit']).toEqual({ default: false });
    expect(job['dependencies']).toEqual([]);
    expect((job.needs ?? []).filter((need) => !('artifacts' in need) || need.artifacts)).toEqual(
      [],
    );
  });

  test.each(stages)('%s runs on the named runners', (_, job) => {
    expect(job['tags']).toEqual(['operations']);
  });

  test.each(stages)('%s leaves its results, whatever its result', (_, job) => {
    expect(job['artifacts']).toEqual({
      when: 'always',
      expire_in: '30 days',
      access: 'developer',
      paths: ['hosted-runner-report/'],
      reports: {
        junit: 'hosted-runner-report/junit.xml',
        annotations: 'hosted-runner-report/annotations.json',
        dotenv: 'hosted-runner-report/deployment.env',
      },
    });
    const variables = job['variables'] as Record<string, { value: string }>;
    expect(variables['HOSTED_RUNNER_REPORT_DIR']?.value).toBe('hosted-runner-report');
  });

  test.each(stages)('%s calls only hosted-runner', (_, job) => {
    // A variable of the operator at the button is one argument, or none.
    const given = String.raw`\$\{(HOSTED_RUNNER_[A-Z]+):\+--[a-z]+ "\$\4"\}`;
    const flag = `--[a-z]+(?:-[a-z]+)*( [a-z]+| "[^"]+")?`;
    expect(job.script?.at(-1)).toMatch(new RegExp(`^hosted-runner [a-z]+( (${flag}|${given}))*$`));
  });
});

describe('the canary job', () => {
  const [, job] = jobsOf('deploy', one).find(([name]) => isCanary(name)) as [string, CiJob];

  test('requests the tag of this pipeline and stack only', () => {
    expect(job['tags']).toEqual(['canary-$CI_PROJECT_ID-$CI_PIPELINE_IID-linux']);
  });

  test('needs no hosted-runner on the candidate, and inherits nothing', () => {
    expect(job).toMatchObject({
      inherit: { default: false, variables: false },
      variables: { GIT_STRATEGY: 'none' },
      image: 'alpine:3.22',
      allow_failure: true,
    });
    expect(job.resource_group).toBeUndefined();
    expect(job['id_tokens']).toBeUndefined();
    expect(job['artifacts']).toBeUndefined();
  });

  // Each of these jobs may verify a shard, roll back, or cancel a waiting canary.
  const stages = jobsOf('deploy', { ...one, approval: true, bake: true, job_prefix: 'arm:' });

  test.each(stages.filter(([name]) => name !== 'arm:hosted_runner_canary'))(
    'reaches %s by its name',
    (_, stage) => {
      expect(Object.fromEntries(stages)['arm:hosted_runner_canary']).toBeDefined();
      expect(stage['variables']).toMatchObject({
        HOSTED_RUNNER_CANARY_JOB_NAME: { value: 'arm:hosted_runner_canary', expand: false },
      });
    },
  );

  test('does not exist in the pipeline if the canary runs elsewhere', () => {
    expect(jobsOf('deploy', { ...one, canary: false }).map(([name]) => name)).not.toContain(
      'hosted_runner_canary',
    );
  });
});

describe('the bake job', () => {
  const jobs = (inputs: Record<string, unknown>) =>
    expand(renderTemplate('deploy', { inputs: { ...one, ...inputs } }));

  test('stands between shutdown and cleanup, in no queue, with the time limit of a drain', () => {
    const { hosted_runner_bake: job } = jobs({ bake: true });
    expect(job).toMatchObject({
      allow_failure: true,
      needs: [{ job: 'hosted_runner_shutdown', artifacts: false }],
      timeout: '6 hours',
      retry: { max: 2, exit_codes: [75] },
      script: ['hosted-runner bake'],
    });
    expect(job).not.toHaveProperty('resource_group');
  });

  test('causes no failure of finalize while it is unfinished, in its pipeline and on a schedule', () => {
    const allowed = { exit_codes: [75] };
    expect(jobs({ bake: true })['hosted_runner_finalize']?.allow_failure).toEqual(allowed);
    expect(jobs({})['hosted_runner_finalize']?.allow_failure).toBe(false);
    const scheduled = { runner_names: ['linux'], runner_tags: ['operations'] };
    const job = (bake: boolean) =>
      expand(renderTemplate('finalize', { inputs: { ...scheduled, bake } }))[
        'hosted_runner_scheduled_finalize'
      ];
    expect(job(true)?.allow_failure).toEqual(allowed);
    expect(job(false)?.allow_failure).toBe(false);
  });

  test('does not exist by default', () => {
    expect(isNever(jobs({})['hosted_runner_bake'] ?? {})).toBe(true);
  });
});

describe('a scheduled job', () => {
  test('exists once for each stack, in the resource group of that stack', () => {
    expect(Object.fromEntries(jobsOf('finalize', several))).toMatchObject({
      hosted_runner_scheduled_finalize: {
        parallel: { matrix: [{ HOSTED_RUNNER_RUNNER_NAME: ['linux', 'arm'] }] },
        resource_group: 'hosted-runner/$HOSTED_RUNNER_RUNNER_NAME',
      },
    });
  });

  test.each(['finalize', 'healthcheck'])(
    'starts in %s whatever the result of earlier stages',
    (name) => {
      for (const [, job] of jobsOf(name, several)) expect(job.needs).toEqual([]);
    },
  );

  test('waits for no other job if it changes nothing', () => {
    expect(jobsOf('healthcheck', several)[0]?.[1].resource_group).toBeUndefined();
  });
});

describe('a manual job', () => {
  test.each(jobsOf('recover', one))('%s waits for its start and a confirmation', (_, job) => {
    expect(job).toMatchObject({ when: 'manual', allow_failure: true, needs: [] });
    expect(job['manual_confirmation']).toMatch(/linux/);
  });

  test('exists for each shard to activate, without a variable to fill in', () => {
    const activating = (inputs: object) =>
      Object.fromEntries(jobsOf('recover', { ...one, ...inputs }))['hosted_runner_activate'];
    const of = (shards: readonly string[]) => ({
      parallel: { matrix: [{ HOSTED_RUNNER_SHARD: shards }] },
    });
    expect(activating({})).toMatchObject(of(['pink', 'purple']));
    expect(activating({ shards: ['a', 'b'] })).toMatchObject(of(['a', 'b']));
  });

  test('does not wait for the stage that it may stop, if it holds, releases or rolls back', () => {
    const free = jobsOf('recover', one).filter(([, job]) => job.resource_group === undefined);
    expect(free.map(([name]) => name)).toEqual([
      'hosted_runner_doctor',
      'hosted_runner_recover_rollback',
      'hosted_runner_hold',
      'hosted_runner_release',
    ]);
  });
});
