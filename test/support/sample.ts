import { createHash } from 'node:crypto';

/**
 * What is played over and over, each time at another place, is long. `ONE_IN=3` plays a third of it, and
 * `SAMPLE_SEED` says which: `.ci/run` gives the commit, so that other commits play other ones. All of it
 * where the variable is not set.
 */
const oneIn = readShare(process.env['ONE_IN'] ?? '1');
const seed = process.env['SAMPLE_SEED'] ?? '';

/** A share of them, in their order; never none of some. */
export function sampleOf<T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] {
  const byHash = all.toSorted((one, other) =>
    rankOf(nameOf(one)) < rankOf(nameOf(other)) ? -1 : 1,
  );
  const chosen = new Set(byHash.slice(0, shareOf(all.length)));
  return all.filter((one) => chosen.has(one));
}

/** Every n-th one from a chosen one on, where nobody knows how many there are; they count from 1. */
export function stepsThrough(name: string): { readonly first: number; readonly every: number } {
  return { first: 1 + (Number.parseInt(rankOf(name).slice(0, 8), 16) % oneIn), every: oneIn };
}

function rankOf(name: string): string {
  return createHash('sha256').update(`${seed} ${name}`).digest('hex');
}

/** Of so many that are drawn anyway. */
export function shareOf(count: number): number {
  return Math.ceil(count / oneIn);
}

/** For a program with a share of its own. */
export function rarer(share: number): number {
  return share * oneIn;
}

function readShare(text: string): number {
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`ONE_IN is a whole number from 1 on, not "${text}"`);
  return Number(text);
}
