import type { bases, Look } from './looks.ts';

interface Seen {
  /** What it is changed to, with nothing else changed. */
  readonly to: string;
  readonly look: Look;
  readonly base?: keyof typeof bases;
  /** What is set before and after, because the key goes with it. */
  readonly beside?: readonly string[];
}

interface Alone extends Seen {
  readonly with?: never;
  readonly because?: never;
}

/** The exception: with another key that no configuration may have before, so that what is seen may be that one's. */
interface WithOthers extends Seen {
  readonly with: readonly string[];
  readonly because: string;
}

export type Row = Alone | WithOthers;
