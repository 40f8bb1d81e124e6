import { createHash } from 'node:crypto';

/**
 * Repeated cases, each at another place, take long. `ONE_IN=3` runs a third of them, and `SAMPLE_SEED`
 * chooses which: `.ci/run` and `npm test` set it to the commit, so that each commit runs other cases, and
 * the same commit the same cases. Without the variables all cases run.
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

/** False if everything runs. */
export const isSample = oneIn > 1;

function readShare(text: string): number {
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`ONE_IN is a whole number from 1 on, not "${text}"`);
  return Number(text);
}
