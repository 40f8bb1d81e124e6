import { describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { rested } from '../broken-stacks/state.ts';
import { addShard, pink } from '../fakes/builders.ts';
import type { Call, Intercept } from '../fakes/faults/fault-wrapper.ts';
import type { RegistrationState, World } from '../fakes/world/world.ts';
import { isCall, killAt, writes } from '../stages/reach.ts';
import { sampleOf } from '../support/sample.ts';
import { type } from './doctor/examine.ts';
import { activation, recorded } from './made-by-hand.ts';

/** Records the writes to one registration. */
function noting(touched: string[], id: string): Intercept {
  return ({ port, method, args }) => {
    if (port === 'registry' && args[0] === id && /route|setIntake|retire/.test(method))
      touched.push(method);
    return undefined;
  };
}

function killBefore(matches: (call: Call) => boolean): Intercept {
  return (call) => (matches(call) ? { kind: 'crash_before' } : undefined);
}

describe('a runner that an operator created, after a kill during its removal', () => {
  const finalize = 'hosted-runner finalize --runner linux';
  const its = (world: World) =>
    Object.values(world.registrations).find(({ tags }) => tags.includes('by-hand'));

  /**
   * Reaches an activation that was interrupted, then reversed by activating the other shard. Only
   * its retirement is left.
   */
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

  /** Counts all calls of a removal, and finds the first one of the removal step. */
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

  test('gets restored by the next run, whichever call was killed', async () => {
    const { first, calls } = await countCalls();
    expect(calls - first).toBeGreaterThan(30);
    const all = Array.from({ length: calls - first + 1 }, (_, index) => first + index);
    for (const at of sampleOf(all, (one) => `given back ${one}`)) {
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

  test('stays untouched by the next run if it was restored before', async () => {
    const { world, id } = await retiring();
    await type(world, finalize, { intercept: killBefore(writes('done')) });
    expect(recorded(world).deployment.phase).toBe('destroying');
    expect(its(world)).toMatchObject({ id, paused: false });
    Object.assign(its(world) ?? {}, { tags: ['by-hand', 'theirs'] });
    const touched: string[] = [];
    await type(world, finalize, { intercept: noting(touched, id) });
    expect(touched).toEqual([]);
    expect(recorded(world).deployment.phase).toBe('done');
    expect(its(world)).toMatchObject({ tags: ['by-hand', 'theirs'], paused: false });
    expect(world.violations).toEqual([]);
  });

  test.each([
    ['registry', 'listWorkers'],
    ['host', 'look'],
  ])('stays unchanged if the check of its owner was killed (%s.%s)', async (port, method) => {
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

describe('a runner that an operator created, after a kill during its retreat', () => {
  const its = (world: World) =>
    Object.values(world.registrations).find(({ description }) => description === 'my runner');
  const recover = 'hosted-runner recover --runner linux --method cleanup --yes';

  /**
   * Starts a retreat. The runner has production tags of its operator, so only the record
   * distinguishes before and after.
   */
  async function sick(paused = false) {
    const world = await rested((one) => {
      one.behaviour.boots['pink-linux'] = ['fails_jobs'];
      const { registration } = addShard(one, { shard: pink, note: '' });
      Object.assign(registration, { description: 'my runner', paused });
    });
    const { id, tags } = its(world) as RegistrationState;
    return { world, id, tags: [...tags] };
  }

  const openings = ({ port, method, args }: Call, id: string) =>
    port === 'registry' && method === 'setIntake' && args[0] === id && args[1] === 'open';

  test('gets neither paused nor routed again if it was restored before', async () => {
    const { world, id, tags } = await sick();
    let isBack = false;
    await type(world, activation(id), {
      intercept(call) {
        if (isBack && writes('prepared')(call)) return { kind: 'crash_before' };
        if (openings(call, id) && recorded(world).deployment.phase === 'retreating') isBack = true;
        return undefined;
      },
    });
    expect(recorded(world).deployment.phase).toBe('retreating');
    expect(its(world)).toMatchObject({ tags, paused: false });
    // The runner is restored, and then its operator changes it.
    Object.assign(its(world) ?? {}, { tags: ['theirs'] });
    const touched: string[] = [];
    await type(world, recover, { intercept: noting(touched, id) });
    expect(touched).toEqual([]);
    expect(its(world)).toMatchObject({ tags: ['theirs'], paused: false });
    expect(recorded(world).deployment.phase).not.toBe('retreating');
    expect(world.violations).toEqual([]);
  });

  test.each(['route', 'setIntake'])(
    'gets restored completely if its restoration was killed (%s)',
    async (method) => {
      const { world, id, tags } = await sick();
      await type(world, activation(id), {
        intercept: (call) =>
          isCall('registry', method, id)(call) && isRestoring(world)
            ? { kind: 'crash_before' }
            : undefined,
      });
      expect(recorded(world).deployment.phase).toBe('retreating');
      await type(world, recover);
      expect(its(world)).toMatchObject({ tags, paused: false });
      expect(recorded(world).deployment.phase).not.toBe('retreating');
      expect(world.violations).toEqual([]);
    },
  );

  const isRestoring = (world: World) =>
    JSON.stringify(recorded(world).shards['pink']).includes('"going_back":true');
});
