import { chooseShare, oneIn, rankOf, shareOf } from '../../scripts/jest/share.js';

/** A share of repeated cases, in their order; never none of some. */
export const sampleOf: <T>(all: readonly T[], nameOf: (one: T) => string) => readonly T[] =
  chooseShare;

/** Every n-th one from a chosen one on, where nobody knows how many there are; they count from 1. */
export function stepsThrough(name: string): { readonly first: number; readonly every: number } {
  const every = oneIn();
  return { first: 1 + (Number.parseInt(rankOf(name).slice(0, 8), 16) % every), every };
}

export { shareOf };

/** False if everything runs. */
export const isSample = oneIn() > 1;
