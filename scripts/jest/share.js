import { createHash } from 'node:crypto';

/**
 * Returns the divisor of repeated cases, which take long. `ONE_IN=10` runs a tenth of them, chosen
 * by `SAMPLE_SEED`. `.ci/run` and `npm test` set the seed to the commit: each commit runs other
 * cases, and a repeated run the same ones. Without the variables, all cases run. They are read at
 * each choice, because scripts/jest.js sets them after it has loaded this file.
 */
export function oneIn() {
  const text = process.env['ONE_IN'] ?? '1';
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`ONE_IN is a whole number from 1 on, not "${text}"`);
  return Number(text);
}

/**
 * Chooses a share in the original order, at least one of a non-empty list.
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} nameOf
 * @returns {readonly T[]}
 */
export function chooseShare(all, nameOf) {
  const byHash = [...all].sort((one, other) =>
    rankOf(nameOf(one)) < rankOf(nameOf(other)) ? -1 : 1,
  );
  const chosen = new Set(byHash.slice(0, shareOf(all.length)));
  return all.filter((one) => chosen.has(one));
}

/** @param {string} name */
export function rankOf(name) {
  const seed = process.env['SAMPLE_SEED'] ?? '';
  return createHash('sha256').update(`${seed} ${name}`).digest('hex');
}

/** Returns the share of randomly drawn cases. @param {number} count */
export function shareOf(count) {
  return Math.ceil(count / oneIn());
}
