import { describe, expect, test } from '@jest/globals';
import type { Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { killProcess } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import {
  hostsOf,
  isAcceptingJobs,
  parametersOf,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import {
  end,
  hang,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  removeHostAccess,
  stackOf,
} from './promoted.ts';

describe('a drain of the old shard', () => {
  test('reopens the old shard at once and with a warning if the new machine ends', async () => {
    const { scene, world } = await openPromoted();
    let endedAt = 0;
    scene.simulation.at(30 * minute, (then) => {
      endedAt = then.now;
      end(then, purple);
    });
    const ending = await scene.type('deploy', { deploymentId: '1-200' });
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'promoted',
      text: 'purple no longer accepts jobs. pink was reopened, and no resource of pink was removed.',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
      'Make pink active again: hosted-runner rollback --runner linux',
    );
    expect(ending.log.some((line) => line.startsWith('! REOPENED pink: no machine of'))).toBe(true);
    expect(world.now - endedAt).toBeLessThan(2 * minute);
    expect({
      open: isOpen(world, pink),
      accepting: isAcceptingJobs(world, stackOf(world), pink),
    }).toEqual({
      open: true,
      accepting: true,
    });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(world.violations).toEqual([]);
  });

  test.each([
    [{}, ''],
    [{ config: 'elsewhere.yml' }, ' --config elsewhere.yml'],
  ])('names the next run if its own run ends first, typed with %j', async (given, named) => {
    const { scene, world } = await openPromoted();
    const ending = await scene.type('shutdown', {
      deploymentId: '1-200',
      deadline: world.now + 30 * minute,
      ...given,
    });
    expect(ending).toMatchObject({ kind: 'error', error: { exitCode: 75 } });
    expect(isOpen(world, pink)).toBe(false);
    expect(ending.log).toContain(
      `Left pink paused, because purple accepts jobs. hosted-runner does not check purple between runs: if purple stops accepting jobs, the next run of finalize reopens pink, but hosted-runner knows of no schedule for finalize. To check again: hosted-runner finalize --runner linux${named}`,
    );
  });

  test('checks a new machine that hangs for ten minutes and then reopens the old shard', async () => {
    const { scene, world } = await openPromoted();
    let hungAt = 0;
    scene.simulation.at(40 * minute, (then) => {
      hungAt = then.now;
      hang(then, purple);
    });
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'promoted',
      error: { code: 'ServiceLost' },
    });
    expect(world.now - hungAt).toBeGreaterThan(10 * minute);
    // The bound includes the last check and the reopening. A pending canary does not extend it.
    expect(world.now - hungAt).toBeLessThan(12 * minute);
    expect(isOpen(world, pink)).toBe(true);
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test('reopens the old shard at once if the new machine ends while a canary waits', async () => {
    const { scene, world } = await openPromoted();
    scene.simulation.at(40 * minute, (then) => hang(then, purple));
    let endedAt = 0;
    scene.simulation.at(43 * minute, (then) => {
      endedAt = then.now;
      end(then, purple);
    });
    const ending = await scene.type('shutdown');
    expect(ending.log).toContain('Starting a canary on purple: no newer evidence verifies it.');
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(world.now - endedAt).toBeLessThan(2 * minute);
  });

  test('reopens a shard that an earlier run left paused after the same ten minutes', async () => {
    const { scene, world } = await openPromoted();
    await scene.type('shutdown', { deadline: world.now + 30 * minute });
    hang(world, purple);
    const begunAt = world.now;
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'promoted',
      error: { code: 'ServiceLost' },
    });
    expect(world.now - begunAt).toBeGreaterThan(9 * minute);
    expect(world.now - begunAt).toBeLessThan(11 * minute);
    expect(isOpen(world, pink)).toBe(true);
  });

  test('reopens the old shard under a hold as well', async () => {
    const { scene, world } = await openPromoted();
    scene.simulation.at(30 * minute, (then) => {
      const value = JSON.stringify({ who: 'deployer', why: 'an incident', since: 'now' });
      putParameter(then, { name: parametersOf(stackOf(then)).hold, value });
      end(then, purple);
    });
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('leaves the decision to an operator after the second reopening', async () => {
    const { scene, world } = await openPromoted();
    const pauseAndOpen = (then: World) => {
      const [registration] = registrationsOf(then, stackOf(then), purple);
      if (registration === undefined) return;
      registration.paused = true;
      absorb(then);
    };
    for (const times of [1, 2]) {
      scene.simulation.at(10 * minute, pauseAndOpen);
      expect(await scene.type('shutdown')).toMatchObject({
        phase: 'promoted',
        error: { code: 'ServiceLost' },
      });
      expect({ times, open: isOpen(world, pink) }).toEqual({ times, open: true });
      const [registration] = registrationsOf(world, stackOf(world), purple);
      if (registration !== undefined) registration.paused = false;
      absorb(world);
    }
    expect(await scene.type('finalize')).toMatchObject({
      phase: 'promoted',
      error: { code: 'OpenedAgainTwice', exitCode: 3 },
    });
    expect(isOpen(world, pink)).toBe(true);
    expect(await scene.type('activate purple', { deploymentId: '1-300' })).toMatchObject({
      kind: 'done',
    });
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject({
      phase: 'done',
    });
  });

  test('repeats the canary to verify the new shard without access to hosts', async () => {
    const { scene, world } = await openPromoted(removeHostAccess);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(
      Object.values(world.jobs).filter(({ kind }) => kind === 'canary').length,
    ).toBeGreaterThan(5);
    expect(await scene.rest()).toEqual([]);
  });
});

describe('the time between a proof and its use', () => {
  /**
   * Ends the new machine when the record is written with that phase. No check follows before the
   * effect.
   */
  async function openEndingAt(phase: Phase) {
    let hasEnded = false;
    const opened = await openPromoted(undefined, ({ port, args }) => {
      const isWritten =
        port === 'parameters' && JSON.stringify(args).includes(`phase\\":\\"${phase}\\"`);
      if (hasEnded || !isWritten) return undefined;
      hasEnded = true;
      end(opened.world, purple);
      return undefined;
    });
    return opened;
  }

  test('the end of the new machine after the drain keeps the process of the old shard and reopens it', async () => {
    const { scene, world } = await openEndingAt('drained');
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({
      phase: 'promoted',
      text: 'purple no longer accepts jobs. pink was reopened, and no resource of pink was removed.',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
      'Make pink active again: hosted-runner rollback --runner linux',
    ]);
    expect(irreversibleCalls(scene)).toEqual([]);
    expect({
      open: isOpen(world, pink),
      accepting: isAcceptingJobs(world, stackOf(world), pink),
    }).toEqual({
      open: true,
      accepting: true,
    });
  });

  test('the end of the new process alone leads to commands for the remaining work, whatever was typed', async () => {
    let hasEnded = false;
    const { scene, world } = await openPromoted(undefined, ({ port, args }) => {
      if (hasEnded || port !== 'parameters') return undefined;
      if (!JSON.stringify(args).includes('phase\\":\\"drained\\"')) return undefined;
      hasEnded = true;
      for (const host of hostsOf(world, stackOf(world), purple)) killProcess(world, host);
      absorb(world);
      return undefined;
    });
    const ending = await scene.type('deploy');
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
      'Make pink active again: hosted-runner rollback --runner linux',
      'Or fix purple, then resume: hosted-runner finalize --runner linux',
    ]);
  });

  test('the end of the new machine at the start of the cleanup keeps the runner of the old shard', async () => {
    const { scene } = await openEndingAt('destroying');
    await scene.type('shutdown');
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'destroying',
      error: { code: 'NothingServes', exitCode: 3 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
  });
});
