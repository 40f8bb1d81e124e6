import type { FailureKind } from '../../../ports/failure.ts';

/** End of a program that this process started, for all kinds of programs. */
export type ProgramEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'cancelled' };

/** Translates a program's end into a failure for the caller. */
export function explainEnd(end: ProgramEnd): { kind: FailureKind; detail: string } {
  switch (end.kind) {
    case 'exited':
      return { kind: 'refused', detail: `exit code ${end.code}` };
    case 'killed':
      return { kind: 'refused', detail: `ended by ${end.signal}` };
    case 'timed_out':
      return { kind: 'unreachable', detail: 'it did not end within infrastructure.timeout' };
    case 'cancelled':
      return { kind: 'unreachable', detail: 'it was cancelled' };
  }
}
