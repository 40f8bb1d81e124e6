import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { addShard, pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { countJobs } from '../../fakes/world/job-counts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { turnStatusAround } from '../../simulation/beginnings/status-edit.ts';
import { openScene, withCustomers } from '../scene.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Opens a stack in which pink runs one job of two hours before its drain. */
async function openDraining(drain: Partial<StackSettings['drain']> = {}, visible = true) {
  const settings = stackSettings();
  const stack = { ...settings, drain: { ...settings.drain, ...drain } };
  const world = worldWithActive(pink, { stacks: [stack] });
  const scene = openScene(world);
  await scene.type('prepare');
  await scene.type('onboard');
  const job = submitJob(world, {
    name: 'long build',
    tags: ['linux'],
    durationMs: 2 * hour,
    visible,
  });
  await scene.simulation.advance(10_000);
  await scene.type('provision');
  scene.story.length = 0;
  return { scene, world, job, stack };
}

function pinkHost(world: World) {
  const [host] = hostsOf(world, world.stacks[0] as StackSettings, pink);
  if (host === undefined) throw new Error('pink has no host');
  return host;
}

describe('a drain', () => {
  test('outlives the deadline of its job with exit code 75, repeatedly, and is resumed', async () => {
    const { scene, world } = await openDraining();
    for (let run = 0; run < 2; run += 1) {
      const deadline = world.now + 30 * minute;
      expect(await scene.type('shutdown', { deadline })).toMatchObject({
        kind: 'error',
        phase: 'draining',
        error: { code: 'StillDraining', exitCode: 75 },
      });
      expect(world.now).toBeLessThan(deadline);
    }
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      phase: 'done',
    });
    expect(scene.story).toMatchSnapshot();
    expect(await scene.rest()).toEqual([]);
  });

  test('stops at drain.timeout with the names of the jobs and can be resumed', async () => {
    const { scene, world } = await openDraining({ timeoutMs: 30 * minute });
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'draining',
      error: {
        code: 'DrainTimedOut',
        exitCode: 1,
        fields: { why: expect.arrayContaining(['Job 9000002 "long build" is running.']) },
      },
    });
    expect(pinkHost(world)).toMatchObject({ state: 'running', process: 'running' });
    await scene.simulation.advance(3 * hour);
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('kills running jobs after drain.force_after and names them', async () => {
    const { scene, world, job } = await openDraining({ forceAfterMs: 30 * minute });
    world.behaviour.killAllowed = true;
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(ending.log).toContain(
      `! Killed by drain.force_after on host ${pinkHost(world).id}: job ${job.id} "long build".`,
    );
    await scene.type('cleanup');
    expect(countJobs(world)).toMatchObject({ interrupted: 1 });
    expect(world.violations).toEqual([]);
  });

  test('names the lost jobs and continues if its host and its infrastructure are gone', async () => {
    const { scene, world } = await openDraining();
    scene.simulation.at(5 * minute, (then) => {
      terminateHost(then, pinkHost(then), 'world');
      delete then.infrastructure['pink-linux'];
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(ending.log.filter((line) => line.startsWith('! Lost'))).toEqual([
      expect.stringMatching(
        /^! Lost: GitLab still reports job \d+ "long build" of customers\/shop as running, but its host no longer exists \(https:/,
      ),
    ]);
    expect(world.violations).toEqual([]);
  });

  test('waits for the confirmation period of GitLab if its agent stops responding', async () => {
    const { scene, world, job } = await openDraining();
    scene.simulation.at(5 * minute, (then) => {
      pinkHost(then).agent = 'lost';
    });
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.jobs[job.id]?.status).toBe('success');
    expect(await scene.rest()).toEqual([]);
  });

  test('ends if an operator reopens the shard, which stays unpaused until it is paused by hand', async () => {
    const { scene, world } = await openDraining();
    scene.simulation.at(5 * minute, (then) => {
      const [registration] = registrationsOf(then, then.stacks[0] as StackSettings, pink);
      if (registration !== undefined) registration.paused = false;
    });
    const expected = { phase: 'draining', error: { code: 'OpenedByOther', exitCode: 3 } };
    expect(await scene.type('shutdown')).toMatchObject(expected);
    expect(await scene.type('finalize')).toMatchObject(expected);
    const [registration] = registrationsOf(world, world.stacks[0] as StackSettings, pink);
    expect(registration?.paused).toBe(false);
    if (registration !== undefined) registration.paused = true;
    absorb(world);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
    expect(world.violations).toEqual([]);
  });

  test('continues under a hold, and the next step does not start', async () => {
    const { scene } = await openDraining();
    scene.simulation.at(5 * minute, (then) => {
      const value = JSON.stringify({ who: 'deployer', why: 'an incident', since: 'now' });
      putParameter(then, { name: parametersOf(then.stacks[0] as StackSettings).hold, value });
    });
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'drained',
      error: { code: 'Held', exitCode: 3 },
    });
    await scene.type('release');
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('does not start while the remaining shard accepts no jobs', async () => {
    const { scene, world } = await openDraining();
    const [registration] = registrationsOf(world, world.stacks[0] as StackSettings, purple);
    if (registration !== undefined) registration.paused = true;
    absorb(world);
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'promoted',
      error: { code: 'NothingServes', exitCode: 3 },
    });
    expect(world.violations).toEqual([]);
  });

  test('does not start once the last host of the remaining shard is gone, unnoticed by GitLab', async () => {
    const { scene, world } = await openDraining();
    for (const host of hostsOf(world, world.stacks[0] as StackSettings, purple))
      terminateHost(world, host, 'world');
    absorb(world);
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'promoted',
      text: 'pink was kept, because purple does not accept jobs.',
      error: { code: 'NothingServes', exitCode: 3 },
    });
    expect(world.violations).toEqual([]);
  });

  test('ends before its next change if an operator switches the status meanwhile', async () => {
    const { scene, world } = await openDraining();
    scene.simulation.at(1_800_000, turnStatusAround);
    expect(await scene.type('finalize')).toMatchObject({
      phase: 'drained',
      error: { code: 'FactsContradict', exitCode: 3 },
    });
    expect(world.infrastructure['pink-linux']).toBeDefined();
    expect(world.violations).toEqual([]);
  });
});

describe('a job of the deployment', () => {
  test('refuses to drain or rebuild the runner that runs it', async () => {
    const { scene, world } = await openDraining();
    const [registration] = registrationsOf(world, world.stacks[0] as StackSettings, pink);
    const ownRegistrationId = registration?.id ?? '';
    expect(await scene.type('shutdown', { ownRegistrationId })).toMatchObject({
      phase: 'promoted',
      error: { code: 'RunsOnTheShardItTouches', exitCode: 2 },
    });
  });

  test('may run on the surviving shard', async () => {
    const { scene, world } = await openDraining();
    const [registration] = registrationsOf(world, world.stacks[0] as StackSettings, purple);
    const ownRegistrationId = registration?.id ?? '';
    expect(await scene.type('finalize', { ownRegistrationId })).toMatchObject({ phase: 'done' });
  });
});

describe('another stack', () => {
  test('stays untouched if its name begins with the name of the stack', async () => {
    const other = stackSettings({ runnerName: 'linux-2' as never });
    const world = worldWithActive(pink, { stacks: [stackSettings(), other] });
    addShard(world, { shard: purple, stack: other });
    const before = JSON.stringify(registrationsOf(world, other, purple));
    const scene = openScene(withCustomers(world));
    for (const stage of ['prepare', 'provision', 'finalize'] as const) await scene.type(stage);
    expect(world.violations).toEqual([]);
    expect(JSON.stringify(registrationsOf(world, other, purple))).toBe(before);
  });
});
