import { describe, expect, test } from '@jest/globals';
import { type Place, places } from '../../../model/outcome.ts';
import { emptyWorld, pink, worldWithActive } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { atRest } from '../../fakes/invariants/at-rest.ts';
import { addPipeline } from '../../fakes/ports/pipelines-fake.ts';
import { listRunEffects } from '../../fakes/world/happened.ts';
import { activeShard } from '../../fakes/world/shards.ts';
import { type Command, drive, start } from '../../stages/drive.ts';
import { killAt, ownId, reach, writes } from '../../stages/reach.ts';
import { openScene, pipeline, withCustomers } from '../scene.ts';

const stages: readonly Command[] = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup'];
/** Delays GitLab: a stage takes longer than another run waits for its lock. */
const slowOnGitLab: Intercept = ({ port }) =>
  port === 'registry' ? { kind: 'delay', beforeMs: 2000 } : undefined;
/** Decides whether no new pipeline adopts the deployment, because it drains or bakes. */
const isBusy = (place: Place) =>
  ['none', 'done', 'draining', 'draining, idle', 'drained, baking'].includes(place);
const unfinished = places.filter((place) => !isBusy(place));

describe('a newer pipeline', () => {
  test.each(unfinished)('adopts a deployment that is %s and finishes it', async (place: Place) => {
    const world = withCustomers(await reach(place), 30);
    const scene = openScene(world);
    await pipeline(scene, '1-300');
    expect(activeShard(world, world.stacks[0] as never)).toBe('purple');
    expect(await scene.rest()).toEqual([]);
  });

  test('does not wait for a drain, names the command that finishes it, and succeeds in a second run', async () => {
    const scene = openScene(await reach('draining'));
    const ending = await scene.type('prepare', { deploymentId: '1-300' });
    expect(ending).toMatchObject({
      error: {
        code: 'DeploymentBusy',
        exitCode: 75,
        fields: {
          fix: [
            'Finish that deployment: hosted-runner finalize --runner linux',
            'Then run this again: hosted-runner prepare --runner linux',
          ],
        },
      },
    });
    await scene.type('finalize', { deploymentId: '1-300' });
    await pipeline(scene, '1-300');
    expect(activeShard(scene.world, scene.world.stacks[0] as never)).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });
});

describe('an older pipeline', () => {
  test('gets superseded, and all its jobs together change nothing', async () => {
    const world = await reach('applied');
    addPipeline(world, { deploymentId: '1-150', createdAt: world.now - 86_400_000 });
    const scene = openScene(world);
    const past = world.history.length;
    for (const stage of [...stages, 'promote', 'finalize'] as const) {
      await scene.type(stage, { deploymentId: '1-150' });
    }
    const ends = scene.story.filter((line) => line.startsWith('='));
    const superseded =
      '= nothing: deployment 1-200 is newer, and an older pipeline changes nothing';
    const refused = '= exit code 3';
    expect(ends).toEqual([refused, refused, refused, superseded, superseded, refused, superseded]);
    expect(changesSince(scene, past)).toEqual([]);
  });

  test('thirty days and six deployments later, each of its jobs has no effect and a reason', async () => {
    const world = emptyWorld();
    const scene = openScene(world);
    for (let count = 0; count < 7; count += 1) {
      await pipeline(scene, `1-10${count}`);
      await scene.simulation.advance(5 * 86_400_000);
    }
    const past = world.history.length;
    scene.story.length = 0;
    for (const id of ['1-100', '1-106']) {
      for (const stage of [...stages, 'promote', 'finalize'] as const)
        await scene.type(stage, { deploymentId: id });
    }
    expect(scene.story.filter((line) => line.startsWith('='))).toEqual([
      ...Array.from(
        { length: 7 },
        () => '= nothing: deployment 1-100 is done; start a new pipeline to deploy again',
      ),
      ...Array.from(
        { length: 7 },
        () => '= nothing: deployment 1-106 is done; start a new pipeline to deploy again',
      ),
    ]);
    expect(changesSince(scene, past)).toEqual([]);
    expect(await scene.rest()).toEqual([]);
  });
});

describe('two pipelines at once', () => {
  test.each(stages)(
    'let the newer one meet the lock while the older one is at %s',
    async (stage) => {
      const world = withCustomers(worldWithActive(pink), 30);
      const scene = openScene(world, slowOnGitLab);
      for (const before of stages.slice(0, stages.indexOf(stage))) await scene.type(before);
      const { simulation } = scene;
      const first = start(simulation, stage, { deploymentId: ownId, jobId: 'first' });
      // A run that starts a moment later finds the lock taken.
      const second = new Promise<ReturnType<typeof start>>((begun) => {
        const newer = { deploymentId: '1-300', jobId: 'second' };
        simulation.at(500, () => begun(start(simulation, 'prepare', newer)));
      });
      const ofSecond = second.then(({ promise }) => promise);
      const both = await simulation.run(Promise.allSettled([first.promise, ofSecond]));
      expect(both).toMatchObject({ kind: 'returned' });
      const [one, two] = (both as unknown as { value: PromiseSettledResult<unknown>[] }).value;
      expect(one?.status).toBe('fulfilled');
      expect(two).toMatchObject({ reason: { code: 'LockHeld', exitCode: 75 } });
      first.incarnation.end();
      (await second).incarnation.end();
      for (const after of stages.slice(stages.indexOf(stage) + 1)) await scene.type(after);
      const trouble = await scene.rest();
      expect(trouble.filter((text) => !text.startsWith('O5'))).toEqual([]);
    },
  );

  test('detect each other by the lock version if both take over the lock of a dead run', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world, killAt(writes('prepared')));
    await scene.type('prepare');
    const { simulation } = scene;
    const runs = ['a', 'b'].map((jobId) =>
      start(simulation, 'onboard', { deploymentId: ownId, jobId }),
    );
    const both = await simulation.run(Promise.allSettled(runs.map(({ promise }) => promise)));
    const settled = (both as unknown as { value: PromiseSettledResult<unknown>[] }).value;
    const held = settled.filter((one) => one.status === 'rejected');
    for (const { incarnation } of runs) incarnation.end();
    expect(held.length).toBeGreaterThanOrEqual(1);
    for (const one of held) expect(one).toMatchObject({ reason: { code: 'LockHeld' } });
    for (const stage of stages) await scene.type(stage);
    expect(await scene.rest()).toEqual([]);
  });
});

describe('the lock of a killed stage', () => {
  test('passes to the next run once its job is proven to have ended', async () => {
    const scene = openScene(worldWithActive(pink), killAt(writes('prepared')));
    await scene.type('prepare');
    const ending = await scene.type('onboard');
    expect(ending.log[0]).toBe(
      'Took over the lock of deployer on 1-200/job 1#1 (prepare in job job 1 of https://gitlab.example.com/platform/runners/-/pipelines/1-200, since 2026-11-02 08:00 UTC). No job of its pipeline runs.',
    );
  });

  test('stays held while the CI does not respond, however old it is, until an operator takes it', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world, killAt(writes('prepared')));
    await scene.type('prepare');
    world.behaviour.pipelines = 'unknown';
    await scene.simulation.advance(30 * 86_400_000);
    expect(await scene.type('onboard')).toMatchObject({
      error: { code: 'LockHeld', exitCode: 3 },
    });
    expect(await scene.type('onboard', { takeLock: true })).toMatchObject({ kind: 'done' });
  });

  test('counts as stale on the machine that the killed stage ran on', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world, killAt(writes('prepared')));
    await scene.type('prepare', { machine: 'laptop' });
    world.behaviour.pipelines = 'unknown';
    expect(await scene.type('onboard', { machine: 'laptop' })).toMatchObject({ kind: 'done' });
  });
});

describe('a record that another writer changes during a stage', () => {
  test('stops the stage with both values and without a further effect', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
    await scene.simulation.advance(60_000);
    scene.simulation.at(7000, (then) => {
      const record = then.parameters['/gitlab/dedicated/runner/linux/deployment_record'];
      const newest = record?.versions.at(-1);
      if (newest !== undefined)
        record?.versions.push({ ...newest, version: newest.version + 1, value: '{"mine":1}' });
    });
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ error: { code: 'ForeignWrite', exitCode: 3 } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[1]).toBe(
      'Value of the other writer (version 6 in the history): {"mine":1}',
    );
    expect(world.violations).toEqual([]);
  });
});

function changesSince({ world }: { world: ReturnType<typeof emptyWorld> }, past: number): string[] {
  const entries = listRunEffects(world, past);
  return entries
    .filter((entry) => !('name' in entry && entry.name.endsWith('deployment_lock')))
    .map((entry) => JSON.stringify(entry));
}

test('every stage reports the same in a second run and changes nothing', async () => {
  const world = withCustomers(worldWithActive(pink), 60);
  const scene = openScene(world);
  for (const stage of stages) {
    await scene.type(stage);
    const past = world.history.length;
    const again = await drive(scene.simulation, stage, {
      deploymentId: ownId,
      jobId: `${stage} 2`,
    });
    expect(again.kind).not.toBe('error');
    expect(changesSince(scene, past)).toEqual([]);
  }
  expect([...(await scene.rest()), ...atRest(world)]).toEqual([]);
});
