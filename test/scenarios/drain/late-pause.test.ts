import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { hostsOf, parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { writes } from '../../stages/reach.ts';
import {
  atPause,
  end,
  hour,
  intakeIn,
  irreversibleCalls,
  isOpen,
  minute,
  openPromoted,
  pause,
  stackOf,
} from '../service/promoted.ts';

const lateByMs = 20 * minute;
const closePurple = (world: World) => pause(world, purple, true);

async function openBefore(
  dies: boolean,
  stops: (world: World) => void,
  intercept: Intercept = () => undefined,
) {
  const first = atPause(() => {
    scene.simulation.at(5000, () => stops(world));
    return { kind: 'outlived', afterMs: lateByMs, dies };
  });
  const { scene, world } = await openPromoted(undefined, (call) => intercept(call) ?? first(call));
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject(dies ? { kind: 'killed' } : { error: { code: 'ServiceLost' } });
  if (dies) expect(await scene.type('finalize')).toMatchObject({ kind: 'error' });
  expect(isOpen(world, pink)).toBe(true);
  return { scene, world };
}

/**
 * Opens a stack whose drain gets no response to its first pause. The pause takes effect long after
 * pink was reopened because purple had stopped accepting jobs.
 * @param dies whether the run that sent the pause receives no further response
 */
async function openLate(dies: boolean, stops: (world: World) => void = closePurple) {
  const { scene, world } = await openBefore(dies, stops);
  await scene.simulation.advance(hour);
  expect(isOpen(world, pink)).toBe(false);
  return { scene, world };
}

describe.each([
  ['by a run that continued', false],
  ['by a run that died', true],
])('a pause that takes effect long after the reopening, sent %s', (_, dies) => {
  test.each([
    ['has ended', (world: World) => end(world, purple)],
    ['is paused', closePurple],
  ])('gets undone by the next run if the new shard %s', async (__, stops) => {
    const { scene, world } = await openLate(dies, stops);
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(intakeIn(world, pink)).toMatchObject({ state: 'pausing', by: 'unknown' });
    const why = ending.kind === 'error' ? ending.error.fields.why : [];
    expect(why?.at(-1)).toMatch(
      /^Pink had been paused by a delayed pause of \S+Z that got no response, or outside hosted-runner\.$/,
    );
    expect(JSON.stringify(ending)).toContain('hosted-runner rollback --runner linux');
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(world.violations).toEqual([]);
  });

  test('counts as sent by hosted-runner in the next drain, which reports that an operator may have paused the shard', async () => {
    const { scene, world } = await openLate(dies);
    pause(world, purple, false);
    await scene.simulation.advance(minute);
    scene.simulation.at(30 * minute, () => end(world, purple));
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(ending.log.filter((line) => line.includes('before its drain'))).toEqual([
      expect.stringMatching(
        /^! Runner 48213 of pink was already paused before its drain, by a delayed pause of \S+ that got no response, or outside hosted-runner\. hosted-runner reopens it if purple stops accepting jobs\.$/,
      ),
    ]);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('counts as sent by hosted-runner in a retreat of the shard after a rollback', async () => {
    let happens: Intercept = () => undefined;
    const { scene, world } = await openBefore(dies, closePurple, (call) => happens(call));
    pause(world, purple, false);
    for (const host of hostsOf(world, stackOf(world), pink)) host.boot = 'broken_workload';
    await scene.simulation.advance(10 * minute);
    let isRetreating = false;
    happens = (call) => {
      if (isRetreating && call.method === 'listJobs') end(world, purple);
      isRetreating ||= writes('retreating')(call);
      return undefined;
    };
    const ending = await scene.type('rollback');
    expect(ending).toMatchObject({ phase: 'retreating', error: { code: 'ServiceLost' } });
    expect(ending.log.filter((line) => line.includes('before its removal'))).toEqual([
      '! Runner 48213 of pink was already paused before its removal, by a delayed pause of its drain that got no response, or outside hosted-runner. hosted-runner reopens it if purple stops accepting jobs.',
    ]);
    expect(isOpen(world, pink)).toBe(true);
    expect(irreversibleCalls(scene)).toEqual([]);
  });

  test('does not keep the shard once the new one accepts jobs', async () => {
    const { scene, world } = await openLate(dies);
    pause(world, purple, false);
    await scene.simulation.advance(minute);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });
});

test('a reopened shard that no late pause can affect counts as paused by an operator', async () => {
  const { scene, world } = await openPromoted();
  scene.simulation.at(10 * minute, () => closePurple(world));
  expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
  pause(world, purple, false);
  pause(world, pink, true);
  await scene.simulation.advance(minute);
  scene.simulation.at(10 * minute, () => end(world, purple));
  expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
  expect(intakeIn(world, pink)).toMatchObject({ state: 'paused', by: 'operator' });
  expect(isOpen(world, pink)).toBe(false);
});

test('a shard that a late pause may still affect is not reported as left paused', async () => {
  let isDue = false;
  const first = atPause(() => {
    scene.simulation.at(5000, () => closePurple(world));
    return { kind: 'outlived', afterMs: 10 * hour, dies: false };
  });
  const { scene, world } = await openPromoted(undefined, (call) => {
    if (isDue && call.port === 'registry') hold(world);
    return first(call);
  });
  await scene.type('shutdown');
  pause(world, purple, false);
  await scene.simulation.advance(minute);
  isDue = true;
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Held' } });
  expect(ending.log.filter((line) => line.includes('closed'))).toEqual([]);
});

function hold(world: World): void {
  const value = JSON.stringify({ who: 'kim', why: 'audit', since: '2026-11-02T08:00:00.000Z' });
  putParameter(world, { name: parametersOf(stackOf(world)).hold, value });
}
