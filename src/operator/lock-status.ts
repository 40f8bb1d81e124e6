import { describeOwner, type LockOwner } from '../domain/deployment/lock/lock-owner.ts';
import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import type { LockVerdict } from '../domain/deployment/lock/lock-verdict.ts';
import { formatTrouble, type ObservedLock } from '../domain/doctor/stack-facts.ts';
import { capital } from '../domain/text/capital.ts';
import type { StageContext } from '../stages/context/context.ts';
import { judgeOwner } from '../stages/record/lock/lock.ts';

export function judgeLockOwner(
  { ports, run }: StageContext,
  owner: LockOwner,
): Promise<LockVerdict> {
  return judgeOwner({ ports, run, byHand: false }, owner);
}

/** Returns the lock for a report; null if it is free. A CI without a response proves nothing. */
export function reportLock(lock: ObservedLock | undefined): LockReport | null {
  if (lock === undefined) return null;
  if (lock.kind === 'illegible')
    return {
      by: 'an unknown run',
      state: 'not_known',
      reason: `an unknown run. ${capital(lock.reason)}`,
    };
  const { owner } = lock;
  const { deployment, job, since } = owner;
  const by = describeOwner(owner);
  const verdict: LockVerdict =
    lock.verdict.kind === 'read'
      ? lock.verdict.value
      : { kind: 'unknown', reason: `${by}. ${capital(formatTrouble(lock.verdict.trouble))}` };
  const stopped =
    verdict.kind === 'alive' && verdict.stoppedPid !== undefined
      ? { stopped_pid: verdict.stoppedPid }
      : {};
  return {
    by,
    state: states[verdict.kind],
    reason: verdict.reason,
    ...stopped,
    deployment,
    job,
    since,
  };
}

const states = { alive: 'at_work', stale: 'ended', unknown: 'not_known' } as const;
