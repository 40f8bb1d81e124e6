import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Call, Fault, Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
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
  if (registration === undefined) throw new Error(`${shard} has no registration`);
  return registration;
}

/** Both shards have the production tags, each runs a long job, and the candidate's checks fail from now on. */
async function inDoubt(jobs: readonly string[] = ['one', 'two']): Promise<World> {
  const world = await reach('promoting');
  for (const name of jobs)
    submitJob(world, { name, tags: ['linux'], durationMs: 6 * hour, visible: true });
  await openScene(world).simulation.advance(60_000);
  for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'broken_workload';
  absorb(world);
  return world;
}

/** Once, at the n-th read of a runner, or of its jobs, after the candidate was paused. */
function atLook(world: World, nth: number, happening: () => void, read = 'find') {
  let looks = 0;
  return ({ port, method }: Call): Fault | undefined => {
    if (port !== 'registry' || method !== read || isOpen(world, purple) !== false) return undefined;
    looks += 1;
    if (looks === nth) happening();
    return undefined;
  };
}

describe('a candidate that is taken back out of customers’ hands', () => {
  test('is given back to them where the other shard dies while it drains', async () => {
    const world = await inDoubt();
    const scene = openScene(
      world,
      atLook(world, 20, () => end(world, pink)),
    );
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
    // Whoever comes next finds the same, and takes nothing away.
    const again = await scene.type('provision');
    expect(again).toMatchObject({ kind: 'error' });
    expect(registrationOf(world, purple)).toMatchObject({ paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test('is given back to them by the next run, where the one that took it died, and then the other shard', async () => {
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
    'is not removed where the other one dies at look %i of a short drain',
    async (nth) => {
      const world = await inDoubt([]);
      const scene = openScene(
        world,
        atLook(world, nth, () => end(world, pink), 'listJobs'),
      );
      expect(await scene.type('provision')).toMatchObject({ kind: 'error' });
      expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
      expect(irreversibleCalls(scene)).toEqual([]);
    },
  );

  test('is left open where a person opens it', async () => {
    const world = await inDoubt();
    const open = () => {
      Object.assign(registrationOf(world, purple), { paused: false, tags: ['linux'] });
      absorb(world);
    };
    const scene = openScene(world, atLook(world, 20, open));
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'OpenedByOther' } });
    expect(JSON.stringify(ending)).toContain('it is un-paused now. Nothing was stopped.');
    expect(registrationOf(world, purple)).toMatchObject({ tags: ['linux'], paused: false });
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  describe('and that a person had paused before', () => {
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

    /** Once the retreat has begun. */
    const dying = (world: World, shard: typeof pink) => {
      let isBegun = false;
      return (call: Call) => {
        if (isBegun && call.method === 'listNewestJobs') end(world, shard);
        isBegun ||= writes('retreating')(call);
      };
    };
    const opens = 'hosted-runner activate --runner linux --shard';

    test('is left so where the other shard dies, by the next run as well, and an activation opens it', async () => {
      const world = await inDoubt([]);
      const scene = openScene(world, pausing(world, dying(world, pink)));
      const ending = await scene.type('provision');
      expect(ending).toMatchObject({
        phase: 'retreating',
        says: 'pink no longer serves, and purple stays closed, as somebody else closed it before its drain.',
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

    test('is opened by an activation also where it is one that is taken back', async () => {
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

    test('is removed where the other one serves to the end', async () => {
      const world = await inDoubt();
      const ending = await openScene(world, pausing(world)).type('provision');
      expect(ending).toMatchObject({ kind: 'error', error: { code: 'Retreated' } });
      expect(world.violations).toEqual([]);
    });

    test('is ours again where the person opens it before we close it', async () => {
      const world = await inDoubt();
      const dies = atLook(world, 20, () => end(world, pink));
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

  test('is removed where the other one serves to the end', async () => {
    const world = await inDoubt();
    const ending = await openScene(world).type('provision');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Retreated' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });
});

test('a candidate that was kept from customers for its check is given back where the other one dies', async () => {
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

test('a job in the way of the canary on a shard that has customers’ tags is not said to ask for its own', async () => {
  const world = await inDoubt();
  const dies = atLook(world, 20, () => end(world, pink));
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
