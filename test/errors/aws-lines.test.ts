import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findingEntries } from '../../src/domain/doctor/catalogue.ts';
import type { TaggedKind } from '../../src/domain/plan/aws-resource.ts';
import { describeByHand, planSweep } from '../../src/domain/plan/sweep-plan.ts';
import { githubSecretMissing } from '../../src/errors/credential-errors.ts';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';
import { root } from '../support/program.ts';
import { readAws, runAws, shellWords } from './aws-program.ts';
import { catalogue } from './catalogue.ts';
import { awsLinesIn } from './commands-in.ts';

/** Kinds that an operator has to remove, with a command. */
const byHand: readonly TaggedKind[] = [
  'instance',
  'volume',
  'log_group',
  'auto_scaling_group',
  'launch_template',
];

function printedBySweep(): string[] {
  const resources = byHand.map((kind) => ({ kind, id: 'i-0abc0000000000001' }));
  const plan = planSweep(resources);
  return plan.byHand.flatMap((kept) => awsLinesIn(describeByHand(kept)));
}

const printed = [
  ...catalogue.flatMap(({ fields }) => (fields.fix ?? []).flatMap(awsLinesIn)),
  ...Object.values(findingEntries).flatMap(({ byHand: words = '' }) => awsLinesIn(words)),
  ...printedBySweep(),
];
const written = [
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  ),
  'README.md',
]
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => awsLinesIn(readFileSync(join(root, name), 'utf8')));
const variables = { BASE: '/gitlab/dedicated/runner/linux' };

/** Commands of a service whose client is not among this project's packages. */
const unread: Readonly<Record<string, string>> = {
  'aws logs delete-log-group --log-group-name i-0abc0000000000001':
    'https://docs.aws.amazon.com/cli/latest/reference/logs/delete-log-group.html',
};

test('AWS commands occur in errors, in diagnoses, and in the documentation', () => {
  expect(printed.length).toBeGreaterThan(6);
  expect(written.length).toBeGreaterThan(12);
  expect(Object.keys(unread).filter((line) => !printed.includes(line))).toEqual([]);
});

test.each([...new Set([...printed, ...written])].filter((line) => !(line in unread)))(
  '%s is a valid command of the AWS CLI',
  (line) => {
    expect(() => readAws(shellWords(line, variables))).not.toThrow();
  },
);

describe('the simulated AWS CLI', () => {
  test.each([
    ['aws ssm get-parameter-histories --name x', 'ssm has no operation get-parameter-histories'],
    ['aws ssm get-parameter-history --names x', 'get-parameter-history has no option --names'],
    ['aws ssm get-parameter-history', 'get-parameter-history needs name'],
    ['aws ssm put-parameter --name x --value y --overwrite yes', '--overwrite takes no value'],
    ['aws ssm put-parameter --name x --value y z', '--value takes one value'],
    ['aws ec2 terminate-instances --instance-ids', '--instance-ids wants a value'],
    ['aws sms get-parameter --name x', 'no service sms'],
  ])('refuses %s', (line, words) => {
    expect(() => readAws(shellWords(line))).toThrow(words);
  });
});

describe('AWS commands of errors in the sandbox', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  const run = (line: string) => runAws(shellWords(line, variables), world.environment);
  const base = variables.BASE;

  test('show the author of each version in the history', async () => {
    const put = (text: string) =>
      run(
        `aws ssm put-parameter --overwrite --type String --name ${base}/deployment_record --value '${text}'`,
      );
    await put('good');
    await put('bad');
    const line = printed.find(
      (one) => one.includes('get-parameter-history') && one.includes('--query'),
    );
    const versions = (await run(
      (line ?? '').replace(/--name \S+/, `--name ${base}/deployment_record`),
    )) as [number, string, string][];
    // The responses may arrive in any order. Each names its command.
    expect(versions.toSorted(([one], [other]) => one - other)).toEqual([
      [1, 'arn:aws:iam::123456789012:user/sandbox', 'good'],
      [2, 'arn:aws:iam::123456789012:user/sandbox', 'bad'],
    ]);
    // As the diagnosis of an illegible record advises, the operator writes the last valid value
    // back.
    const back = awsLinesIn(findingEntries.record_illegible.byHand ?? '').find((one) =>
      one.includes('put-parameter'),
    );
    await run((back ?? '').replace('{id}', `${base}/deployment_record`).replace('…', 'good'));
    expect(
      await run(`aws ssm get-parameter --name ${base}/deployment_record --query Parameter.Value`),
    ).toBe('good');
  });

  test('restore a missing secret', async () => {
    const { fields } = githubSecretMissing({ variable: 'X', parameter: '/github/key' });
    const [line = ''] = (fields.fix ?? []).flatMap(awsLinesIn);
    const name = /--name (\S+)/.exec(line)?.[1];
    await run(line.replace('…', "'a key'"));
    expect(
      await run(
        `aws ssm get-parameter --with-decryption --name ${name} --query Parameter.[Type,Value]`,
      ),
    ).toEqual(['SecureString', 'a key']);
  });

  test('find an instance by its name and terminate it', async () => {
    expect(
      await world.start({ args: ['sandbox', 'apply', '--runner', 'linux', '--shard', 'pink'] })
        .ended,
    ).toMatchObject({ exitCode: 0 });
    const command = written.find((one) => one.includes('describe-instances')) ?? '';
    const [found] = (await run(command)) as [string, string, unknown][];
    // EC2 reports a new machine with either state.
    expect(['pending', 'running']).toContain(found?.[1]);
    await run(`aws ec2 terminate-instances --instance-ids ${found?.[0]}`);
    expect(await run(command)).toEqual([]);
  });
});
