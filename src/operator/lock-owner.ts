import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import {
  describeOwner,
  type LockJudgement,
  type LockOwner,
} from '../domain/deployment/lock/lock-verdict.ts';
import { type SeenLock, tellTrouble } from '../domain/doctor/stack-facts.ts';
import type { StageContext } from '../stages/context/context.ts';
import { judgeOwner } from '../stages/record/lock/lock.ts';

export function judgeLockOwner(
  { ports, run }: StageContext,
  owner: LockOwner,
): Promise<LockJudgement> {
  return judgeOwner({ ports, run, byHand: false }, owner);
}

/** Null while it is free. A CI that cannot be asked is no proof of anything. */
export function reportLock(lock: SeenLock | undefined): LockReport | null {
  if (lock === undefined) return null;
  if (lock.kind === 'illegible')
    return { by: 'somebody', state: 'not_known', reason: `somebody: ${lock.reason}` };
  const { owner } = lock;
  const { deployment, job, since } = owner;
  const by = describeOwner(owner);
  const judged: LockJudgement =
    lock.judged.kind === 'read'
      ? lock.judged.value
      : { kind: 'unknown', reason: `${by}: ${tellTrouble(lock.judged.trouble)}` };
  const stopped =
    judged.kind === 'alive' && judged.stoppedPid !== undefined
      ? { stopped_pid: judged.stoppedPid }
      : {};
  return {
    by,
    state: states[judged.kind],
    reason: judged.reason,
    ...stopped,
    deployment,
    job,
    since,
  };
}

const states = { alive: 'at_work', stale: 'ended', unknown: 'not_known' } as const;
