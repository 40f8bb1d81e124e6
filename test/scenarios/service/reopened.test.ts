import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf, parameterValue, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { end, hang, hour, intakeIn, isOpen, minute, openPromoted, stackOf } from './promoted.ts';

describe('a run that died right after it reopened the old shard', () => {
  /**
   * Opens a stack whose run died right after it reopened the old shard. The record still contains
   * the drain's pause.
   */
  async function openDead(trouble: typeof hang) {
    let dies = true;
    const { scene, world } = await openPromoted(undefined, ({ port, method, args }) => {
      if (!dies || port !== 'registry' || method !== 'setIntake' || args[1] !== 'open')
        return undefined;
      dies = false;
      return { kind: 'crash_after' };
    });
    scene.simulation.at(hour, () => trouble(world, purple));
    await scene.type('shutdown');
    expect(isOpen(world, pink)).toBe(true);
    return { scene, world };
  }

  test('leaves the shard unpaused unless newer evidence verifies the new one', async () => {
    const { scene, world } = await openDead(hang);
    expect(await scene.type('shutdown')).toMatchObject({
      phase: 'promoted',
      error: { code: 'ServiceLost' },
    });
    expect(isOpen(world, pink)).toBe(true);
    const closed = scene.simulation.trace.filter(
      ({ method, args }) => method === 'setIntake' && args[1] === 'closed',
    );
    expect(closed).toHaveLength(1);
    expect(intakeIn(world, pink)).toMatchObject({ state: 'accepting', by: 'deployment' });
  });

  test('leads to no rollback command if the runner of the old shard is gone', async () => {
    const { scene, world } = await openDead(end);
    const [registration] = registrationsOf(world, stackOf(world), pink);
    delete world.registrations[registration?.id ?? ''];
    const ending = await scene.type('shutdown');
    expect(JSON.stringify(ending)).not.toContain('hosted-runner rollback');
    expect(ending).toMatchObject({ kind: 'error' });
  });
});

test('a run that keeps the old shard unpaused for a while logs the reason', async () => {
  const { scene, world } = await openPromoted();
  scene.simulation.at(hour, () => end(world, purple));
  const { log } = await scene.type('shutdown');
  const at = log.findIndex((line) => line.startsWith('! REOPENED pink'));
  expect(log[at + 1]).toBe(
    'Waiting: an earlier write may still take effect and pause pink again (for 30s in total).',
  );
});

test('a pause that takes effect after the reopening is undone', async () => {
  let isLate = true;
  const { scene, world } = await openPromoted(undefined, ({ port, method, args }) => {
    if (!isLate || port !== 'registry' || method !== 'setIntake' || args[1] !== 'closed')
      return undefined;
    isLate = false;
    scene.simulation.at(5000, () => end(world, purple));
    return { kind: 'late_effect', afterMs: 75_000 };
  });
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
  const [registration] = registrationsOf(world, stackOf(world), pink);
  const warnings = ending.log.filter((line) => line.startsWith('! '));
  expect(warnings).toContain(
    `! Runner ${registration?.id} of pink was paused again by a delayed write; hosted-runner reopens it.`,
  );
  expect(isOpen(world, pink)).toBe(true);
  await scene.simulation.advance(hour);
  expect(isOpen(world, pink)).toBe(true);
});

test('a cleanup that finds both machines dead prints no stage that would end in the same way', async () => {
  const world = await reach('drained');
  for (const shard of [pink, purple]) end(world, shard);
  const scene = openScene(world);
  const ending = await scene.type('cleanup');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
  expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
    'If pink cannot accept jobs either, remove it: hosted-runner recover --runner linux --although-nothing-serves --yes',
  ]);
  expect(await scene.type('finalize')).toMatchObject({ error: { code: 'NothingServes' } });
});

describe('a reopening that GitLab does not accept now', () => {
  async function openRefused(meanwhile: (world: World) => void = () => {}) {
    let isRefused = false;
    const { scene, world } = await openPromoted(undefined, ({ port, method, args }) => {
      if (isRefused || port !== 'registry' || method !== 'setIntake' || args[1] !== 'open')
        return undefined;
      isRefused = true;
      scene.simulation.at(minute / 2, () => meanwhile(world));
      return { kind: 'error_before', failure: 'throttled', againInMs: minute };
    });
    scene.simulation.at(hour, () => end(world, purple));
    return { scene, world };
  }

  test('follows once GitLab accepts it', async () => {
    const { scene, world } = await openRefused();
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('does not follow if another process writes the record meanwhile', async () => {
    const { scene, world } = await openRefused((then) => {
      const { record } = parametersOf(stackOf(then));
      putParameter(then, { name: record, value: `${parameterValue(then, record)} ` });
    });
    await scene.type('shutdown');
    const sent = scene.simulation.trace.filter(
      ({ method, args }) => method === 'setIntake' && args[1] === 'open',
    );
    expect(sent).toHaveLength(1);
    expect(isOpen(world, pink)).toBe(false);
  });
});
