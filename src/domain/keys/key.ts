import type { Accepts } from './values.ts';

interface Facts {
  /** Sentences without markup; the first begins with a capital letter. */
  readonly description: string;
  /** As the file writes it; stands in where no layer gives a value. */
  readonly default?: unknown;
  /** The default in words, where it follows from another key. */
  readonly otherwise?: string;
  /** Refused when no layer gives it. */
  readonly required?: true;
  /** Goes only with that kind of runners. */
  readonly only?: 'gitlab' | 'github';
  /** Also an input of the action, because it differs by pipeline; of the templates where these name it. */
  readonly pipeline?: true;
}

/** One key of a stack: what it accepts, and what the reference, the JSON Schema and the inputs say of it. */
export interface Key<Value = unknown> extends Facts {
  readonly accepts: Accepts<Value>;
}

/** Undefined is among the values of a key that has no default. */
export function key<Value>(
  accepts: Accepts<Value>,
  facts: Facts & { readonly default: unknown },
): Key<Value>;
export function key<Value>(accepts: Accepts<Value>, facts: Facts): Key<Value | undefined>;
export function key<Value>(accepts: Accepts<Value>, facts: Facts): Key<Value | undefined> {
  return { accepts, ...facts };
}
