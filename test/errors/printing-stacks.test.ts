import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readTyped } from '../../src/cli/command-text.ts';
import type { ErrorCode } from '../../src/domain/error-codes.ts';
import type { Typed } from '../../src/errors/fix-line.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { type as typeIn } from '../operator/doctor/examine.ts';
import type { Ending } from '../stages/drive.ts';
import { root } from '../support/program.ts';
import { sampleOf } from '../support/sample.ts';
import { catalogue } from './catalogue.ts';
import { commandsIn, othersIn } from './commands-in.ts';
import { worlds } from './printing-stacks/worlds.ts';

const beforeAStack = 'test/surface/printed/without-stack.test.ts';
const besideAStack = 'test/surface/printed/with-stack.test.ts';

/** Errors whose world needs one or more processes, with the tests that type their commands. */
const elsewhere: Readonly<Partial<Record<ErrorCode, string>>> = {
  CanaryFailed: 'test/errors/printed-commands.test.ts',
  HealthcheckTimedOut: 'test/errors/printed-commands.test.ts',
  RunnerLimit: 'test/gitlab/runners/granular-tokens.test.ts',
  BadUsage: besideAStack,
  UnknownShard: besideAStack,
  NotStartedByHand: besideAStack,
  EndpointSilent: besideAStack,
  CredentialsMissing: 'test/e2e/aws/aws-credentials.test.ts',
  CheckDocumentRefused: 'test/e2e/aws/permissions.test.ts',
  RoleRefused: 'test/e2e/aws/aws-credentials.test.ts',
  AddressTaken: besideAStack,
  ConfigurationMissing: beforeAStack,
  InvalidConfiguration: beforeAStack,
  FileExists: beforeAStack,
  SandboxRunsAlready: beforeAStack,
  SandboxPortTaken: beforeAStack,
  SandboxUnknown: beforeAStack,
  SandboxUnreachable: beforeAStack,
  RunnerBinaryUnusable: beforeAStack,
};

test('every error that prints a command has a situation in which the command runs', () => {
  const prints = catalogue.filter(({ fields }) => commandsIn(fields.fix ?? []).length > 0);
  const here = worlds.map<string>(({ code }) => code);
  const known = [...here, ...Object.keys(elsewhere)];
  const printed = prints.map<string>(({ code }) => code);
  expect(printed.filter((code) => !known.includes(code))).toEqual([]);
  expect(Object.keys(elsewhere).filter((code) => !printed.includes(code))).toEqual([]);
  expect(Object.keys(elsewhere).filter((code) => here.includes(code))).toEqual([]);
});

test.each(Object.entries(elsewhere))('%s has its situation in %s', (code, file) => {
  expect(readFileSync(join(root, file), 'utf8')).toMatch(new RegExp(`['\\d ]${code}'`));
});

const noAws = 'test/errors/aws-lines.test.ts';
const aValue = 'a value that is theirs; with a valid one the next run goes on';
const ofANetwork = 'a network of theirs: test/transport/proxy/proxies.test.ts reads both variables';
const notTyped = 'a sentence, or a block for a file';

/** Commands for other programs, and additions to the command line. */
const others: Readonly<Record<string, string>> = {
  'aws iam add-client-id-to-open-id-connect-provider': noAws,
  'aws iam create-open-id-connect-provider': noAws,
  'aws ssm get-parameter-history': noAws,
  'aws ssm put-parameter': noAws,
  'aws ssm update-document': noAws,
  'aws ec2 delete-volume': noAws,
  'aws ec2 start-instances': 'test/scenarios/github/github-stopped.test.ts',
  'aws ec2 terminate-instances': noAws,
  'TF_DATA_DIR=.terraform/hosted-runner/linux-purple terraform':
    'test/e2e/terraform/terraform-state-lock.test.ts',
  'terraform {': notTyped,
  'export the': notTyped,
  'export AWS_REGION=eu-central-1': besideAStack,
  'export HOSTED_RUNNER_GITLAB_TOKEN=…': aValue,
  'export HOSTED_RUNNER_GITHUB_TOKEN=…': aValue,
  'export NODE_EXTRA_CA_CERTS=/path/to/ca.pem': aValue,
  'export HOSTED_RUNNER_RECORD=FILE': aValue,
  'export NO_PROXY="${NO_PROXY:+$NO_PROXY,}"gitlab.example.com': ofANetwork,
  'unset https_proxy': ofANetwork,
  'unset HOSTED_RUNNER_RECORD': besideAStack,
  '--runner linux': besideAStack,
  '--shard pink': besideAStack,
  '--shard pink,': besideAStack,
  '--config FILE,': aValue,
  '--once FILE': aValue,
  '--evidence-file FILE': aValue,
  '--report-dir FOLDER': aValue,
};

test('a command for another program runs too, or is listed with a reason', () => {
  const printed = catalogue
    .flatMap(({ fields }) => othersIn(fields.fix ?? []))
    .map((text) =>
      text
        .split(' ')
        .slice(0, text.startsWith('aws') ? 3 : 2)
        .join(' '),
    );
  expect([...new Set(printed)].sort()).toEqual(Object.keys(others).sort());
});

/** Reads a command line with its options, which printed commands repeat. */
function typedAs(text: string): Typed {
  const argv = text.replace(/^hosted-runner /, '').split(' ');
  return readTyped(argv, { command: argv[0] ?? '', redact: (word) => word });
}

/** Formats an ending like a row of the table. */
function endOf(ending: Ending): string {
  const how =
    ending.kind === 'error' ? `${ending.error.exitCode} ${ending.error.code}` : ending.kind;
  return `${how}, ${ending.phase}`;
}

const named = worlds.map((row) => [`${row.code} ${row.where ?? ''}`.trim(), row] as const);

describe.each(sampleOf(named, ([name]) => name))(
  '%s',
  (_, { code, build, typed, surroundings, still, before, leads }) => {
    const print = async () => {
      const world = await build();
      const ending = await typeIn(world, typed, surroundings?.(world) ?? still?.(world) ?? {});
      if (ending.kind !== 'error') throw new Error(`${typed} was ${endOf(ending)}`);
      return { world, error: ending.error.asTyped(typedAs(typed)) };
    };

    test('leads with its printed commands to the stated result', async () => {
      const { error } = await print();
      expect(error.code).toBe(code);
      expect(error.fields.fix?.length).toBeLessThanOrEqual(3);
      const ends: Record<string, string> = {};
      const typed: string[] = [];
      for (const line of error.fields.fix ?? []) {
        const [command] = commandsIn([line]);
        if (command === undefined) continue;
        const { world } = await print();
        await before?.(world, command);
        absorb(world);
        // A `Then` line continues from the result of the earlier lines.
        const first = line.startsWith('Then ') ? typed : [];
        for (const one of first) await typeIn(world, one, still?.(world) ?? {});
        ends[command] = endOf(await typeIn(world, command, still?.(world) ?? {}));
        expect(world.violations).toEqual([]);
        typed.push(command);
      }
      expect(ends).toEqual(leads);
    });
  },
);
