import type { bases, Observer } from './observers.ts';

interface Seen {
  /** New value, the only change in the configuration. */
  readonly to: string;
  readonly on: Observer;
  readonly base?: keyof typeof bases;
  /** Settings before and after the change, because the key depends on them. */
  readonly beside?: readonly string[];
}

interface Alone extends Seen {
  readonly with?: never;
  readonly because?: never;
}

/**
 * Exception: the key requires another key that is absent before the change. An observed difference
 * may come from the other key.
 */
interface WithOthers extends Seen {
  readonly with: readonly string[];
  readonly because: string;
}

export type Row = Alone | WithOthers;
