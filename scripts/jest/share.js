import { createHash } from 'node:crypto';

/**
 * Repeated cases, each at another place, take long. `ONE_IN=10` runs a tenth of them, and `SAMPLE_SEED`
 * chooses which: `.ci/run` and `npm test` set it to the commit, so that each commit runs other cases, and
 * the same commit the same cases. Without the variables all cases run. They are read at each choice:
 * scripts/jest.js sets them after it has loaded this.
 */
export function oneIn() {
  const text = process.env['ONE_IN'] ?? '1';
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`ONE_IN is a whole number from 1 on, not "${text}"`);
  return Number(text);
}

/**
 * A share of them, in their order; never none of some.
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

/** Of so many that are drawn anyway. @param {number} count */
export function shareOf(count) {
  return Math.ceil(count / oneIn());
}
