import {
  describeOwner,
  type LockJudgement,
  type LockOwner,
} from '../domain/deployment/lock/lock.ts';
import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import { isPortFailure } from '../ports/failure.ts';
import { judgeOwner } from '../stages/record/lock/lock.ts';
import { readLock } from '../stages/record/lock/lock-reading.ts';
import type { StageContext } from '../stages/walk/context.ts';

/** Who looks has no patience for a read that stays behind. */
const looksAtLock = 5;

/** Who has the lock; whether they are at work is asked of this machine and of their CI. */
export type LockWord =
  /** `record`: the version of the record that its last owner had seen; 0 where nobody ever had it. */
  | { readonly kind: 'free'; readonly record: number }
  | { readonly kind: 'illegible'; readonly reason: string }
  | { readonly kind: 'owned'; readonly owner: LockOwner };

export async function readLockWord({ ports, names }: StageContext): Promise<LockWord> {
  const read = await readLock(ports, { parameter: names.lock, looks: looksAtLock });
  if (read.kind === 'absent') return { kind: 'free', record: 0 };
  if (read.kind !== 'folded') return { kind: 'illegible', reason: 'its history cannot be read' };
  const holder = read.state.owner;
  if (holder === undefined) return { kind: 'free', record: read.state.record };
  if (holder.owner === undefined) return { kind: 'illegible', reason: 'it is none of ours' };
  return { kind: 'owned', owner: holder.owner };
}

export function judgeLockOwner(
  { ports, run }: StageContext,
  owner: LockOwner,
): Promise<LockJudgement> {
  return judgeOwner({ ports, run, byHand: false }, owner);
}

/** Null while it is free. */
export async function reportLock(context: StageContext): Promise<LockReport | null> {
  const word = await readLockWord(context);
  if (word.kind === 'free') return null;
  if (word.kind === 'illegible')
    return { by: 'somebody', state: 'not_known', reason: `somebody: ${word.reason}` };
  const { owner } = word;
  const { deployment, job, since } = owner;
  const { kind, reason } = await judgedOrUnknown(context, owner);
  return { by: describeOwner(owner), state: states[kind], reason, deployment, job, since };
}

const states = { alive: 'at_work', stale: 'ended', unknown: 'not_known' } as const;

/** A CI that cannot be asked is no proof of anything, and fails nothing else. */
async function judgedOrUnknown(context: StageContext, owner: LockOwner): Promise<LockJudgement> {
  try {
    return await judgeLockOwner(context, owner);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { kind: 'unknown', reason: `${describeOwner(owner)}: ${error.message}` };
  }
}
