import { describe, expect, test } from '@jest/globals';
import type { Permission } from '../../../src/adapters/aws/access/permissions.ts';
import type { StackPlace } from '../../../src/adapters/aws/access/scopes.ts';
import { simulate } from '../../../src/adapters/aws/access/simulation.ts';
import type { Iam } from '../../../src/adapters/aws/services.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createClient, refusalNamed } from '../stub-client.ts';

const place = {
  runnerName: 'linux',
  shards: ['pink', 'purple'],
  parameterPrefix: '/gitlab/dedicated/runner/linux/',
  stackTag: 'stack',
  shardTag: 'shard',
  roleNames: [],
  partition: 'aws',
  account: '123456789012',
  region: 'eu-west-1',
} as unknown as StackPlace;
const [one, other] = ['ec2:DescribeInstances', 'ec2:DescribeTags'].map(
  (action): Permission => ({ action, on: 'anything', roles: ['prepare'], why: '' }),
) as [Permission, Permission];

/** Returns the program's interpretation of IAM's response about both permissions. */
const simulateWith = (answer: object) =>
  simulate(
    createClient<never>({ simulatePrincipalPolicy: answer }) as unknown as Iam,
    { principal: 'arn:aws:iam::123456789012:role/deployer', place },
    [one, other],
  );
const resultOf = (action: string, decision?: string) => ({
  EvalActionName: action,
  ...(decision === undefined ? {} : { EvalDecision: decision }),
});

describe('the IAM simulation of the actions of a stage', () => {
  test.each([
    ['allowed', []],
    ['implicitDeny', [other]],
    ['explicitDeny', [other]],
    ['maybe', [other]],
  ])(
    'counts an action as allowed by the decision `allowed` alone: %s',
    async (decision, missing) => {
      const results = [resultOf(one.action, 'allowed'), resultOf(other.action, decision)];
      const found = await simulateWith({ EvaluationResults: results });
      expect(found).toMatchObject({ kind: 'simulated' });
      expect(
        found.kind === 'simulated' && found.missing.map(({ permission }) => permission),
      ).toEqual(missing);
    },
  );

  const ip = 'aws:SourceIp';
  test.each([
    ['all resources', { MissingContextValues: [ip] }],
    ['a named resource', { ResourceSpecificResults: [{ MissingContextValues: [ip] }] }],
  ])(
    'leaves a refusal undecided if it lacks a value that only the call has, for %s',
    async (_, values) => {
      const results = [
        resultOf(one.action, 'allowed'),
        { ...resultOf(other.action, 'implicitDeny'), ...values },
      ];
      expect(await simulateWith({ EvaluationResults: results })).toEqual({
        kind: 'simulated',
        missing: [],
        undecided: [{ permission: other, resource: '*', decision: 'refused', without: [ip] }],
      });
    },
  );

  test('leaves an allowed action undecided if it lacks a value that a denial may need', async () => {
    const allowed = { ...resultOf(one.action, 'allowed'), MissingContextValues: [ip] };
    const results = [allowed, resultOf(other.action, 'allowed')];
    expect(await simulateWith({ EvaluationResults: results })).toMatchObject({
      missing: [],
      undecided: [{ permission: one, decision: 'allowed', without: [ip] }],
    });
  });

  test('needs no resource tags for actions that it does not simulate', async () => {
    const tag = { MissingContextValues: ['ssm:resourceTag/Name', 'aws:ResourceTag/stack'] };
    const results = [
      resultOf(one.action, 'allowed'),
      { ...resultOf(other.action, 'implicitDeny'), ...tag },
    ];
    expect(await simulateWith({ EvaluationResults: results })).toMatchObject({
      missing: [{ permission: other }],
      undecided: [],
    });
  });

  test.each<[string, object]>([
    [
      'is truncated',
      {
        EvaluationResults: [resultOf(one.action, 'allowed'), resultOf(other.action, 'allowed')],
        IsTruncated: true,
      },
    ],
  ])('causes an error if its response %s', async (_, answer) => {
    expect(await failureOf(simulateWith(answer))).toMatchObject({
      kind: 'unexpected',
      effect: 'none',
    });
  });

  test('counts as not simulated for a role that IAM does not know', async () => {
    const unknown = refusalNamed('NoSuchEntityException', 'no such role');
    expect(await simulateWith(unknown)).toEqual({ kind: 'not_simulated', reason: 'no such role' });
  });
});
