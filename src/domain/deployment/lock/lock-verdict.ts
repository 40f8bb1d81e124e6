import { describeOwner, type LockOwner } from './lock-owner.ts';
import type { OwnerState } from './pipeline-state.ts';

export type LockVerdict =
  | { readonly kind: 'stale'; readonly reason: string }
  /** It is proven to be at work: nobody takes it over. */
  | { readonly kind: 'alive'; readonly reason: string; readonly stoppedPid?: number }
  /** Nobody can say: not the CI and not this machine. A person can. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface LockFacts {
  readonly owner: LockOwner;
  readonly run: { readonly deploymentId: string; readonly jobId: string };
  readonly process: 'alive' | 'dead' | 'unknown';
  /** By which number a person finds it on this machine, where it is there. */
  readonly found?: { readonly pid: number; readonly isStopped: boolean } | undefined;
  /** What the CI says of the job; asked only if the process proves nothing. */
  readonly holder?: OwnerState;
  /** A person said that the owner no longer runs: good for as long as nobody else can say. */
  readonly byHand: boolean;
}

/** Stale by proof or, where nothing is proven, by a person's word; never by time. */
export function judgeLock({ owner, run, process, found, holder, byHand }: LockFacts): LockVerdict {
  const who = describeOwner(owner);
  if (process === 'alive') return aliveHere(who, found);
  if (process === 'dead')
    return { kind: 'stale', reason: `${who}: its process on this machine has ended` };
  if (owner.deployment === run.deploymentId && owner.job === run.jobId) {
    return { kind: 'stale', reason: `${who}: that is this very job` };
  }
  // Who means another job, or looked too early, is told so by the CI.
  if (byHand && (holder === undefined || holder.kind === 'unknown'))
    return { kind: 'stale', reason: `${who}: taken over by hand` };
  if (holder === undefined)
    return { kind: 'unknown', reason: `${who}: there is no CI to ask${maybeHere(found)}` };
  const kind = holder.kind === 'over' ? 'stale' : holder.kind;
  return { kind, reason: `${who}: ${holder.reason}` };
}

function aliveHere(who: string, found: LockFacts['found']): LockVerdict {
  const pid = found === undefined ? '' : ` ${found.pid}`;
  if (found?.isStopped !== true)
    return { kind: 'alive', reason: `${who}: its process${pid} runs on this machine` };
  const reason = `${who}: its process${pid} on this machine is stopped (Ctrl-Z)`;
  return { kind: 'alive', reason, stoppedPid: found.pid };
}

/** Where the number alone is known, it may be another's by now. */
function maybeHere(found: LockFacts['found']): string {
  if (found === undefined) return '';
  return `, and process ${found.pid} of this machine, which may be it, ${found.isStopped ? 'is stopped (Ctrl-Z)' : 'runs'}`;
}

/** For a person: what lets one that is stopped go on. */
export function resumeHint(pid: number): string {
  return `\`fg\` where it was typed, or \`kill -CONT ${pid}\``;
}
