import { expectAt, isRecord, isStatus, type Moment, touched } from './effects.ts';
import {
  hasReached,
  parameterIn,
  type RecordState,
  readActive,
  readRecord,
} from './world-model.ts';

/** What cannot be taken back, of the shard that a bake could go back to. */
const takesAway: ReadonlySet<string> = new Set([
  'registry.retire',
  'infrastructure.destroy',
  'host.quit',
]);

/** What a bake ends over: until the old shard is drained, its jobs run. The same again is no other end. */
const mayBeBaked: ReadonlySet<string> = new Set(['drained', 'baked']);

/**
 * S19: a verdict takes a deployment back once, to a shard that this rollback has proven; and where the
 * old shard is retired, it was drained, and its bake has ended.
 */
export function checkBake(moment: Moment): void {
  const { call, known } = moment;
  const { record } = known;
  if (takesAway.has(call.name) && record?.bakes === true) {
    const isRollbackTarget = record.baking && touched(moment) === record.retiring;
    const reason = `the bake has not ended, and ${record.retiring} is the way back`;
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
    expectAt(moment, 'S19', !next.baking, `${next.phase} is written of a bake that has not ended`);
  }
  const before = known.record;
  if (next.phase === 'baked' && before !== undefined) {
    expectAt(moment, 'S19', mayBeBaked.has(before.phase), `baked is written over ${before.phase}`);
  }
  const { autoRollback } = next;
  if (autoRollback === undefined || before === undefined || before.autoRollback === autoRollback)
    return;
  const wasTaken = before.history.some((line) => isRolledBack(line, autoRollback));
  expectAt(moment, 'S19', !wasTaken, `${autoRollback} is taken back once more`);
  const isWatched = before.kind === 'deploy' && before.id === autoRollback && before.baking;
  expectAt(moment, 'S19', isWatched, `${autoRollback} is taken back, and no bake of it goes on`);
}

function isRolledBack(line: string, id: string): boolean {
  return line.startsWith(`${id} `) && line.includes('taken_back');
}

/** Evidence of before is void with the rollback’s beginning: what stands there is its own. */
function judgeProof(moment: Moment, to: string | null): void {
  const { known } = moment;
  const { autoRollback, candidate = '', shards } = known.record ?? {};
  if (autoRollback === undefined || to !== candidate || known.active === to) return;
  const isProven = shards?.[candidate]?.evidence !== undefined;
  const reason = `${candidate} is not proven, and ${autoRollback} is taken back to it`;
  expectAt(moment, 'S19', isProven, reason);
}
