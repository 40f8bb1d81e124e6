import { describe, expect, test } from '@jest/globals';
import type { Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { killProcess } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { hostsOf, isServing, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import {
  askedByCanaryAlone,
  end,
  hang,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  stackOf,
} from './promoted.ts';

describe('while the old shard drains', () => {
  test('the end of the new machine opens the old shard again, at once and loudly', async () => {
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
      says: 'purple no longer serves; pink is open again, and nothing of it was taken away.',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
      'Go back to pink: hosted-runner rollback --runner linux',
    );
    expect(ending.log.some((line) => line.startsWith('! OPENED pink AGAIN: no machine of'))).toBe(
      true,
    );
    expect(world.now - endedAt).toBeLessThan(2 * minute);
    expect({ open: isOpen(world, pink), serves: isServing(world, stackOf(world), pink) }).toEqual({
      open: true,
      serves: true,
    });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(world.violations).toEqual([]);
  });

  test.each([
    [{}, ''],
    [{ config: 'elsewhere.yml' }, ' --config elsewhere.yml'],
  ])('a run that ends before it says who looks after it, typed with %j', async (given, named) => {
    const { scene, world } = await openPromoted();
    const ending = await scene.type('shutdown', {
      deploymentId: '1-200',
      deadline: world.now + 30 * minute,
      ...given,
    });
    expect(ending).toMatchObject({ kind: 'error', error: { exitCode: 75 } });
    expect(isOpen(world, pink)).toBe(false);
    expect(ending.log).toContain(
      `Left pink closed, as purple serves. While nobody runs nobody looks: should purple stop, the next run of finalize opens pink, and no schedule of one is known here. To look again: hosted-runner finalize --runner linux${named}`,
    );
  });

  test('a new machine that hangs is looked at for ten minutes, and then the old shard is opened', async () => {
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
    // The last look before it, and the opening. A canary that is waited for is no reason to wait longer.
    expect(world.now - hungAt).toBeLessThan(12 * minute);
    expect(isOpen(world, pink)).toBe(true);
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test('the end of the new machine while a canary is waited for opens the old shard at once', async () => {
    const { scene, world } = await openPromoted();
    scene.simulation.at(40 * minute, (then) => hang(then, purple));
    let endedAt = 0;
    scene.simulation.at(43 * minute, (then) => {
      endedAt = then.now;
      end(then, purple);
    });
    const ending = await scene.type('shutdown');
    expect(ending.log).toContain(
      'Asking purple for a canary: nothing newer proves that it serves.',
    );
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(world.now - endedAt).toBeLessThan(2 * minute);
  });

  test('what a run before this one has left closed is not closed for longer than these ten minutes', async () => {
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

  test('a hold does not forbid the opening', async () => {
    const { scene, world } = await openPromoted();
    scene.simulation.at(30 * minute, (then) => {
      const value = JSON.stringify({ who: 'deployer', why: 'an incident', since: 'now' });
      putParameter(then, { name: parametersOf(stackOf(then)).hold, value });
      end(then, purple);
    });
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('after the second opening a person decides', async () => {
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

  test('where no host may be asked, the canary proves the new shard again and again', async () => {
    const { scene, world } = await openPromoted(askedByCanaryAlone);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(
      Object.values(world.jobs).filter(({ kind }) => kind === 'canary').length,
    ).toBeGreaterThan(5);
    expect(await scene.rest()).toEqual([]);
  });
});

describe('between what was proven and what it was proven for', () => {
  /** The new machine ends as the record is written with that phase, after which nothing asks but the effect. */
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

  test('the end of the new machine after the drain leaves the process of the old one, and opens it', async () => {
    const { scene, world } = await openEndingAt('drained');
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({
      phase: 'promoted',
      says: 'purple no longer serves; pink is open again, and nothing of it was taken away.',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
      'Go back to pink: hosted-runner rollback --runner linux',
    ]);
    expect(irreversibleCalls(scene)).toEqual([]);
    expect({ open: isOpen(world, pink), serves: isServing(world, stackOf(world), pink) }).toEqual({
      open: true,
      serves: true,
    });
  });

  test('where its process alone has ended the rest is named that is left, whatever was typed', async () => {
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
      'Go back to pink: hosted-runner rollback --runner linux',
      'Or mend purple, which is looked at anew: hosted-runner finalize --runner linux',
    ]);
  });

  test('the end of the new machine as the cleanup begins leaves the registration of the old one', async () => {
    const { scene } = await openEndingAt('destroying');
    await scene.type('shutdown');
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'destroying',
      error: { code: 'NothingServes', exitCode: 3 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
  });
});
