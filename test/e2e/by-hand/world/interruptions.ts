import type { Fault, FaultedCall, FaultService } from '../../../../sandbox/faults.ts';
import type { World } from './world.ts';

/** How the n-th request of ours ends. */
export type Moment = 'before' | 'after';

/**
 * Calls `strike` at the n-th request that a deployment sends from now on, once. `before`: the
 * request never takes effect; `after`: it does, and nobody is left to hear the answer.
 */
export function atRequest(
  { sandbox: { faults } }: World,
  { nth, moment, strike }: { nth: number; moment: Moment; strike: () => void },
): () => void {
  const usual = faults.pick;
  let count = 0;
  faults.pick = (call) => {
    if (call.service === 'runner') return usual(call);
    count += 1;
    if (count !== nth) return usual(call);
    strike();
    return moment === 'after' ? usual(call) : reset(call.service);
  };
  return () => {
    faults.pick = usual;
  };
}

/** Calls `strike` at the first request of ours that is it, once. */
function atCall(
  { sandbox: { faults } }: World,
  {
    isIt,
    moment,
    strike,
  }: { isIt: (call: FaultedCall) => boolean; moment: Moment; strike: () => void },
): () => void {
  const usual = faults.pick;
  let isOver = false;
  faults.pick = (call) => {
    if (isOver || call.service === 'runner' || !isIt(call)) return usual(call);
    isOver = true;
    strike();
    return moment === 'after' ? usual(call) : reset(call.service);
  };
  return () => {
    faults.pick = usual;
  };
}

/** The candidate has the production tags, and `deployment_status` still names the other shard. */
export async function killBeforeTheSwitch(world: World): Promise<void> {
  const provision = world.start({ args: ['provision', '--runner', 'linux'] });
  const restore = atCall(world, {
    isIt: ({ operation, asked = '' }) =>
      operation === 'PutParameter' && asked.includes('/linux/deployment_status'),
    moment: 'before',
    strike: () => provision.kill('SIGKILL'),
  });
  const end = await provision.ended;
  restore();
  if (end.signal !== 'SIGKILL') throw new Error(`It ended before the switch: ${end.text}`);
}

function reset(service: FaultService): Fault {
  return { id: 'interruption', service, effect: { kind: 'reset_before' } };
}

/** At one of the next requests, or after some time; the dice say which. */
export function strikeSomewhere(
  world: World,
  { dice, requests, strike }: { dice: Dice; requests: number; strike: () => void },
): { told: string; restore: () => void } {
  const kind = dice(3);
  if (kind === 0) {
    const ms = 200 + dice(requests * 15);
    const timer = setTimeout(strike, ms);
    return { told: `struck after ${ms} ms`, restore: () => clearTimeout(timer) };
  }
  const nth = 1 + dice(requests);
  const moment = kind === 1 ? 'before' : 'after';
  const restore = atRequest(world, { nth, moment, strike });
  return { told: `struck ${moment} request ${nth}`, restore };
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

/** `BY_HAND_SEED` and `BY_HAND_ROUNDS`: other instants, and more of them. */
export const seed = Number(process.env['BY_HAND_SEED'] ?? 20);
export const rounds = Number(process.env['BY_HAND_ROUNDS'] ?? 1);
