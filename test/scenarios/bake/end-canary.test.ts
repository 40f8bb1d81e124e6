import { describe, expect, test } from '@jest/globals';
import { purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { startCanary } from '../../fakes/ports/canary-fake.ts';
import { registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { hang, stackOf } from '../service/promoted.ts';
import { read, worded } from './single-check.ts';

describe('the canary at the end of a bake', () => {
  const canary = { canary: 'required' } as const;

  test('runs only if the bake needs it', async () => {
    expect((await read(canary)).readings).toEqual([]);
  });

  test('gives no verdict if it received secrets of the deployment', async () => {
    const seen = await read(canary, {
      needs: 'canary',
      about: (world) => {
        world.behaviour.canaryHas = ['HOSTED_RUNNER_GITLAB_TOKEN'];
        absorb(world);
      },
    });
    expect(worded(seen)).toEqual([
      expect.stringMatching(/^canary unknown: canary job \d+ received HOSTED_RUNNER_GITLAB_TOKEN$/),
    ]);
  });

  test('succeeds and leaves no tag behind', async () => {
    const seen = await read(canary, { needs: 'canary' });
    expect(worded(seen)).toEqual([
      expect.stringMatching(/^canary good: canary job \d+ succeeded$/),
    ]);
    expect(seen.tags.flat().filter((tag) => tag.startsWith('canary-'))).toEqual([]);
  });

  test('keeps every other tag, even one that an operator changed meanwhile', async () => {
    const of = (world: World) => registrationsOf(world, stackOf(world), purple);
    let during: readonly string[] = [];
    let world: World | undefined;
    const intercept: Intercept = ({ port, method }) => {
      if (world === undefined || port !== 'canary' || method !== 'start') return undefined;
      for (const one of of(world)) {
        during = [...one.tags];
        one.tags = [...one.tags.filter((tag) => tag !== 'linux'), 'arm'];
      }
      absorb(world);
      return undefined;
    };
    const seen = await read(canary, {
      needs: 'canary',
      intercept,
      about: (then) => {
        world = then;
        for (const one of of(then)) one.tags.push('gpu');
        absorb(then);
      },
    });
    expect(worded(seen)).toEqual([expect.stringContaining('canary good')]);
    expect(during).toEqual(['linux', 'gpu', 'canary-1-200-linux']);
    expect(of(world as unknown as World).map(({ tags }) => tags)).toEqual([['gpu', 'arm']]);
    expect(seen.ending.log).toEqual(
      expect.arrayContaining([
        "Gave runner 48214 the canary's canary-1-200-linux.",
        "Took the canary's canary-1-200-linux from runner 48214.",
      ]),
    );
  });

  test('does not restore production tags if an operator removed all of them meanwhile', async () => {
    let world: World | undefined;
    const intercept: Intercept = ({ port, method }) => {
      if (world === undefined || port !== 'canary' || method !== 'start') return undefined;
      for (const one of registrationsOf(world, stackOf(world), purple))
        one.tags = one.tags.filter((tag) => tag.startsWith('canary-'));
      absorb(world);
      return undefined;
    };
    const seen = await read(canary, {
      needs: 'canary',
      intercept,
      about: (then) => {
        world = then;
      },
    });
    expect(seen.tags).toContainEqual(['canary-1-200-linux']);
    expect(seen.ending.log.join('\n')).toContain(
      "The canary's tag is still on the runner of purple: ",
    );
  });

  test('gives a bad result if the shard no longer takes jobs, and leaves no tag behind', async () => {
    const seen = await read(canary, { needs: 'canary', about: (world) => hang(world, purple) });
    expect(worded(seen)).toEqual([
      expect.stringMatching(
        /^canary bad: canary job \d+ did not start, and no other job runs on the shard$/,
      ),
    ]);
    expect(seen.tags.flat().filter((tag) => tag.startsWith('canary-'))).toEqual([]);
  });

  test('gives no bad result if the fleet may boot for longer than the canary waits', async () => {
    const seen = await read(canary, {
      needs: 'canary',
      about: (world) => hang(world, purple),
      timeoutMs: 1_200_000,
    });
    expect(worded(seen)).toEqual([
      expect.stringMatching(
        /^canary unknown: canary job \d+ did not start within 15m, and healthcheck.timeout is 20m$/,
      ),
    ]);
  });

  test('adopts a canary that an earlier run has started', async () => {
    let begun = '';
    const seen = await read(canary, {
      needs: 'canary',
      about: (world) => {
        const [stack] = world.stacks;
        if (stack !== undefined) begun = startCanary(world, stack, '1-200').id;
      },
    });
    expect(worded(seen)).toEqual([`canary good: canary job ${begun} succeeded`]);
  });

  test('limits the wait for an adopted canary to the rest of its time', async () => {
    const waited = async (ageMs: number) => {
      let [began, ended] = [0, 0];
      const seen = await read(canary, {
        needs: 'canary',
        about: (world) => {
          hang(world, purple);
          const [stack] = world.stacks;
          if (stack !== undefined && ageMs > 0)
            world.jobs[startCanary(world, stack, '1-200').id]!.createdAt -= ageMs;
          began = world.now;
        },
        after: (world) => {
          ended = world.now;
        },
      });
      expect(seen.readings).toMatchObject([{ signal: 'canary', value: 'bad' }]);
      return ended - began;
    };
    const minute = 60_000;
    expect(await waited(0)).toBeGreaterThanOrEqual(15 * minute);
    const left = await waited(10 * minute);
    expect([left >= 5 * minute, left < 6 * minute]).toEqual([true, true]);
    // If the canary is older than its limit, or seems so by a fast clock, an idle runner still gets
    // one poll.
    expect(await waited(60 * minute)).toBeGreaterThanOrEqual(10_000);
  });

  test('gives no result if it may not be started', async () => {
    let isPromoted = false;
    const intercept: Intercept = ({ port, method }) =>
      isPromoted && port === 'canary' && method === 'start'
        ? { kind: 'error_before', failure: 'denied', status: 403 }
        : undefined;
    const seen = await read(canary, {
      needs: 'canary',
      intercept,
      about: () => {
        isPromoted = true;
      },
    });
    expect(seen.readings).toMatchObject([{ signal: 'canary', value: 'unknown' }]);
    expect(seen.readings[0]?.detail).toMatch(/^it could not be queried: /);
  });
});
