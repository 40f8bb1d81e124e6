import { describe, expect, test } from '@jest/globals';
import { emptyWorld } from '../builders.ts';
import { createVirtualClock } from './virtual-clock.ts';

const never = new Promise<void>(() => undefined);

function open() {
  const world = emptyWorld();
  const clock = createVirtualClock(world);
  return { world, clock, own: clock.of('test') };
}

describe('the virtual clock', () => {
  test('sleeps for a year without real time', async () => {
    const { clock, own } = open();
    const before = own.now();
    const year = 365 * 86_400_000;
    expect(await clock.run(own.sleep(year), { limitMs: 2 * year })).toMatchObject({
      kind: 'returned',
    });
    expect(own.now() - before).toBe(year);
    expect(own.elapsed()).toBe(year);
  });

  test('wakes sleepers by time, and at one moment in the order of their calls', async () => {
    const { clock, own } = open();
    const woken: string[] = [];
    const sleeper = async (name: string, ms: number) => {
      await own.sleep(ms);
      woken.push(`${name} at ${own.elapsed()}`);
    };
    await clock.run(Promise.all([sleeper('late', 20), sleeper('one', 10), sleeper('two', 10)]));
    expect(woken).toEqual(['one at 10', 'two at 10', 'late at 20']);
  });

  test('stands still while any task can continue', async () => {
    const { clock, own } = open();
    const moments: number[] = [];
    const busy = async () => {
      for (let turn = 0; turn < 1000; turn += 1) await Promise.resolve();
      moments.push(own.elapsed());
    };
    await clock.run(Promise.all([busy(), own.sleep(10)]));
    expect(moments).toEqual([0]);
  });

  test('rejects an aborted sleep with the reason and delays no other task', async () => {
    const { clock, own } = open();
    const controller = new AbortController();
    const sleep = own.sleep(1000, controller.signal);
    clock.at(10, () => controller.abort(new Error('cancelled')));
    expect(await clock.run(sleep)).toEqual({ kind: 'threw', error: new Error('cancelled') });
    expect(own.elapsed()).toBe(10);
    await expect(own.sleep(1, controller.signal)).rejects.toThrow('cancelled');
  });

  test('reports a promise that nothing can settle as a deadlock, with the pending calls', async () => {
    const { clock } = open();
    const waiting = () => ['registry.find 48213'];
    expect(await clock.run(never, { waiting })).toEqual({
      kind: 'deadlock',
      waiting: ['registry.find 48213'],
    });
  });

  test('stops a run on request, whatever still sleeps', async () => {
    const { clock, own } = open();
    void own.sleep(1000);
    expect(await clock.run(never, { stop: () => own.elapsed() === 0 })).toEqual({
      kind: 'stopped',
    });
  });

  test('reports a wait without an end and does not wait for it', async () => {
    const { clock, own } = open();
    const loop = async () => {
      for (;;) await own.sleep(5000);
    };
    expect(await clock.run(loop(), { limitMs: 60_000 })).toEqual({ kind: 'too_long', waiting: [] });
  });

  test('drops the sleeps of an owner that is dropped', async () => {
    const { clock, own } = open();
    let woken = false;
    void own.sleep(10).then(() => {
      woken = true;
    });
    clock.drop('test');
    await clock.advance(1000);
    expect(woken).toBe(false);
  });

  test('lets the clock of the program jump without a change of the elapsed time', async () => {
    const { world, clock, own } = open();
    const before = own.now();
    clock.at(10, () => {
      world.skewMs = -3_600_000;
    });
    await clock.run(own.sleep(20));
    expect(own.now() - before).toBe(20 - 3_600_000);
    expect(own.elapsed()).toBe(20);
  });
});
