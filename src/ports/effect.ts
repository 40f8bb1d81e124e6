/**
 * What calling a method does to the world. Declared by each port beside its contract, because a name
 * tells it to nobody but a reader: whoever logs, cancels, injects faults or guards reads it here.
 */
export type EffectKind =
  /** Asks, and changes nothing. */
  | 'reads'
  /** Answers at once from what is known: no call to the outside. */
  | 'remembers'
  /** Ends by time alone. */
  | 'waits'
  /** Changes the world in a way that another call can take back, or that takes nothing away. */
  | 'writes'
  /** No call of ours takes it back. Reached past the judge of service only: `src/stages/service/irreversible.ts`. */
  | 'irreversible';

/**
 * After a cancel, an effect in flight may take this long to answer. A read ends at once. Programs that an
 * adapter starts get less, so that their end is still reported.
 */
export const cancelGraceMs = 5000;

type MethodsOf<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** Every method of a port, none left out and none invented. */
export type Effects<Port> = { readonly [Name in MethodsOf<Port>]: EffectKind };

/** Whether a method has answered with what comes by and by, and not at once. */
export function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}
