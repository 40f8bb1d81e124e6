import { describe, expect, test } from '@jest/globals';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import type {
  RecoveryFacts,
  RecoveryMethod,
} from '../../src/domain/deployment/recovery-methods.ts';
import { judgeMethods, recoveryMethods } from '../../src/domain/deployment/recovery-methods.ts';
import type { RegistryJob } from '../../src/domain/registration.ts';
import { pink, purple } from '../fakes/builders.ts';
import { allowed, record } from './recover/allowed-recovery.ts';

const job: RegistryJob = {
  id: '9000002',
  name: 'build',
  status: 'running',
  project: 'customers/shop',
  url: 'https://gitlab.example.com/customers/shop/-/jobs/9000002',
};

function withEntry(change: Partial<DeploymentRecord['shards'][string]>): RecoveryFacts {
  const entry = { ...record.shards[purple], ...change } as DeploymentRecord['shards'][string];
  return { ...allowed, record: { ...record, shards: { [purple]: entry } } };
}

function withPhase(phase: DeploymentRecord['deployment']['phase']): RecoveryFacts {
  return { ...allowed, record: { ...record, deployment: { ...record.deployment, phase } } };
}

function helpful(verdicts: ReturnType<typeof judgeMethods>): readonly RecoveryMethod[] {
  return verdicts.filter(({ kind }) => kind === 'can_help').map(({ method }) => method);
}

const nothing = { at: '2026-11-02T08:05:00.000Z', added: 0, changed: 0, destroyed: 0 };

test('every recovery method can help if nothing prevents it', () => {
  expect(judgeMethods(allowed, 'person').map(({ method, kind }) => `${method} ${kind}`)).toEqual([
    'rerun can_help',
    'cleanup can_help',
    'replace can_help',
    'terminate can_help',
  ]);
});

describe('the only guard between a recovery method and an outage', () => {
  const rows: readonly (readonly [string, RecoveryFacts, readonly RecoveryMethod[], string])[] = [
    [
      'a job in GitLab',
      { ...allowed, jobs: [job] },
      recoveryMethods,
      'job 9000002 "build" of customers/shop is running on purple; it is not the canary of hosted-runner, so customers/shop itself requests the tag canary-1-200-linux',
    ],
    [
      'an apply that changed nothing',
      withEntry({ lastApply: nothing }),
      ['rerun'],
      'purple was found unhealthy after its last apply, which changed nothing',
    ],
    [
      'an apply that repeated what each plan changes',
      withEntry({ lastApply: { ...nothing, changed: 1, repeated: 'aws_instance.manager' } }),
      ['rerun'],
      'purple was found unhealthy after its last apply, which only repeated the changes of each plan (aws_instance.manager)',
    ],
    [
      'a runner that is gone',
      { ...allowed, registrationGone: true },
      ['rerun'],
      'the runner of purple no longer exists, and its managers keep the invalid token',
    ],
    [
      'a new machine without a runner',
      { ...allowed, registrationGone: true },
      ['replace'],
      'a new machine of purple would have no runner',
    ],
    [
      'a candidate that is not built yet',
      withPhase('onboarded'),
      ['replace'],
      'purple is not built yet',
    ],
    [
      'a driver that knows no addresses',
      { ...allowed, knowsAddresses: false },
      ['replace'],
      'the infrastructure driver supports no addresses',
    ],
    [
      'the shard that the deployment retires',
      { ...withPhase('drained'), shard: pink, active: purple },
      ['replace'],
      'this deployment retires pink, so pink is not rebuilt',
    ],
    [
      'a candidate that had production tags',
      withEntry({ productionTag: true }),
      ['replace'],
      'purple has received production tags, and a shard with these is not rebuilt',
    ],
    [
      'two instances of one name',
      { ...allowed, machines: ['i-1', 'i-2'] },
      ['terminate'],
      '2 instances have the Name tag of purple: i-1, i-2; name one with --instance',
    ],
    [
      'no instance of the name',
      { ...allowed, machines: [] },
      ['terminate'],
      'no instance has the Name tag of purple',
    ],
    [
      'instances that cannot be listed',
      { ...allowed, machines: 'unknown' },
      ['terminate'],
      'the instances of purple cannot be listed',
    ],
  ];

  test.each(rows)('refuses because of %s', (_, facts, openMethods, reason) => {
    for (const verdict of judgeMethods(facts, 'person').filter(({ method }) =>
      openMethods.includes(method),
    ))
      expect(verdict).toEqual({ method: verdict.method, kind: 'cannot_help', reason });
  });
});

describe('a fact that changes which methods can help', () => {
  test('allows a rerun after a machine was started since the last apply', () => {
    const facts = { ...withEntry({ lastApply: nothing }), somethingHappened: 'i-3 was started' };
    expect(judgeMethods(facts, 'person')[0]).toEqual({
      method: 'rerun',
      kind: 'can_help',
      reason: 'i-3 was started',
    });
  });

  test('lets auto skip a rerun for a lasting cause, although an operator may order it', () => {
    const lastingCause = "GitLab refuses the runner's token";
    const facts = { ...allowed, lastingCause };
    expect(judgeMethods(facts, 'auto')[0]).toEqual({
      method: 'rerun',
      kind: 'cannot_help',
      reason: lastingCause,
    });
    expect(judgeMethods(facts, 'person')[0]).toMatchObject({ kind: 'can_help' });
  });

  test('leaves auto no method if a lasting cause rules out the only one', () => {
    const alone = { ...withEntry({ unhealthyInARow: 1 }), knowsAddresses: false, machines: [] };
    const facts = { ...alone, lastingCause: "GitLab refuses the runner's token" };
    expect(helpful(judgeMethods(facts, 'auto'))).toEqual([]);
  });

  test('lets auto skip a second healthcheck of an unhealthy shard that did not change', () => {
    expect(judgeMethods(allowed, 'auto').slice(0, 2)).toEqual([
      {
        method: 'rerun',
        kind: 'cannot_help',
        reason: 'purple was found unhealthy after its last apply, and nothing has changed since',
      },
      {
        method: 'cleanup',
        kind: 'can_help',
        reason: 'purple was found unhealthy twice in a row and runs no job',
      },
    ]);
  });

  test('lets auto choose the rerun if no other method can help: a second verdict allows cleanup', () => {
    const alone = { ...withEntry({ unhealthyInARow: 1 }), knowsAddresses: false, machines: [] };
    expect(helpful(judgeMethods(alone, 'auto'))).toEqual(['rerun']);
  });
});

test('leads from a lost token to the removal of its shard, and no other method helps', () => {
  // The lost token alone decides the verdict.
  const facts = { ...allowed, tokenLost: true, lastJobs: ['failed', 'success'] } as const;
  const why =
    'the token that a manager of purple uses is lost, so no other machine could start with it';
  expect(judgeMethods(facts, 'person')).toEqual([
    { method: 'rerun', kind: 'cannot_help', reason: why },
    {
      method: 'cleanup',
      kind: 'can_help',
      reason: 'the token of purple is lost, and it runs no job',
    },
    { method: 'replace', kind: 'cannot_help', reason: why },
    { method: 'terminate', kind: 'cannot_help', reason: why },
  ]);
});
