import { capital } from '../../text/capital.ts';
import { describeOwner, type LockOwner } from './lock-owner.ts';
import type { OwnerState } from './pipeline-state.ts';

export type LockVerdict =
  | { readonly kind: 'stale'; readonly reason: string }
  /** The owner is proven to run: the lock is not taken over. */
  | { readonly kind: 'alive'; readonly reason: string; readonly stoppedPid?: number }
  /** The CI and this machine do not report the owner's state: an operator decides. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface LockFacts {
  readonly owner: LockOwner;
  readonly run: { readonly deploymentId: string; readonly jobId: string };
  readonly process: 'alive' | 'dead' | 'unknown';
  /** Process id of the owner, if it is on this machine. */
  readonly found?: { readonly pid: number; readonly isStopped: boolean } | undefined;
  /** The CI's report on the job; read only if the process proves nothing. */
  readonly holder?: OwnerState;
  /** Whether an operator declared that the owner has ended; valid only without other evidence. */
  readonly byHand: boolean;
}

/**
 * Decides about a lock: stale by proof or, without one, by an operator's declaration; never by
 * time.
 */
export function judgeLock({ owner, run, process, found, holder, byHand }: LockFacts): LockVerdict {
  const who = describeOwner(owner);
  if (process === 'alive') return aliveHere(who, found);
  if (process === 'dead')
    return { kind: 'stale', reason: `${who}. The holder's process, on this machine, has ended` };
  if (owner.deployment === run.deploymentId && owner.job === run.jobId) {
    return { kind: 'stale', reason: `${who}. This is the current job` };
  }
  // An operator may mean another job, or be too early: the CI's report takes precedence.
  if (byHand && (holder === undefined || holder.kind === 'unknown'))
    return { kind: 'stale', reason: `${who}. An operator declared that the holder has ended` };
  if (holder === undefined)
    return {
      kind: 'unknown',
      reason: `${who}. No CI can report whether the holder has ended${maybeHere(found)}`,
    };
  const kind = holder.kind === 'over' ? 'stale' : holder.kind;
  return { kind, reason: `${who}. ${capital(holder.reason)}` };
}

function aliveHere(who: string, found: LockFacts['found']): LockVerdict {
  const process =
    found === undefined ? "The holder's process" : `Process ${found.pid} of the holder`;
  if (found?.isStopped !== true)
    return { kind: 'alive', reason: `${who}. ${process} is running on this machine` };
  const reason = `${who}. ${process}, on this machine, is suspended (Ctrl-Z)`;
  return { kind: 'alive', reason, stoppedPid: found.pid };
}

/** Mentions the process with this number, which may belong to another program by now. */
function maybeHere(found: LockFacts['found']): string {
  if (found === undefined) return '';
  return `. Process ${found.pid} on this machine may belong to the holder, and ${found.isStopped ? 'is suspended (Ctrl-Z)' : 'is running'}`;
}

/** Formats how an operator resumes a stopped process. */
export function resumeHint(pid: number): string {
  return `\`fg\` in its terminal, or \`kill -CONT ${pid}\``;
}
