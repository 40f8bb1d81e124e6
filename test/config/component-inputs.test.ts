import { describe, expect, test } from '@jest/globals';
import {
  readAddress,
  readInstance,
  readReason,
  readRegistrationId,
} from '../../src/cli/arguments.ts';
import { refuseComponentInputs } from '../../src/config/inputs/component-inputs.ts';
import { templates } from '../../src/config/inputs/component-templates.ts';
import { renderError } from '../../src/errors/render.ts';
import { withoutAddress } from '../support/without-address.ts';
import { minimal, problemsOf, refusal } from './loading.ts';

const job = { GITLAB_CI: 'true' };

/** Returns the refusal of a pipeline's first job about its inputs; empty if it accepts them. */
async function refusals(environment: Record<string, string>): Promise<readonly string[]> {
  const error = await refusal(() => refuseComponentInputs({ ...job, ...environment }, 'linux'));
  return error?.fields.why ?? [];
}

const readers = {
  again: readReason,
  registration: readRegistrationId,
  address: readAddress,
  instance: readInstance,
};

/** Inputs that may be empty, each once. */
const optional = new Map(
  templates.flatMap(({ inputs }) =>
    inputs.flatMap(({ name, variable = '', ...rest }) =>
      rest.default === '' ? [[name, variable] as const] : [],
    ),
  ),
);

/** Collects the refusals of all parts of the program that read the value. */
async function whoRefuses(
  name: string,
  variable: string,
  text: string,
): Promise<readonly string[]> {
  const environment = { [variable]: text };
  const reader = readers[name as keyof typeof readers];
  const argument = reader && (await refusal(() => reader(text, `--${name}`)));
  return [
    ...(await refusals(environment)),
    ...(await problemsOf({ text: minimal, environment })),
    ...(argument === undefined ? [] : [argument.fields.what]),
  ];
}

describe('an optional component input', () => {
  test('belongs to this list', () => {
    expect([...optional.keys()]).toEqual([
      'job_prefix',
      'aws_role_arn',
      'aws_region',
      'again',
      'drain_force_after',
      'registration',
      'address',
      'instance',
    ]);
  });

  test.each([...optional])(
    'causes an error in %s with an invalid value',
    async (name, variable) => {
      for (const text of ['two\nlines', '$(id)\u0007', `-${'l'.repeat(2000)}`])
        expect({ text, refused: (await whoRefuses(name, variable, text)).length > 0 }).toEqual({
          text,
          refused: true,
        });
    },
  );

  test.each([...optional])('may be empty in %s', async (_, variable) => {
    expect(await refusals({ [variable]: '' })).toEqual([]);
    expect(await problemsOf({ environment: { [variable]: '' } })).toEqual([]);
  });

  test.each([
    ['HOSTED_RUNNER_JOB_PREFIX', 'arm:'],
    ['HOSTED_RUNNER_JOB_PREFIX', 'linux-'],
    ['OIDC_ROLE_ARN', 'arn:aws-us-gov:iam::123456789012:role/ci/deploy'],
    ['OIDC_REGION', 'eu-central-1'],
    ['OIDC_REGION', 'us-gov-west-1'],
  ])('works in %s with %s', async (variable, value) => {
    expect(await refusals({ [variable]: value })).toEqual([]);
  });

  test.each([
    [
      { HOSTED_RUNNER_JOB_PREFIX: 'two words' },
      'job_prefix: expected a letter or digit, then up to 62 letters, digits, _, ., : or -, found "two words".',
    ],
    [
      { OIDC_ROLE_ARN: 'deploy' },
      'aws_role_arn: expected the ARN of a role, such as arn:aws:iam::123456789012:role/deploy, found "deploy".',
    ],
    [
      { OIDC_REGION: 'Frankfurt' },
      'aws_region: expected a region, such as eu-west-1, found "Frankfurt".',
    ],
  ])('causes an error with the expected form: %j', async (environment, line) => {
    expect(await refusals(environment)).toEqual([line]);
  });

  test('stays unchecked outside a GitLab pipeline', async () => {
    const environment = { OIDC_REGION: 'Frankfurt' };
    expect(await refusal(() => refuseComponentInputs(environment, 'linux'))).toBeUndefined();
  });
});

describe('the rules input', () => {
  const given = (rules: unknown) => ({ HOSTED_RUNNER_RULES: JSON.stringify(rules) });
  const branch = { if: '$CI_COMMIT_BRANCH' };

  test.each([
    [[branch]],
    [[{ ...branch, when: 'never' }, branch]],
    [[{ ...branch, variables: { A: 'b' } }]],
    [[[branch], [[{ ...branch, when: 'never' }]]]],
  ])('accepts %j', async (rules) => {
    expect(await refusals(given(rules))).toEqual([]);
  });

  test.each([
    [
      'when',
      'delayed',
      '"when: delayed", which would replace the "when" of each job; only "never" is allowed.',
    ],
    [
      'when',
      'always',
      '"when: always", which would replace the "when" of each job; only "never" is allowed.',
    ],
    [
      'when',
      'manual',
      '"when: manual", which would replace the "when" of each job; only "never" is allowed.',
    ],
    [
      'allow_failure',
      true,
      '"allow_failure", which would replace the "allow_failure" of each job.',
    ],
    ['needs', [], '"needs", which would replace the "needs" of each job.'],
    [
      'interruptible',
      true,
      '"interruptible", which would replace the "interruptible" of each job.',
    ],
  ])('causes an error with %s: %j', async (keyword, value, line) => {
    expect(await refusals(given([branch, { ...branch, [keyword]: value }]))).toEqual([
      `rules: rule 2 has ${line}`,
    ]);
  });

  test('causes an error if it is not a list', async () => {
    const line = 'rules: expected a list of rules, found "{\\"if\\":\\"a\\"}".';
    expect(await refusals(given({ if: 'a' }))).toEqual([line]);
  });

  test('stays unchecked if GitLab did not write it', async () => {
    expect(await refusals({ HOSTED_RUNNER_RULES: '[object Object]' })).toEqual([]);
  });

  test('may repeat `when: manual` for a manual job, and nothing that starts the job', async () => {
    const button = { HOSTED_RUNNER_BY_HAND: 'true', CI_JOB_MANUAL: 'true' };
    const manual = { ...branch, when: 'manual', allow_failure: true };
    expect(await refusals({ ...button, ...given([manual]) })).toEqual([]);
    expect(
      await refusals({ ...button, ...given([{ when: 'delayed', start_in: '1 hour' }]) }),
    ).toEqual([
      'rules: rule 1 has "when: delayed", which would replace the "when" of each job; only "never" is allowed.',
    ]);
  });
});

test('a manual job that started automatically is refused', async () => {
  const environment = { ...job, HOSTED_RUNNER_BY_HAND: 'true' };
  const error = await refusal(() => refuseComponentInputs(environment, 'linux'));
  expect(
    withoutAddress(renderError('promote', error!.fields)),
  ).toBe(`✖ promote: The pipeline started this manual job automatically.
  why  CI_JOB_MANUAL is not set: a rule with "when" has replaced "when: manual".
  now  Nothing was touched.
  fix  Remove "when" from the rules of the component, and start a new pipeline.
       Show the state of the stack: hosted-runner status --runner linux
  ref  NotStartedByHand · docs/troubleshooting.md#notstartedbyhand`);
  expect(refuseComponentInputs({ ...environment, CI_JOB_MANUAL: 'true' }, 'linux')).toBeUndefined();
});
