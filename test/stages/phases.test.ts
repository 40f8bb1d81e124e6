import { describe, expect, test } from '@jest/globals';
import type { Deployment, Intake, ShardEntry } from '../../src/domain/deployment/record.ts';
import { allPhases, type Phase } from '../../src/domain/deployment/stages-and-steps.ts';
import type { Shard } from '../../src/domain/shard.ts';
import type { Recovery } from '../../src/operator/recover/method-choice.ts';
import { isOnlyFinished } from '../../src/operator/recover/recover.ts';
import { hasStalled, type StageContext } from '../../src/stages/context/context.ts';
import {
  isOwnPauseNoted,
  isPauseNoted,
  retreatingCandidate,
} from '../../src/stages/effects/reopen.ts';
import { rollbackTarget } from '../../src/stages/effects/rollback-in-progress.ts';
import { isApplyInterrupted } from '../../src/stages/steps/candidate/apply-interruption.ts';
import { noteApproval } from '../../src/stages/steps/candidate/approval.ts';
import { pink, purple, recordAt } from '../domain/samples.ts';
import { stackSettings } from '../fakes/builders.ts';

const at = '2026-11-02T08:10:00.000Z';
const now = Date.parse(at);
const removal = { began: at };
const intake: Intake = { state: 'paused', by: 'deployment', since: at };
const bake = { since: at, forMs: 60_000, until: at } as never;

function contextAt(
  deployment: Partial<Deployment>,
  shards: Readonly<Record<string, Partial<ShardEntry>>> = {},
): { readonly context: StageContext; readonly written: Deployment[] } {
  const record = recordAt(deployment, { pink: {}, purple: {}, ...shards });
  const written: Deployment[] = [];
  const journal = {
    current: () => record,
    version: () => 1,
    write: async (next: typeof record) => void written.push(next.deployment),
  };
  const log = { warn: () => {}, act: () => {} };
  const settings = stackSettings();
  const context = { journal, log, settings, typed: {}, ports: { clock: { now: () => now } } };
  return { context: context as unknown as StageContext, written };
}

/** Lists the phases in which the function holds. */
function phasesOf(holds: (phase: Phase) => boolean): Phase[] {
  return allPhases.filter(holds);
}

const allBut = (...others: Phase[]) => allPhases.filter((phase) => !others.includes(phase));

describe('a shard that this deployment keeps paused', () => {
  const keeps = (
    shard: Shard,
    deployment: Partial<Deployment>,
    shards: Readonly<Record<string, Partial<ShardEntry>>> = {},
  ) =>
    phasesOf((phase) => isPauseNoted(contextAt({ ...deployment, phase }, shards).context, shard));

  test('may be the retiring shard in every phase except done, once its pause may be in effect', () => {
    expect(keeps(pink, {}, { pink: { intake } })).toEqual(allBut('done'));
  });

  test('cannot be a shard that accepts jobs', () => {
    expect(keeps(pink, {})).toEqual([]);
    expect(keeps(pink, {}, { pink: { intake: { ...intake, state: 'accepting' } } })).toEqual([]);
  });

  test('cannot be a shard whose removal has started', () => {
    expect(keeps(pink, {}, { pink: { intake, removal } })).toEqual([]);
  });

  test('may be the candidate in retreating alone, if it had the production tags', () => {
    expect(keeps(purple, {}, { pink: { intake } })).toEqual([]);
    expect(keeps(purple, {}, { purple: { productionTag: true } })).toEqual(['retreating']);
  });

  test('stays paused if an operator paused it before', () => {
    const notedPhases = (by: Intake['by']) =>
      phasesOf((phase) =>
        isOwnPauseNoted(
          contextAt({ phase }, { pink: { intake: { ...intake, by } } }).context,
          pink,
        ),
      );
    expect(notedPhases('deployment')).toEqual(allBut('done'));
    expect(notedPhases('unknown')).toEqual(allBut('done'));
    expect(notedPhases('operator')).toEqual([]);
  });
});

describe('a candidate that a retreat takes out of production', () => {
  const taken = (entry: Partial<ShardEntry>, deployment: Partial<Deployment> = {}) =>
    phasesOf(
      (phase) =>
        retreatingCandidate(contextAt({ ...deployment, phase }, { purple: entry }).context) ===
        purple,
    );

  test('needs the production tags and the phase retreating', () => {
    expect(taken({ productionTag: true })).toEqual(['retreating']);
  });

  test.each<[string, Partial<ShardEntry>, Partial<Deployment>]>([
    ['it has no production tag', { productionTag: false }, {}],
    ['its removal has started', { productionTag: true, removal }, {}],
    ['it had tags before', { productionTag: true, routingBefore: {} as never }, {}],
    ['no other shard exists', { productionTag: true }, { retiring: undefined } as never],
  ])('does not exist if %s', (_, entry, deployment) => {
    expect(taken(entry, deployment)).toEqual([]);
  });
});

describe('a rollback target', () => {
  const returns = (deployment: Partial<Deployment>, entry: Partial<ShardEntry>) =>
    phasesOf(
      (phase) =>
        rollbackTarget(contextAt({ ...deployment, phase }, { purple: entry }).context) === purple,
    );

  test('equals the candidate of a rollback, in promoting alone', () => {
    expect(returns({ kind: 'rollback' }, { productionTag: true })).toEqual(['promoting']);
  });

  test.each<[string, Partial<Deployment>, Partial<ShardEntry>]>([
    ['of a deployment', { kind: 'deploy' }, { productionTag: true }],
    ['of an activation', { kind: 'activate' }, { productionTag: true }],
    ['without the production tags', { kind: 'rollback' }, { productionTag: false }],
    ['whose removal has started', { kind: 'rollback' }, { productionTag: true, removal }],
  ])('cannot be a candidate %s', (_, deployment, entry) => {
    expect(returns(deployment, entry)).toEqual([]);
  });
});

describe('a deployment that has stalled', () => {
  const aDayAgo = new Date(now - 86_400_000).toISOString();
  const stalls = (deployment: Partial<Deployment>) =>
    phasesOf((phase) => hasStalled(contextAt({ ...deployment, phase }).context));

  test('stays for a day in a phase that waits for no job', () => {
    expect(stalls({ phaseAt: aDayAgo })).toEqual(allBut('done', 'draining'));
    expect(stalls({ phaseAt: new Date(now - 86_399_000).toISOString() })).toEqual([]);
  });

  test('cannot be in a bake', () => {
    const baking: Phase[] = ['promoted', 'draining', 'drained'];
    expect(stalls({ phaseAt: aDayAgo, bake })).toEqual(allBut('done', ...baking));
  });
});

test('an apply counts as cut off in applying alone', () => {
  expect(phasesOf((phase) => isApplyInterrupted(contextAt({ phase }).context))).toEqual([
    'applying',
  ]);
});

describe('a recovery that only finishes a retreat', () => {
  const finishes = (recovery: Partial<Recovery>) =>
    phasesOf((phase) =>
      isOnlyFinished(recordAt({ phase }), { method: 'auto', consent: {} as never, ...recovery }),
    );

  test.each<Partial<Recovery>>([
    { method: 'auto' },
    { method: 'cleanup' },
    { method: 'replace' },
    { method: 'terminate' },
  ])('applies to %j in retreating alone', (recovery) => {
    expect(finishes(recovery)).toEqual(['retreating']);
  });

  test.each<Partial<Recovery>>([
    { method: 'rerun' },
    { method: 'terminate', instance: 'i-0123456789abcdef0' },
    { method: 'cleanup', forceWhenNoneAccepts: true },
  ])('never applies to %j', (recovery) => {
    expect(finishes(recovery)).toEqual([]);
  });
});

describe('the note that a deployment waits for an approval', () => {
  async function noted(
    options: Parameters<typeof noteApproval>[1],
    deployment: Partial<Deployment> = {},
  ): Promise<Phase[]> {
    const found: Phase[] = [];
    for (const phase of allPhases) {
      const { context, written } = contextAt({ ...deployment, phase });
      await noteApproval(context, options);
      if (written.length > 0) found.push(phase);
    }
    return found;
  }
  const early: Phase[] = ['prepared', 'onboarded', 'applying', 'applied', 'healthy', 'retreating'];

  test('gets written before promoting alone', async () => {
    expect(await noted({ stage: 'provision', until: 'healthy' })).toEqual(early);
    const waits = { awaitsApproval: true } as const;
    expect(await noted({ stage: 'provision', until: 'promoted' }, waits)).toEqual(early);
  });

  test('stays unwritten if nothing changes, without an option, and in another stage', async () => {
    const waits = { awaitsApproval: true } as const;
    expect(await noted({ stage: 'provision', until: 'healthy' }, waits)).toEqual([]);
    expect(await noted({ stage: 'provision', until: 'promoted' })).toEqual([]);
    expect(await noted({ stage: 'provision' }, waits)).toEqual([]);
    expect(await noted({ stage: 'promote', until: 'healthy' })).toEqual([]);
  });
});
