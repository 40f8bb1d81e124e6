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
  return `${reason}; ${pid === undefined ? words[state] : `to resume it: ${resumeHint(pid)}`}`;
}

const words = {
  at_work: 'it is running',
  ended: 'the next command takes it over',
  not_known: 'it is unknown whether it is running',
} as const;
