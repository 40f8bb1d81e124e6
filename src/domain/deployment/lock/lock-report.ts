import { resumeHint } from './lock-verdict.ts';

/** The lock at a glance. */
export interface LockReport {
  /** As a person would say it. */
  readonly by: string;
  /** `ended`: the next command takes it over. `not_known`: only a person can say, with `--take-lock`. */
  readonly state: 'at_work' | 'ended' | 'not_known';
  /** The same, and what says so. */
  readonly reason: string;
  /** Of a process of this machine that holds it and is stopped. */
  readonly stopped_pid?: number;
  readonly deployment?: string;
  readonly job?: string;
  readonly since?: string;
}

/** Who has it, why they are thought to be at work or not, and what comes of that. */
export function formatLock({ state, reason, stopped_pid: pid }: LockReport): string {
  return `${reason}; ${pid === undefined ? words[state] : `it goes on by ${resumeHint(pid)}`}`;
}

const words = {
  at_work: 'it is at work',
  ended: 'the next command takes it over',
  not_known: 'whether it is at work is not known',
} as const;
