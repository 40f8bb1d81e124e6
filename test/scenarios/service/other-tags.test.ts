import { describe, expect, test } from '@jest/globals';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';
import {
  end,
  irreversibleCalls,
  isOpen,
  killedAtStop,
  minute,
  noteOf,
  openPromoted,
  stackOf,
} from './promoted.ts';

/** Changes the configured tags, while pink keeps those of its deployment. */
function changeTags(world: World): void {
  for (const one of registrationsOf(world, stackOf(world), pink)) one.tags = ['linux3'];
  absorb(world);
}

describe('an old shard with tags that are no longer configured', () => {
  async function openDrained(): Promise<{ scene: Scene; world: World }> {
    const { scene, world } = await openPromoted((one) => one, killedAtStop());
    changeTags(world);
    await scene.simulation.advance(6 * 60 * minute);
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'killed' });
    expect(noteOf(world)).toMatchObject({ phase: 'drained' });
    return { scene, world };
  }

  test('gets reopened once the new machine has died', async () => {
    const { scene, world } = await openDrained();
    end(world, purple);
    await scene.simulation.advance(10 * minute);
    expect(await scene.type('finalize')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(irreversibleCalls(scene).slice(1)).toEqual([]);
    expect(isOpen(world, pink)).toBe(true);
    expect(hostsOf(world, stackOf(world), pink)).toHaveLength(1);
  });

  test('counts as accepting jobs, so an unhealthy candidate stays in quarantine', async () => {
    const world = worldWithActive(pink, {
      behaviour: { boots: { 'purple-linux': ['fails_jobs'] } },
    });
    const scene = openScene(world);
    changeTags(world);
    const endings = [await scene.type('prepare'), await scene.type('provision')];
    expect(endings.at(-1)).toMatchObject({ kind: 'error', error: { exitCode: 1 } });
    const logged = endings.flatMap(({ log }) => log).join('\n');
    expect(logged).not.toContain('NO SHARD IS VERIFIED');
    expect(logged).not.toContain('still accepts jobs, despite');
    expect(registrationsOf(world, stackOf(world), purple)[0]?.tags).toEqual(['canary-1-200-linux']);
  });
});
