import { describe, expect, test } from '@jest/globals';
import type { BakeSignals } from '../../../src/domain/settings.ts';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { end, hang, isOpen, minute } from '../service/promoted.ts';
import { openBaking, pink, purple, stackOf } from './baked.ts';

const url = 'https://prometheus.example.com';
const errors = { query: 'errors', url, above: 0.05, forMs: 0, use: 'required' } as const;
const value = (highest: number) => ({ metrics: { errors: { highest, series: '{}', doubts: [] } } });

/** Drained, and about to be watched for half an hour. */
async function openWatched(signals: Partial<BakeSignals>) {
  const opened = await openBaking({ bake: { signals: { ...jobsAlone, ...signals } } });
  await opened.scene.type('shutdown');
  return opened;
}

describe('a promoted shard that is watched by signals', () => {
  test('is taken back by a query that is above three looks running', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    world.signals = value(0);
    scene.simulation.at(10 * minute, () => {
      world.signals = value(0.2);
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.join(' ')).toContain(
      'Prometheus[0]: bad in 4 looks running, for 2m: 0.2 is above 0.05',
    );
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('is kept where a query was above for two looks', async () => {
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

  test('is told of, and kept, by one that is only reported', async () => {
    const { scene, world } = await openWatched({ prometheus: [{ ...errors, use: 'report' }] });
    world.signals = value(0.2);
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(ending.log.filter((line) => line.includes('decides nothing'))).toEqual([
      expect.stringContaining(
        'purple: prometheus[0]: bad in 3 looks running, for 2m: 0.2 is above 0.05 (reported, and decides nothing)',
      ),
    ]);
  });

  test('is said to be bad once, by what it is, where there is no way back', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    world.signals = value(0.2);
    scene.simulation.at(minute, () => end(world, pink));
    const { log } = await scene.type('bake', { deadline: world.now + 60 * minute });
    expect(log.filter((line) => line.includes('purple is bad'))).toEqual([
      expect.stringContaining('purple is bad: prometheus[0]: bad in 3 looks running'),
    ]);
    expect(log.filter((line) => line.includes('no way back to pink'))).toHaveLength(1);
  });

  test('of which nobody says anything is neither good nor bad, until the watching ends', async () => {
    const { scene, world } = await openWatched({ prometheus: [errors] });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(ending.log.join('\n')).toContain('inconclusive');
    expect(activeShard(world, stackOf(world))).toBe(purple);
  });

  test('and hangs gives its place up to the old one before any canary', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    scene.simulation.at(5 * minute, () => hang(world, purple));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('and fails every job that nobody has run yet is found out by three canaries, and taken back', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    scene.simulation.at(5 * minute, () => {
      for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'fails_jobs';
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'TakenBack' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.join(' ')).toMatch(
      /anary: bad in 3 looks running, .*canary job \d+ failed/,
    );
    expect(activeShard(world, stackOf(world))).toBe(pink);
    expect(world.violations).toEqual([]);
  });

  test('is proven by a canary under the lock, also by a run that begins when the time is over', async () => {
    const { scene, world } = await openWatched({ health: 'required', canary: 'required' });
    await scene.simulation.advance(45 * minute);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(activeShard(world, stackOf(world))).toBe(purple);
    expect(world.violations).toEqual([]);
  });

  test('waits for no canary beyond the end of its own job, and leaves the next one to it', async () => {
    const { scene, world } = await openWatched({ canary: 'required' });
    await scene.simulation.advance(45 * minute);
    for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'never_takes_jobs';
    const deadline = world.now + 5 * minute;
    const ending = await scene.type('finalize', { deadline });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillBaking' } });
    expect(world.now).toBeLessThan(deadline);
    expect(registrationsOf(world, stackOf(world), purple)[0]?.tags).toEqual(['linux']);
  });

  test('asks for no canary under a hold, and goes on where it is released', async () => {
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
