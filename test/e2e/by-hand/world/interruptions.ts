import type { World } from './world.ts';

/** How the n-th request of ours ends. */
type KillMoment = 'before' | 'after';

/**
 * Calls `strike` at the n-th request that a deployment sends from now on, once. `before`: the
 * request never takes effect; `after`: it does, and nobody is left to hear the answer.
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

/** The same numbers for the same seed; a run can be repeated by the seed that a failure names. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
