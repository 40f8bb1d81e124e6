import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { rested } from '../broken-stacks/state.ts';
import { addShard, pink } from '../fakes/builders.ts';
import type { World } from '../fakes/world/world.ts';
import { isCall, killAt, writes } from '../stages/reach.ts';
import { type } from './doctor/examine.ts';
import { activation, recorded } from './made-by-hand.ts';

describe('a runner that a person has made, whose retirement dies', () => {
  const finalize = 'hosted-runner finalize --runner linux';
  const its = (world: World) =>
    Object.values(world.registrations).find(({ tags }) => tags.includes('by-hand'));

  /** Activated, cut off, and turned back by the activation of the other shard: only it is left to retire. */
  async function retiring() {
    const world = await rested((one) => {
      const { registration } = addShard(one, { shard: pink, tags: ['by-hand', 'arm'], note: '' });
      Object.assign(registration, { description: 'my runner', runUntagged: true });
    });
    const id = its(world)?.id as RegistrationId;
    await type(world, activation(id), { intercept: killAt(isCall('registry', 'route')) });
    await type(world, 'hosted-runner activate --runner linux --shard purple');
    return { world, id };
  }

  /** Of all its calls: the first one of the removal, and how many there are. */
  async function countCalls() {
    const { world } = await retiring();
    const isFirst = writes('destroying');
    let calls = 0;
    let first = 0;
    await type(world, finalize, {
      intercept(call) {
        calls += 1;
        if (first === 0 && isFirst(call)) first = calls;
        return undefined;
      },
    });
    return { first, calls };
  }

  test('at any call has it given back by the next run', async () => {
    const { first, calls } = await countCalls();
    expect(calls - first).toBeGreaterThan(30);
    for (let at = first; at <= calls; at += 1) {
      const { world, id } = await retiring();
      let call = 0;
      await type(world, finalize, {
        intercept() {
          call += 1;
          return call === at ? { kind: 'crash_after' } : undefined;
        },
      });
      await type(world, finalize);
      expect({ at, phase: recorded(world).deployment.phase }).toEqual({ at, phase: 'done' });
      expect(its(world)).toMatchObject({ id, tags: ['by-hand', 'arm'], paused: false });
      expect(world.violations).toEqual([]);
    }
  });

  test.each([
    ['registry', 'listWorkers'],
    ['host', 'look'],
  ])('while it is asked whose it is (%s.%s) changes nothing', async (port, method) => {
    const world = await rested((one) => {
      const { registration } = addShard(one, { shard: pink, tags: ['by-hand'], note: '' });
      registration.description = 'my runner';
    });
    const id = its(world)?.id ?? '';
    const before = structuredClone(world.registrations);
    const ending = await type(world, activation(id), { intercept: killAt(isCall(port, method)) });
    expect(ending.kind).toBe('killed');
    expect(world.registrations).toEqual(before);
    expect(await type(world, activation(id))).toMatchObject({ kind: 'done' });
    expect(world.violations).toEqual([]);
  });
});
