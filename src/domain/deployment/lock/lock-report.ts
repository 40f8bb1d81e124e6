import { resumeHint } from './lock-verdict.ts';

/** Summary of the lock. */
export interface LockReport {
  /** The owner as a readable text. */
  readonly by: string;
  /** `ended`: the next command takes it over. `not_known`: an operator decides (`--take-lock`). */
  readonly state: 'at_work' | 'ended' | 'not_known';
  /** The owner, and the source of `state`. */
  readonly reason: string;
  /** Process id of an owner that is stopped on this machine. */
  readonly stopped_pid?: number;
  readonly deployment?: string;
  readonly job?: string;
  readonly since?: string;
}

/** Formats the owner, the evidence for its state, and the consequence. */
export function formatLock({ state, reason, stopped_pid: pid }: LockReport): string {
  const next = pid === undefined ? words[state] : `To resume this run: ${resumeHint(pid)}`;
  return next === undefined ? reason : `${reason}. ${next}`;
}

const words = {
  // The evidence already states it.
  at_work: undefined,
  ended: 'The next command takes the lock over',
  not_known: 'It is unknown whether the lock holder is running',
} as const;
