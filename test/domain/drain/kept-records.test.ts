import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { DeploymentRecord, Intake } from '../../../src/domain/deployment/record.ts';
import {
  describePauseDoubt,
  inheritIntake,
  inheritLatePause,
  isPausedByOperator,
  pausedSince,
} from '../../../src/domain/drain/shard-intake.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { isOwnPauseNoted, isPauseNoted } from '../../../src/stages/effects/reopen.ts';
import { rollbackTarget } from '../../../src/stages/effects/rollback-in-progress.ts';
import { formatRecord, parseRecord } from '../../../src/stages/record/record-format.ts';
import { knownKeys } from '../../record/known-keys.ts';
import { pink, purple } from '../samples.ts';

/**
 * Answers of the program that wrote the records of schema 3. That program lost one fact, and only
 * after a failed rollback: an earlier pause may still take effect (`unanswered`).
 */
interface Answers {
  readonly held: string;
  readonly ours: string;
  readonly operators: string;
  readonly rollback_target: string;
  readonly closed_at: string;
  readonly doubt: boolean;
  readonly pink_inherits: string;
  readonly purple_inherits: string;
  readonly late: string;
}

interface Stored {
  readonly deployment: Readonly<Record<string, string>>;
  readonly shards: Readonly<Record<string, { readonly paused_by_other?: boolean }>>;
}

const file = join(import.meta.dirname, '../../fixtures/records-of-schema-3.jsonl');
const kept = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly answers: Answers; readonly record: Stored });

function read(stored: object): DeploymentRecord {
  const parsed = parseRecord(JSON.stringify(stored));
  if (parsed.kind !== 'record') throw new Error(JSON.stringify(parsed));
  return parsed.record;
}

/** Names a record by its old fields. */
function nameOf({ deployment, shards }: Stored): string {
  const { kind = '', phase = '', candidate = '' } = deployment;
  const fields = ['closed_at', 'closed_by_other', 'pause_unanswered_at'].filter(
    (field) => field in deployment,
  );
  const { paused_by_other: byOther } = shards[candidate] ?? {};
  const of = byOther === undefined ? [] : [`paused_by_other=${byOther}`];
  return [kind, phase, ...fields, ...of].join(' ');
}

function inherited({ intake }: { readonly intake?: Intake }): string {
  if (intake === undefined) return '';
  const by = { deployment: [], operator: ['operator'], unknown: ['unanswered'] }[intake.by];
  return ['closed', ...by].join(' ');
}

function answersOf(record: DeploymentRecord): Answers {
  const journal = { current: () => record, version: () => 1 };
  const context = { journal } as unknown as StageContext;
  const of = (holds: (shard: Shard) => boolean) => [pink, purple].filter(holds).join(' ');
  return {
    held: of((shard) => isPauseNoted(context, shard)),
    ours: of((shard) => isOwnPauseNoted(context, shard)),
    operators: of((shard) => isPausedByOperator(record, shard)),
    rollback_target: rollbackTarget(context) ?? '',
    closed_at: pausedSince(record) ?? '',
    doubt: describePauseDoubt(record) !== undefined,
    pink_inherits: inherited(inheritIntake(record, pink)),
    purple_inherits: inherited(inheritIntake(record, purple)),
    late: of((shard) => inheritLatePause(record, shard).intake !== undefined),
  };
}

describe('a record of schema 3', () => {
  test.each(kept.map(({ answers, record }) => [nameOf(record), answers, record] as const))(
    'resumes as under the program that wrote it: %s',
    (_, answers, record) => {
      expect(answersOf(read(record))).toEqual(answers);
    },
  );

  test('exists as a sample for every phase', () => {
    const phases = new Set(kept.map(({ record }) => record.deployment['phase']));
    const keys = [1, 2, 3].flatMap((version) => knownKeys[version] ?? []);
    const known = keys.flatMap((key) => /^deployment\.phase=(.*)/.exec(key)?.[1] ?? []);
    expect([...phases].toSorted()).toEqual(known.toSorted());
  });

  test.each(kept.map(({ record }) => [nameOf(record), record] as const))(
    'becomes schema 4 without the old fields: %s',
    (_, stored) => {
      const record = read(stored);
      const text = formatRecord(record, 'w1');
      expect(text).not.toMatch(/closed_at|closed_by_other|pause_unanswered_at|paused_by_other/);
      expect(read(JSON.parse(text))).toEqual(record);
    },
  );
});

describe('the intake that the old fields become', () => {
  const closedAt = '2026-11-02T09:00:00.000Z';
  const unansweredAt = '2026-11-02T08:59:00.000Z';
  const [drain] = kept
    .map(({ record }) => record)
    .filter((record) => nameOf(record) === 'deploy draining') as [Stored];
  const { deployment, shards } = drain;
  const { phase_at: phaseAt = '', candidate = '' } = deployment;
  const closed = { closed_at: closedAt };
  const closedByOther = { closed_by_other: true };
  const unanswered = { pause_unanswered_at: unansweredAt };

  function intakeFrom(phase: string, fields: object, entry: object = {}) {
    const { shards: found } = read({
      ...drain,
      deployment: { ...deployment, phase, ...fields },
      shards: { ...shards, [candidate]: { ...shards[candidate], ...entry } },
    });
    return [found['pink']?.intake, found['purple']?.intake].map(
      (intake) => intake && `${intake.state} by ${intake.by} since ${intake.since}`,
    );
  }

  test.each<[string, object, string | undefined]>([
    ['promoted', {}, undefined],
    ['draining', {}, `pausing by deployment since ${phaseAt}`],
    ['draining', closedByOther, `pausing by operator since ${phaseAt}`],
    ['draining', unanswered, `pausing by unknown since ${unansweredAt}`],
    ['draining', closed, `paused by deployment since ${closedAt}`],
    ['draining', { ...closed, ...closedByOther }, `paused by operator since ${closedAt}`],
    ['draining', { ...closed, ...unanswered }, `paused by unknown since ${closedAt}`],
    ['drained', closed, `paused by deployment since ${closedAt}`],
    ['promoted', closed, `pausing by deployment since ${closedAt}`],
    ['promoted', { ...closed, ...unanswered }, `pausing by unknown since ${closedAt}`],
    ['promoting', { ...closed, ...closedByOther }, `paused by operator since ${closedAt}`],
  ])('follows in %s from %j for the retiring shard: %s', (phase, fields, intake) => {
    expect(intakeFrom(phase, fields)).toEqual([intake, undefined]);
  });

  test.each<[boolean, string]>([
    [true, `paused by operator since ${phaseAt}`],
    [false, `pausing by unknown since ${phaseAt}`],
  ])('follows from paused_by_other=%s for the candidate: %s', (byOther, intake) => {
    expect(intakeFrom('retreating', {}, { paused_by_other: byOther })).toEqual([undefined, intake]);
  });
});
