import { describe, expect, test } from '@jest/globals';
import { detect, type Environment, github, gitlab, problemOf } from './detected.ts';

const badValues = {
  empty: '',
  spaces: '   ',
  newline: 'a\nb',
  long: 'x'.repeat(5000),
  slash: 'nektos/act',
  unicode: 'jürgen\u202e☃',
  undefined: 'undefined',
  dash: '-',
  accent: 'é'.repeat(300),
};
type Bad = keyof typeof badValues;
const bads = Object.keys(badValues) as Bad[];

/** The purpose of each variable decides the effect of a bad value. */
const variables: readonly (readonly [Environment, 'shown' | 'needed' | 'decides', string])[] = [
  [gitlab, 'needed', 'CI_PROJECT_ID'],
  [gitlab, 'needed', 'CI_PIPELINE_ID'],
  [gitlab, 'needed', 'CI_PIPELINE_CREATED_AT'],
  [gitlab, 'needed', 'CI_JOB_ID'],
  [gitlab, 'decides', 'CI_RUNNER_ID'],
  [gitlab, 'decides', 'CI_JOB_STARTED_AT'],
  [gitlab, 'decides', 'CI_JOB_TIMEOUT'],
  [gitlab, 'shown', 'CI_PIPELINE_URL'],
  [gitlab, 'shown', 'CI_COMMIT_SHA'],
  [gitlab, 'shown', 'GITLAB_USER_LOGIN'],
  [github, 'needed', 'GITHUB_REPOSITORY'],
  [github, 'needed', 'GITHUB_RUN_ID'],
  [github, 'needed', 'GITHUB_RUN_ATTEMPT'],
  [github, 'needed', 'GITHUB_JOB'],
  [github, 'decides', 'RUNNER_NAME'],
  [github, 'decides', 'GITHUB_API_URL'],
  [github, 'decides', 'HOSTED_RUNNER_JOB_TIMEOUT'],
  [github, 'decides', 'HOSTED_RUNNER_JOB_STARTED_AT'],
  [github, 'decides', 'HOSTED_RUNNER_PIPELINE_CREATED_AT'],
  [github, 'decides', 'HOSTED_RUNNER_AWS_ROLE'],
  [github, 'decides', 'HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS'],
  [github, 'shown', 'GITHUB_ACTOR'],
  [github, 'shown', 'GITHUB_SHA'],
  [github, 'shown', 'GITHUB_SERVER_URL'],
  [{}, 'decides', 'HOSTED_RUNNER_DEPLOYMENT'],
  [{}, 'decides', 'HOSTED_RUNNER_PIPELINE_CREATED_AT'],
];

/** Values that are bad for one variable but good for another. */
const good: Readonly<Record<string, readonly Bad[]>> = {
  GITHUB_REPOSITORY: ['slash'],
  GITHUB_JOB: ['undefined'],
  RUNNER_NAME: ['undefined'],
  HOSTED_RUNNER_DEPLOYMENT: ['undefined'],
};

const rows = (...purposes: readonly string[]) =>
  variables
    .filter(([, purpose]) => purposes.includes(purpose))
    .flatMap(([environment, purpose, variable]) =>
      bads
        .filter((bad) => !(good[variable] ?? []).includes(bad))
        // An empty optional variable counts as absent.
        .filter((bad) => bad !== 'empty' || purpose !== 'decides')
        .map((bad) => [variable, bad, environment] as const),
    );

describe('an invalid value of a CI variable', () => {
  test.each(rows('shown'))(
    'causes no error in %s, which is only shown: %s',
    async (variable, bad, environment) => {
      const run = await detect({ ...environment, [variable]: badValues[bad] }).run;
      const { [variable]: _, ...without } = environment;
      const shown = bad === 'undefined' && run.by === 'undefined' ? { by: 'undefined' } : {};
      expect(run).toEqual({ ...(await detect(without).run), ...shown });
    },
  );

  test.each(rows('needed', 'decides'))(
    'causes an error in %s with its own fix: %s',
    async (variable, bad, environment) => {
      const fields = await problemOf({ ...environment, [variable]: badValues[bad] });
      expect(fields?.fix?.at(-1)).toEqual(expect.stringContaining(variable));
      expect(fields?.why).toEqual([expect.stringMatching(new RegExp(`^${variable} is `))]);
    },
  );

  test('causes a different fix in each variable', async () => {
    const fixes = await Promise.all(
      rows('needed', 'decides')
        .filter(([, bad]) => bad === 'spaces')
        .map(async ([variable, bad, environment]) => {
          const fields = await problemOf({ ...environment, [variable]: badValues[bad] });
          return fields?.fix?.[0];
        }),
    );
    expect(new Set(fixes).size).toBe(fixes.length);
  });
});
