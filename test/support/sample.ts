import { chooseShare, oneIn, rankOf, shareOf } from '../../scripts/jest/share.js';

/** Returns a share of repeated cases in order, and at least one. */
export const sampleOf: <T>(all: readonly T[], nameOf: (one: T) => string) => readonly T[] =
  chooseShare;

/** Returns every n-th number from a chosen one on, counted from 1, for an unknown total. */
export function stepsThrough(name: string): { readonly first: number; readonly every: number } {
  const every = oneIn();
  return { first: 1 + (Number.parseInt(rankOf(name).slice(0, 8), 16) % every), every };
}

export { shareOf };

/** False if everything runs. */
export const isSample = oneIn() > 1;
