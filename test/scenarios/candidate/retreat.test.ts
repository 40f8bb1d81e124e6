import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Call, Fault, Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach, writes } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import {
  end,
  irreversibleCalls,
  isOpen,
  openPromoted,
  pause,
  stackOf,
} from '../service/promoted.ts';

const hour = 3_600_000;

function registrationOf(world: World, shard: typeof pink) {
  const [registration] = registrationsOf(world, stackOf(world), shard);
  if (registration === undefined) throw new Error(`${shard} has no runner`);
  return registration;
}

/** Reaches a candidate whose checks fail, with production tags and a long job on both shards. */
async function inDoubt(jobs: readonly string[] = ['one', 'two']): Promise<World> {
  const world = await reach('promoting');
  for (const name of jobs)
    submitJob(world, { name, tags: ['linux'], durationMs: 6 * hour, visible: true });
  await openScene(world).simulation.advance(60_000);
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'broken_workload';
  absorb(world);
  return world;
}

/** Acts once, at the n-th read of a runner or its jobs after the candidate's pause. */
function actAtRead(world: World, nth: number, happening: () => void, read = 'find') {
  let reads = 0;
  return ({ port, method }: Call): Fault | undefined => {
    if (port !== 'registry' || method !== read || isOpen(world, purple) !== false) return undefined;
    reads += 1;
    if (reads === nth) happening();
    return undefined;
  };
}

describe('a candidate in retreat', () => {
  test('accepts jobs again if the other shard dies during its drain', async () => {
    const world = await inDoubt();
    const scene = openScene(
      world,
      actAtRead(world, 20, () => end(world, pink)),
    );
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
    // The next run finds the same state and removes nothing.
    const again = await scene.type('provision');
    expect(again).toMatchObject({ kind: 'error' });
    expect(registrationOf(world, purple)).toMatchObject({ paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test('accepts jobs again by the next run if the first run died, and then the other shard', async () => {
    const world = await inDoubt();
    await openScene(world).type('provision', { deadline: world.now + 300_000 });
    expect(isOpen(world, purple)).toBe(false);
    removeParameter(world, parametersOf(stackOf(world)).lock);
    end(world, pink);
    const scene = openScene(world);
    expect(await scene.type('provision')).toMatchObject({ kind: 'error' });
    expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test.each([1, 2, 3])(
    'stays if the other shard dies at check %i of a short drain',
    async (nth) => {
      const world = await inDoubt([]);
      const scene = openScene(
        world,
        actAtRead(world, nth, () => end(world, pink), 'listJobs'),
      );
      expect(await scene.type('provision')).toMatchObject({ kind: 'error' });
      expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
      expect(irreversibleCalls(scene)).toEqual([]);
    },
  );

  test('stays unpaused if an operator unpauses it', async () => {
    const world = await inDoubt();
    const open = () => {
      Object.assign(registrationOf(world, purple), { paused: false, tags: ['linux'] });
      absorb(world);
    };
    const scene = openScene(world, actAtRead(world, 20, open));
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'OpenedByOther' } });
    expect(JSON.stringify(ending)).toContain('but it is unpaused now. No process was stopped.');
    expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  describe('a candidate that an operator paused before its retreat', () => {
    const pausing = (world: World, happening: (call: Call) => void = () => {}, shard = purple) => {
      let isPaused = false;
      return (call: Call): Fault | undefined => {
        if (call.method === 'probeWorkload' && !isPaused) {
          isPaused = true;
          pause(world, shard, true);
        }
        happening(call);
        return undefined;
      };
    };

    /** Ends the machine once the retreat has begun. */
    const dying = (world: World, shard: typeof pink) => {
      let isBegun = false;
      return (call: Call) => {
        if (isBegun && call.method === 'listNewestJobs') end(world, shard);
        isBegun ||= writes('retreating')(call);
      };
    };
    const opens = 'hosted-runner activate --runner linux --shard';

    test('stays paused if the other shard dies, even in the next run, and an activation unpauses it', async () => {
      const world = await inDoubt([]);
      const scene = openScene(world, pausing(world, dying(world, pink)));
      const ending = await scene.type('provision');
      expect(ending).toMatchObject({
        phase: 'retreating',
        text: 'pink no longer accepts jobs. Purple stays paused: it was paused outside hosted-runner before its drain.',
        error: { code: 'ServiceLost' },
      });
      expect(isOpen(world, purple)).toBe(false);
      const again = await scene.type('provision');
      expect(again).toMatchObject({ phase: 'retreating', error: { code: 'NothingServes' } });
      expect(isOpen(world, purple)).toBe(false);
      expect(irreversibleCalls(scene)).toEqual([]);
      for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'ok';
      absorb(world);
      for (const { kind, ...rest } of [ending, again]) {
        expect(kind).toBe('error');
        expect(JSON.stringify(rest)).toContain(`${opens} purple`);
      }
      expect(await scene.type('activate purple', { deploymentId: '1-300' })).toMatchObject({
        kind: 'done',
      });
      expect(isOpen(world, purple)).toBe(true);
    });

    test('gets unpaused by an activation even if it retreated from an activation', async () => {
      let happens: Intercept = () => undefined;
      const { scene, world } = await openPromoted(undefined, (call) => happens(call));
      for (const host of hostsOf(world, stackOf(world), pink)) host.boot = 'broken_workload';
      absorb(world);
      happens = pausing(world, dying(world, purple), pink);
      const ending = await scene.type('activate pink', { deploymentId: '1-300' });
      happens = () => undefined;
      const again = await scene.type('provision', { deploymentId: '1-300' });
      for (const { kind, ...rest } of [ending, again]) {
        expect(kind).toBe('error');
        expect(JSON.stringify(rest).includes(`${opens} pink`)).toBe(true);
      }
      expect(isOpen(world, pink)).toBe(false);
      for (const host of hostsOf(world, stackOf(world), pink)) host.boot = 'ok';
      absorb(world);
      expect(await scene.type('activate pink', { deploymentId: '1-400' })).toMatchObject({
        kind: 'done',
        phase: 'promoted',
      });
      expect(registrationOf(world, pink)).toMatchObject({ tags: ['linux'], paused: false });
      expect(irreversibleCalls(scene)).toEqual([]);
    });

    test('gets removed if the other shard accepts jobs to the end', async () => {
      const world = await inDoubt();
      const ending = await openScene(world, pausing(world)).type('provision');
      expect(ending).toMatchObject({ kind: 'error', error: { code: 'Retreated' } });
      expect(world.violations).toEqual([]);
    });

    test('counts as paused by hosted-runner if the operator unpaused it before the drain', async () => {
      const world = await inDoubt();
      const dies = actAtRead(world, 20, () => end(world, pink));
      let isOver = false;
      const scene = openScene(
        world,
        pausing(world, (call) => {
          if (!isOver && writes('retreating')(call)) {
            isOver = true;
            pause(world, purple, false);
          }
          dies(call);
        }),
      );
      expect(await scene.type('provision')).toMatchObject({ error: { code: 'ServiceLost' } });
      expect(isOpen(world, purple)).toBe(true);
    });
  });

  test('gets removed if the other shard accepts jobs to the end', async () => {
    const world = await inDoubt();
    const ending = await openScene(world).type('provision');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Retreated' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });
});

test('a candidate in quarantine for its check accepts jobs again if the other shard dies', async () => {
  const world = await inDoubt();
  let isDead = false;
  const scene = openScene(world, ({ port, method }) => {
    const isKept = !registrationOf(world, purple).tags.includes('linux');
    if (port === 'host' && method === 'probeWorkload' && isKept && !isDead) {
      isDead = true;
      end(world, pink);
    }
    return undefined;
  });
  const ending = await scene.type('provision');
  expect(isDead).toBe(true);
  expect(ending).toMatchObject({ kind: 'error' });
  expect(registrationOf(world, purple)).toMatchObject({ paused: false });
  expect(registrationOf(world, purple).tags).toContain('linux');
  expect(irreversibleCalls(scene)).toEqual([]);
});

test('a job that blocks the canary on a shard with customer tags is not reported as requesting the canary tag', async () => {
  const world = await inDoubt();
  const dies = actAtRead(world, 20, () => end(world, pink));
  const scene = openScene(world, (call) => {
    if (call.method === 'probeWorkload' && isOpen(world, purple)) pause(world, purple, true);
    return dies(call);
  });
  await scene.type('provision');
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'ok';
  const ending = await scene.type('activate purple', { deploymentId: '1-300' });
  expect(ending).toMatchObject({ error: { code: 'HealthInconclusive' } });
  expect(registrationOf(world, purple).tags).toContain('linux');
  const why = ending.kind === 'error' ? ending.error.fields.why : [];
  expect(why?.[0]).toMatch(/, and job \d+ "one" of customers\/shop is running on purple\.$/);
});
