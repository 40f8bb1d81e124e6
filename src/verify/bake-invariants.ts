import { expectAt, isRecord, isStatus, type Moment, touched } from './effects.ts';
import {
  hasReached,
  parameterIn,
  type RecordState,
  readActive,
  readRecord,
} from './world-model.ts';

/** Irreversible effects on the shard to which a bake could roll back. */
const takesAway: ReadonlySet<string> = new Set([
  'registry.retire',
  'infrastructure.destroy',
  'host.quit',
]);

/**
 * Phases before the end of a bake: jobs run until the old shard is drained. A repeated `baked` is
 * no second end.
 */
const mayBeBaked: ReadonlySet<string> = new Set(['drained', 'baked']);

/**
 * Checks S19: a verdict rolls a deployment back once, to a shard that the rollback has verified. A
 * shard is retired only after its drain and its bake.
 */
export function checkBake(moment: Moment): void {
  const { call, known } = moment;
  const { record } = known;
  if (takesAway.has(call.name) && record?.bakes === true) {
    const isRollbackTarget = record.baking && touched(moment) === record.retiring;
    const reason = `the bake has not ended, and ${record.retiring} is the rollback target`;
    expectAt(moment, 'S7', !isRollbackTarget, reason);
  }
  if (call.name !== 'parameters.overwrite' && call.name !== 'parameters.create') return;
  const { value } = parameterIn(call);
  const next = isRecord(moment) ? readRecord(value) : undefined;
  if (next !== undefined) judgeWritten(moment, next);
  if (isStatus(moment)) judgeProof(moment, readActive(value, moment.head));
}

function judgeWritten(moment: Moment, next: RecordState): void {
  const { known } = moment;
  if (next.bakes && hasReached(next.phase, 'baked')) {
    expectAt(
      moment,
      'S19',
      !next.baking,
      `${next.phase} is recorded for a bake that has not ended`,
    );
  }
  const before = known.record;
  if (next.phase === 'baked' && before !== undefined) {
    expectAt(
      moment,
      'S19',
      mayBeBaked.has(before.phase),
      `baked is recorded after ${before.phase}`,
    );
  }
  const { autoRollback } = next;
  if (autoRollback === undefined || before === undefined || before.autoRollback === autoRollback)
    return;
  const wasTaken = before.history.some((line) => isRolledBack(line, autoRollback));
  expectAt(moment, 'S19', !wasTaken, `${autoRollback} is rolled back again`);
  const isWatched = before.kind === 'deploy' && before.id === autoRollback && before.baking;
  expectAt(moment, 'S19', isWatched, `${autoRollback} is rolled back without an active bake`);
}

function isRolledBack(line: string, id: string): boolean {
  return line.startsWith(`${id} `) && line.includes('taken_back');
}

/**
 * Checks the evidence behind a rollback's switch: earlier evidence is void from the rollback's
 * start, so any evidence is the rollback's own.
 */
function judgeProof(moment: Moment, to: string | null): void {
  const { known } = moment;
  const { autoRollback, candidate = '', shards } = known.record ?? {};
  if (autoRollback === undefined || to !== candidate || known.active === to) return;
  const isProven = shards?.[candidate]?.evidence !== undefined;
  const reason = `${candidate} is not verified, but ${autoRollback} is rolled back to it`;
  expectAt(moment, 'S19', isProven, reason);
}
