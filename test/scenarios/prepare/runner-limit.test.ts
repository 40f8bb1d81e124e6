import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { linux, pink, worldWithActive } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

describe('prepare', () => {
  const reached = { place: 'group', most: 50, count: 50 } as const;

  test('refuses a deployment whose candidate exceeds the limit of runners, and changes nothing', async () => {
    const world = worldWithActive(pink, {
      behaviour: { reachedLimit: { ...reached, isCertain: true } },
    });
    const ending = await openScene(world).type('prepare');
    expect(ending).toMatchObject({
      phase: 'none',
      error: {
        code: 'RunnerLimit',
        fields: {
          why: ['The group has 50 runners that count toward the limit.', expect.anything()],
        },
      },
    });
  });

  test('does not count a runner that already exists for the candidate', async () => {
    const world = await reach('done');
    const [settings] = world.stacks;
    addRegistration(world, {
      shard: { runnerName: linux, shard: pink },
      settings: (settings as StackSettings).registration,
      tags: ['x'],
      note: '',
    });
    absorb(world);
    world.behaviour.reachedLimit = { ...reached, isCertain: true };
    const ending = await openScene(world).type('prepare', { deploymentId: '1-300' });
    expect(ending).toMatchObject({ kind: 'done', phase: 'prepared' });
    expect(ending.log.join(' ')).toContain('Chose pink as candidate');
  });

  test('warns of an assumed limit of runners and continues', async () => {
    const world = worldWithActive(pink, {
      behaviour: { reachedLimit: { ...reached, isCertain: false } },
    });
    const ending = await openScene(world).type('prepare');
    expect(ending).toMatchObject({ kind: 'done', phase: 'prepared' });
    expect(ending.log.join(' ')).toContain('GitLab may allow at most 50');
  });
});
