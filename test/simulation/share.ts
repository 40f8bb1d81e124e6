import { createHash } from 'node:crypto';

/** One of so many shares of what there is to play; another turn falls to another one. */
export interface Share {
  readonly of: number;
  readonly turn: string;
}

/** The same for the same turn, and over many turns everything. */
export function isInShare({ of, turn }: Share, what: string): boolean {
  return createHash('sha1').update(turn).update(what).digest().readUInt32BE() % of === 0;
}
