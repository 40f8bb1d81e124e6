import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import {
  type CiJob,
  exampleNames,
  expand,
  isNever,
  readCanaryProject,
  readExample,
  renderTemplate,
} from './configuration.ts';

const one = { runner_name: 'linux', runner_tags: ['operations'] };
const several = { runner_names: ['linux', 'arm'], runner_tags: ['operations'] };

const jobsOf = (name: string, inputs: Record<string, unknown>) =>
  Object.entries(expand(renderTemplate(name, { inputs }))).filter(([, job]) => !isNever(job));
const isCanary = (name: string) => name === 'hosted_runner_canary';
/** Templates with inputs, and the jobs that switch the active shard. */
const variants: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ['deploy', one, ['provision']],
  ['deploy', { ...one, approval: true }, ['promote']],
  ['deploy', { ...one, approval: true, bake: true }, ['promote']],
  ['finalize', several, []],
  ['healthcheck', several, []],
  [
    'recover',
    one,
    [
      'recover_auto',
      'recover_replace',
      'recover_terminate',
      'activate',
      'recover_rerun',
      'recover_cleanup',
      'recover_although_nothing_serves',
      'recover_rollback',
    ],
  ],
];

interface JobEnvironment {
  readonly name: string;
  readonly action: string;
}

const environmentOf = (job: CiJob) => job['environment'] as JobEnvironment | undefined;

/**
 * Decides whether a job gets a scoped variable: its environment must match. Without an environment,
 * it gets only `*`.
 */
function hasScope(job: CiJob, scope: string): boolean {
  const { name } = environmentOf(job) ?? {};
  if (name === undefined) return scope === '*';
  const pattern = scope.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(name);
}

describe('an environment', () => {
  test.each(variants)(
    'marks, in %s with %j, the jobs that switch as deployments',
    (name, inputs, wanted) => {
      const jobs = jobsOf(name, inputs).filter(([job]) => !isCanary(job));
      const switching = jobs.filter(([, job]) => environmentOf(job)?.action === 'start');
      expect(switching.map(([job]) => job)).toEqual(wanted.map((job) => `hosted_runner_${job}`));
      for (const [, job] of switching) expect(environmentOf(job)?.name).toBe('hosted-runner/linux');
      const others = jobs.filter(([, job]) => environmentOf(job)?.action !== 'start');
      // A protected environment for the switch must not block these jobs.
      for (const [, job] of others)
        expect(environmentOf(job)).toEqual({
          name: expect.stringMatching(
            /^hosted-runner\/(?:linux|\$HOSTED_RUNNER_RUNNER_NAME)\/access$/,
          ),
          action: 'access',
        });
    },
  );

  test.each(variants)(
    'gives, in %s with %j, its scoped variable to every job except the canary',
    (name, inputs) => {
      for (const [job, definition] of jobsOf(name, { ...inputs, environment: 'runners' }))
        expect({ job, has: hasScope(definition, 'runners/*') }).toEqual({
          job,
          has: !isCanary(job),
        });
    },
  );

  test('does not apply to the canary, which gets every unscoped variable', () => {
    const canary = Object.fromEntries(jobsOf('deploy', one))['hosted_runner_canary'] as CiJob;
    expect(environmentOf(canary)).toBeUndefined();
    expect(hasScope(canary, '*')).toBe(true);
  });
});

describe('a canary job with a token', () => {
  const canaries = [
    ['deploy', Object.fromEntries(jobsOf('deploy', one))['hosted_runner_canary'] as CiJob],
    ['the canary project', readCanaryProject()],
  ] as const;
  const run = ({ script }: CiJob, env: Record<string, string>) =>
    spawnSync('/bin/sh', ['-eu'], { input: script?.join('\n'), env, encoding: 'utf8' });
  const runner = { CI_RUNNER_DESCRIPTION: 'pink-linux' };

  test.each(
    canaries.flatMap(([where, job]) =>
      [
        'HOSTED_RUNNER_GITLAB_TOKEN',
        'HOSTED_RUNNER_PROMETHEUS_TOKEN',
        'HOSTED_RUNNER_WEBHOOK_TOKEN',
        'HOSTED_RUNNER_GITHUB_TOKEN',
        'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
      ].map((variable) => [where, variable, job] as const),
    ),
  )('fails in %s without printing it: %s', (_, variable, job) => {
    const { status, stdout, stderr } = run(job, { ...runner, [variable]: 'glpat-secret' });
    expect(status).toBe(1);
    expect(stdout).toContain('This job has a token of hosted-runner');
    expect(stdout + stderr).not.toContain('glpat-secret');
  });

  test.each(
    canaries.flatMap(([where, job]) =>
      ['GITLAB_TOKEN', 'AWS_SECRET_ACCESS_KEY'].map((variable) => [where, variable, job] as const),
    ),
  )(
    'prints, in %s, the name of %s, which may belong to another tool, and succeeds',
    (_, variable, job) => {
      const { status, stdout } = run(job, { ...runner, [variable]: 'glpat-secret' });
      expect(status).toBe(0);
      expect(stdout).toContain(`hosted_runner_canary_has:${variable}\n`);
      expect(stdout).not.toContain('glpat-secret');
    },
  );

  test.each(canaries)('fails in %s only if the token is set', (_, job) => {
    const { status, stdout } = run(job, { ...runner, HOSTED_RUNNER_GITLAB_TOKEN: '' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('pink-linux'),
    });
  });
});

test.each(exampleNames)('every rule of the example %s names the default branch', (name) => {
  const rules = readExample(name).include.flatMap(
    ({ inputs }) => (inputs['rules'] ?? []) as readonly { readonly if: string }[],
  );
  for (const rule of rules) expect(rule.if).toContain('$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH');
});

test.each(['deploy', 'recover'])('the default rules of %s name the default branch', (name) => {
  for (const [job, { rules = [] }] of jobsOf(name, one))
    for (const rule of rules)
      expect({ job, rule: rule.if }).toEqual({
        job,
        rule: expect.stringContaining('$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'),
      });
});
