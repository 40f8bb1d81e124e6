import type { LogEvent } from './log-event.ts';

/** Where acts and reasons go. One line each; the adapter redacts, strips and renders. */
export interface Log {
  section(title: string): void;
  /** What was done or decided, in the past tense, with its reason. */
  act(text: string): void;
  /** What is waited for; printed when the reason changes and once a minute otherwise. */
  wait(text: string): void;
  warn(text: string): void;
  /** A machine-readable event for the evidence file. */
  event(event: LogEvent): void;
}
