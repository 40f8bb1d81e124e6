import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import {
  describeOwner,
  type LockJudgement,
  type LockOwner,
} from '../domain/deployment/lock/lock-verdict.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { StageContext } from '../stages/context/context.ts';
import { judgeOwner } from '../stages/record/lock/lock.ts';
import { readLockWord } from '../stages/record/lock/lock-word.ts';

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
  const judged = await judgedOrUnknown(context, owner);
  const { kind, reason } = judged;
  const stopped =
    judged.kind === 'alive' && judged.stoppedPid !== undefined
      ? { stopped_pid: judged.stoppedPid }
      : {};
  return {
    by: describeOwner(owner),
    state: states[kind],
    reason,
    ...stopped,
    deployment,
    job,
    since,
  };
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
