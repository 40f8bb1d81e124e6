/**
 * Effect of a port's method on other systems. Each port declares it beside its contract, because a
 * name does not show it. Logging, cancellation, fault injection and guards read it here.
 */
export type EffectKind =
  /** Queries, and changes nothing. */
  | 'reads'
  /** Returns a known value at once, without an external call. */
  | 'remembers'
  /** Ends after a time, without an external call. */
  | 'waits'
  /** Changes another system in a way that another call can undo, or that removes nothing. */
  | 'writes'
  /**
   * Cannot be undone. Reachable only after the availability check:
   * `src/stages/service/irreversible.ts`.
   */
  | 'irreversible';

/**
 * Time that an effect in flight has to finish after a cancellation. A read ends at once. Programs
 * that an adapter starts get less time: their end can then still be reported.
 */
export const cancelGraceMs = 5000;

type MethodsOf<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** Effects of all methods of a port, checked for completeness. */
export type Effects<Port> = { readonly [Name in MethodsOf<Port>]: EffectKind };

/** Returns whether a method has returned a stream instead of a single value. */
export function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}
