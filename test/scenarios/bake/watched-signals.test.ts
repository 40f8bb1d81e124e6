import { describe, expect, test } from '@jest/globals';
import type { BakeSignals } from '../../../src/domain/settings.ts';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { end, hang, isOpen, minute } from '../service/promoted.ts';
import { openBaking, pink, purple, stackOf } from './baked.ts';

const url = 'https://prometheus.example.com';
const errors = { query: 'errors', url, above: 0.05, forMs: 0, use: 'required' } as const;
const value = (highest: number) => ({ metrics: { errors: { highest, series: '{}', doubts: [] } } });

/** Opens a drained stack before a bake of half an hour. */
async function openWatched(signals: Partial<BakeSignals>) {
  const opened = await openBaking({ bake: { signals: { ...jobsAlone, ...signals } } });
  await opened.scene.type('shutdown');
  return opened;
}

describe('a promoted shard with bake signals', () => {
  test('gets rolled back if a query is above its limit in three consecutive checks', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    world.signals = value(0);
    scene.simulation.at(10 * minute, () => {
      world.signals = value(0.2);
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.join(' ')).toContain(
      'Prometheus[0]: bad in 4 consecutive checks, for 2m: 0.2 is above 0.05',
    );
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('stays active if a query was above its limit in two checks', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    world.signals = value(0);
    scene.simulation.at(10 * minute, () => {
      world.signals = value(0.2);
    });
    scene.simulation.at(11.5 * minute, () => {
      world.signals = value(0.01);
    });
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
  });

  test('stays active if the bad signal is only reported, and the log contains it', async () => {
    const { scene, world } = await openWatched({ prometheus: [{ ...errors, use: 'report' }] });
    world.signals = value(0.2);
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(ending.log.filter((line) => line.includes('reported only'))).toEqual([
      expect.stringContaining(
        'purple: prometheus[0]: bad in 3 consecutive checks, for 2m: 0.2 is above 0.05 (reported only; it does not change the verdict)',
      ),
    ]);
  });

  test('causes one log line about the bad signal if a rollback is impossible', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    world.signals = value(0.2);
    scene.simulation.at(minute, () => end(world, pink));
    const { log } = await scene.type('bake', { deadline: world.now + 60 * minute });
    expect(log.filter((line) => line.includes('purple is bad'))).toEqual([
      expect.stringContaining('purple is bad: prometheus[0]: bad in 3 consecutive checks'),
    ]);
    expect(log.filter((line) => line.includes('No rollback to pink is possible'))).toHaveLength(1);
  });

  test('gets no verdict until the time limit if a signal has no value', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(ending.log.join('\n')).toContain('inconclusive');
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });

  test('yields to the old shard before any canary if its process hangs', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    scene.simulation.at(5 * minute, () => hang(world, purple));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('gets rolled back after three failed canaries if it fails every job', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    scene.simulation.at(5 * minute, () => {
      for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'fails_jobs';
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.join(' ')).toMatch(
      /anary: bad in 3 consecutive checks, .*canary job \d+ failed/,
    );
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('passes by a canary under the lock, even in a run that starts after the bake time', async () => {
    const { scene, world } = await openWatched({ health: 'required', canary: 'required' });
    await scene.simulation.advance(45 * minute);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('waits for no canary beyond the end of its job and leaves it to the next job', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    await scene.simulation.advance(45 * minute);
    for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'never_takes_jobs';
    const deadline = world.now + 5 * minute;
    const ending = await scene.type('finalize', { deadline });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillBaking' } });
    expect(world.now).toBeLessThan(deadline);
    expect(registrationsOf(world, stackOf(world), purple)[0]?.tags).toEqual(['linux']);
  });

  test('gets no canary under a hold and continues after the release', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    scene.simulation.at(5 * minute, () => hold(world));
    scene.simulation.at(60 * minute, () =>
      removeParameter(world, parametersOf(stackOf(world)).hold),
    );
    expect(await scene.type('bake')).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(world.violations).toEqual([]);
  });
});

function hold(world: World): void {
  const since = new Date(world.now).toISOString();
  const value = JSON.stringify({ who: 'on-call', why: 'an incident', since });
  putParameter(world, { name: parametersOf(stackOf(world)).hold, value });
}
