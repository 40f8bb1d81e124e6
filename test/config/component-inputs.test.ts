import { describe, expect, test } from '@jest/globals';
import { templates } from '../../generate/gitlab/template-inputs.ts';
import {
  readAddress,
  readInstance,
  readReason,
  readRegistrationId,
} from '../../src/cli/arguments.ts';
import { refuseComponentInputs } from '../../src/config/inputs/component-inputs.ts';
import { renderError } from '../../src/errors/render.ts';
import { withoutAddress } from '../support/without-address.ts';
import { minimal, problemsOf, refusal } from './loading.ts';

const job = { GITLAB_CI: 'true' };

/** What the first job of a pipeline says of its inputs; empty where it takes them. */
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

/** Each input that may be empty, once. */
const optional = new Map(
  templates.flatMap(({ inputs }) =>
    inputs.flatMap(({ name, variable = '', ...rest }) =>
      rest.default === '' ? [[name, variable] as const] : [],
    ),
  ),
);

/** By whichever part of the program reads it. */
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

describe('an input that may be empty', () => {
  test('is one of these', () => {
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
    '%s is refused by the program where it is no such value',
    async (name, variable) => {
      for (const text of ['two\nlines', '$(id)\u0007', `-${'l'.repeat(2000)}`])
        expect({ text, refused: (await whoRefuses(name, variable, text)).length > 0 }).toEqual({
          text,
          refused: true,
        });
    },
  );

  test.each([...optional])('%s is taken where it is empty', async (_, variable) => {
    expect(await refusals({ [variable]: '' })).toEqual([]);
    expect(await problemsOf({ environment: { [variable]: '' } })).toEqual([]);
  });

  test.each([
    ['HOSTED_RUNNER_JOB_PREFIX', 'arm:'],
    ['HOSTED_RUNNER_JOB_PREFIX', 'linux-'],
    ['OIDC_ROLE_ARN', 'arn:aws-us-gov:iam::123456789012:role/ci/deploy'],
    ['OIDC_REGION', 'eu-central-1'],
    ['OIDC_REGION', 'us-gov-west-1'],
  ])('%s takes %s', async (variable, value) => {
    expect(await refusals({ [variable]: value })).toEqual([]);
  });

  test.each([
    [
      { HOSTED_RUNNER_JOB_PREFIX: 'two words' },
      'job_prefix: expected up to 63 letters, digits and _.:-, the first a letter or digit, found "two words".',
    ],
    [
      { OIDC_ROLE_ARN: 'deploy' },
      'aws_role_arn: expected the ARN of a role, such as arn:aws:iam::123456789012:role/deploy, found "deploy".',
    ],
    [
      { OIDC_REGION: 'Frankfurt' },
      'aws_region: expected a region, such as eu-west-1, found "Frankfurt".',
    ],
  ])('is refused with what was expected: %j', async (environment, line) => {
    expect(await refusals(environment)).toEqual([line]);
  });

  test('is nothing outside of a pipeline of GitLab', async () => {
    const environment = { OIDC_REGION: 'Frankfurt' };
    expect(await refusal(() => refuseComponentInputs(environment, 'linux'))).toBeUndefined();
  });
});

describe('rules', () => {
  const given = (rules: unknown) => ({ HOSTED_RUNNER_RULES: JSON.stringify(rules) });
  const branch = { if: '$CI_COMMIT_BRANCH' };

  test.each([
    [[branch]],
    [[{ ...branch, when: 'never' }, branch]],
    [[{ ...branch, variables: { A: 'b' } }]],
    [[[branch], [[{ ...branch, when: 'never' }]]]],
  ])('%j are taken', async (rules) => {
    expect(await refusals(given(rules))).toEqual([]);
  });

  test.each([
    [
      'when',
      'delayed',
      '"when: delayed", in the place of each job\'s own; only never may stand there.',
    ],
    [
      'when',
      'always',
      '"when: always", in the place of each job\'s own; only never may stand there.',
    ],
    [
      'when',
      'manual',
      '"when: manual", in the place of each job\'s own; only never may stand there.',
    ],
    ['allow_failure', true, '"allow_failure", in the place of each job\'s own.'],
    ['needs', [], '"needs", in the place of each job\'s own.'],
    ['interruptible', true, '"interruptible", in the place of each job\'s own.'],
  ])('with %s: %j are refused', async (keyword, value, line) => {
    expect(await refusals(given([branch, { ...branch, [keyword]: value }]))).toEqual([
      `rules: rule 2 has ${line}`,
    ]);
  });

  test('that are no list are refused', async () => {
    const line = 'rules: expected a list of rules, found "{\\"if\\":\\"a\\"}".';
    expect(await refusals(given({ if: 'a' }))).toEqual([line]);
  });

  test('that another program than GitLab has written are not judged', async () => {
    expect(await refusals({ HOSTED_RUNNER_RULES: '[object Object]' })).toEqual([]);
  });

  test('of buttons may say that they are manual, and nothing that would press them', async () => {
    const button = { HOSTED_RUNNER_BY_HAND: 'true', CI_JOB_MANUAL: 'true' };
    const manual = { ...branch, when: 'manual', allow_failure: true };
    expect(await refusals({ ...button, ...given([manual]) })).toEqual([]);
    expect(
      await refusals({ ...button, ...given([{ when: 'delayed', start_in: '1 hour' }]) }),
    ).toEqual([
      'rules: rule 1 has "when: delayed", in the place of each job\'s own; only never may stand there.',
    ]);
  });
});

test('a button that nobody has pressed is refused', async () => {
  const environment = { ...job, HOSTED_RUNNER_BY_HAND: 'true' };
  const error = await refusal(() => refuseComponentInputs(environment, 'linux'));
  expect(
    withoutAddress(renderError('promote', error!.fields)),
  ).toBe(`✖ promote: This job is for a person to press, and the pipeline started it by itself.
  why  GitLab does not say CI_JOB_MANUAL: a rule with "when" has taken the place of "when: manual".
  now  Nothing was touched.
  fix  Give the component rules without "when", and start a new pipeline
       See where the stack stands: hosted-runner status --runner linux
  ref  NotStartedByHand · docs/troubleshooting.md#notstartedbyhand`);
  expect(refuseComponentInputs({ ...environment, CI_JOB_MANUAL: 'true' }, 'linux')).toBeUndefined();
});
