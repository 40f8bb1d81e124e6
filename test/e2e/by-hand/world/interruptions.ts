import type { World } from './world.ts';

/** Whether the n-th request takes effect before the kill. */
type KillMoment = 'before' | 'after';

/**
 * Calls `strike` once, at the n-th request that a deployment sends from now on. `before`: the
 * request never takes effect. `after`: it takes effect, and the response has no reader.
 */
export function atRequest(
  { sandbox: { faults } }: World,
  { nth, moment, strike }: { nth: number; moment: KillMoment; strike: () => void },
): () => void {
  const usual = faults.pick;
  let count = 0;
  faults.pick = (call) => {
    if (call.service === 'runner') return usual(call);
    count += 1;
    if (count !== nth) return usual(call);
    strike();
    const { service } = call;
    return moment === 'after'
      ? usual(call)
      : { id: 'interruption', service, effect: { kind: 'reset_before' } };
  };
  return () => {
    faults.pick = usual;
  };
}

export type Dice = (sides: number) => number;

/** Returns a random generator that repeats a run by the seed in its failure message. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
