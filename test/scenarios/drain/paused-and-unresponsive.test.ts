import { describe, expect, test } from '@jest/globals';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { end, hang, isOpen, minute, removeHostAccess, stackOf } from '../service/promoted.ts';

const inDrain = { deploymentId: ownId };

function loseAgents(world: World): void {
  for (const host of hostsOf(world, stackOf(world), pink)) host.agent = 'lost';
  absorb(world);
}

/**
 * Reaches a drain with pink paused. Pink's runner still polls, its host does not respond, and
 * purple dies.
 */
async function reachPausedDrain(how: 'lost' | 'none') {
  const world = await reach(
    'draining',
    how === 'none' ? { stack: removeHostAccess(stackSettings()) } : {},
  );
  world.violations.length = 0;
  if (how === 'lost') loseAgents(world);
  end(world, purple);
  return { world, scene: openScene(world) };
}

function contactedLongAgo(world: World): void {
  for (const { managers } of registrationsOf(world, stackOf(world), pink))
    for (const manager of managers) manager.contactedAt = world.now - 60 * minute;
  absorb(world);
}

describe('an old shard that a drain paused and whose host does not respond', () => {
  test.each(['lost', 'none'] as const)(
    'stays while GitLab has contact with its runner, and a rollback reopens it (%s)',
    async (how) => {
      const { world, scene } = await reachPausedDrain(how);
      const taken = await scene.type('recover although', inDrain);
      expect(taken).toMatchObject({
        phase: 'draining',
        error: {
          code: 'CannotRecover',
          fields: {
            why: [
              expect.stringMatching(
                /^Pink was paused by this deployment and may have a running process: a manager contacted GitLab \d+s ago\.$/,
              ),
            ],
            fix: [
              'Make pink active again: hosted-runner rollback --runner linux',
              'Diagnose the stack: hosted-runner doctor --runner linux',
            ],
          },
        },
      });
      const rolled = await scene.type('rollback', { deploymentId: '1-300' });
      expect(rolled.phase).not.toBe('draining');
      expect(isOpen(world, pink)).toBe(true);
      expect(world.violations).toEqual([]);
    },
  );

  test.each(['lost', 'none'] as const)(
    'may be removed after a time without contact (%s)',
    async (how) => {
      const { world, scene } = await reachPausedDrain(how);
      hang(world, pink);
      for (const host of hostsOf(world, stackOf(world), pink)) host.cutOff = 'hangs';
      contactedLongAgo(world);
      // GitLab reports a job on the shard, for which the drain waits.
      const deadline = world.now + 10 * minute;
      expect(await scene.type('recover although', { ...inDrain, deadline })).toMatchObject({
        error: { code: 'StillDraining' },
      });
    },
  );

  test('gets removed at once if EC2 and Systems Manager report that its machine has ended', async () => {
    const { world, scene } = await reachPausedDrain('lost');
    end(world, pink);
    expect(await scene.type('recover although', inDrain)).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  });
});
