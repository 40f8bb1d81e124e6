import type { FailureKind } from '../../../ports/failure.ts';

/** How a program that we have started ended, as far as every kind of them ends alike. */
export type ProgramEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'cancelled' };

/** What its end says to whoever has asked for it. */
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
