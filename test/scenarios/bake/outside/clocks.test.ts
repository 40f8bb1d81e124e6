import { expect, test } from '@jest/globals';
import type { Intercept } from '../../../fakes/faults/fault-wrapper.ts';
import { activeShard } from '../../../fakes/world/shards.ts';
import { minute } from '../../service/promoted.ts';
import { hour, openDrained, purple, stackOf } from '../baked.ts';

/** Opens a bake whose runs after the drain have a clock two hours ahead. */
async function openAhead(atMostMs: number) {
  let isLater = false;
  const intercept: Intercept = () => {
    if (!isLater) return undefined;
    isLater = false;
    return { kind: 'clock_jump', byMs: 2 * hour };
  };
  const opened = await openDrained({ bake: { atMostMs }, intercept });
  isLater = true;
  return opened;
}

test.each([
  ['bake', 'at most six', 6 * hour],
  ['bake', 'at most one', hour],
  ['finalize', 'at most six', 6 * hour],
  ['finalize', 'at most one', hour],
] as const)(
  'a host clock two hours ahead does not shorten the bake, in %s with %s hours',
  async (stage, _, atMostMs) => {
    const { scene, world } = await openAhead(atMostMs);
    const before = world.now;
    expect(await scene.type(stage)).toMatchObject({ kind: 'done' });
    expect(world.now - before).toBeGreaterThan(28 * minute);
    expect(world.now - before).toBeLessThan(40 * minute);
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  },
);
