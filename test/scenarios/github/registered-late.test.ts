import { describe, expect, test } from '@jest/globals';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { isLeftOpen, registerLate } from '../../fakes/hosts/registering.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../scene.ts';
import { end, isOpen, notesPause, stackOf } from '../service/promoted.ts';

/**
 * Opens a promoted fleet in which a host of pink registers another runner right after the pause.
 */
async function openPromoted(meanwhile: (world: World) => void = () => undefined) {
  const world = worldWithActive(pink, {
    stacks: [stackSettings({ managers: 1 })],
    behaviour: { runners: 'github_ephemeral', concurrent: 1 },
  });
  let isOver = false;
  const scene = openScene(world, (call) => {
    if (isOver || !notesPause(call)) return undefined;
    isOver = true;
    for (const host of hostsOf(world, stackOf(world), pink)) registerLate(world, host);
    meanwhile(world);
    absorb(world);
    return undefined;
  });
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  return { scene, world };
}

function leftOpen(world: World): readonly boolean[] {
  return registrationsOf(world, stackOf(world), pink).map(isLeftOpen);
}

describe('a runner that a host registers while its fleet is paused', () => {
  test('gets paused like the others, without a report that an operator unpaused the fleet', async () => {
    const { scene, world } = await openPromoted();
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(leftOpen(world)).toEqual([false]);
    expect(await scene.type('cleanup')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('does not make the fleet count as unpaused if the new shard dies', async () => {
    const { scene, world } = await openPromoted((then) => end(then, purple));
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('stays unpaused if an operator unpauses the fleet', async () => {
    const { scene, world } = await openPromoted((then) => {
      for (const one of registrationsOf(then, stackOf(then), pink)) one.paused = false;
    });
    const expected = { phase: 'draining', error: { code: 'OpenedByOther', exitCode: 3 } };
    expect(await scene.type('shutdown')).toMatchObject(expected);
    expect(await scene.type('finalize')).toMatchObject(expected);
    expect(isOpen(world, pink)).toBe(true);
  });
});
