import type { OwnerState } from './owner.ts';

export interface Lock {
  readonly deployment: string;
  readonly job: string;
  /** ISO 8601. */
  readonly since: string;
  /** Identity of the process, for proof on the same machine. */
  readonly process: string;
  /** Tells our own lock from another run of the same job. */
  readonly nonce: string;
}

export type LockJudgement =
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'held'; readonly reason: string };

export interface LockFacts {
  readonly lock: Lock;
  readonly run: { readonly deploymentId: string; readonly jobId: string };
  readonly process: 'alive' | 'dead' | 'unknown';
  /** What the CI says of the job; asked only if the process is not proven dead. */
  readonly holder?: OwnerState;
  /** A person said that the owner no longer runs. */
  readonly byHand: boolean;
}

/** Stale by proof or by a person's word, never by time. */
export function judgeLock({ lock, run, process, holder, byHand }: LockFacts): LockJudgement {
  const who = `job ${lock.job} of deployment ${lock.deployment}, since ${lock.since}`;
  if (process === 'alive')
    return { kind: 'held', reason: `${who}: its process runs on this machine` };
  if (process === 'dead')
    return { kind: 'stale', reason: `${who}: its process on this machine has ended` };
  if (byHand) return { kind: 'stale', reason: `${who}: taken over by hand` };
  if (lock.deployment === run.deploymentId && lock.job === run.jobId) {
    return { kind: 'stale', reason: `${who}: that is this very job` };
  }
  if (holder?.kind === 'over') return { kind: 'stale', reason: `${who}: ${holder.reason}` };
  return { kind: 'held', reason: `${who}: ${holder?.reason ?? 'there is no CI to ask'}` };
}
