import { describe, expect, test } from '@jest/globals';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { askedByCanaryAlone, end, hang, isOpen, minute, stackOf } from '../service/promoted.ts';

const inDrain = { deploymentId: ownId };

function loseAgents(world: World): void {
  for (const host of hostsOf(world, stackOf(world), pink)) host.agent = 'lost';
  absorb(world);
}

/** Our drain has closed pink, whose runner asks on; its host says nothing, and the new shard dies. */
async function closedAndMute(how: 'lost' | 'none') {
  const world = await reach(
    'draining',
    how === 'none' ? { stack: askedByCanaryAlone(stackSettings()) } : {},
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

describe('an old shard that our drain has closed, and whose host says nothing', () => {
  test.each(['lost', 'none'] as const)(
    'is not taken while GitLab hears of its runner, and a rollback opens it (%s)',
    async (how) => {
      const { world, scene } = await closedAndMute(how);
      const taken = await scene.type('recover although', inDrain);
      expect(taken).toMatchObject({
        phase: 'draining',
        error: {
          code: 'CannotRecover',
          fields: {
            why: [
              expect.stringMatching(
                /^Pink was closed by this deployment and may have a process that runs: a manager of it contacted GitLab \d+s ago\.$/,
              ),
            ],
            fix: [
              'Go back to pink: hosted-runner rollback --runner linux',
              'Look at everything: hosted-runner doctor --runner linux',
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

  test.each(['lost', 'none'] as const)('may be taken after a silence (%s)', async (how) => {
    const { world, scene } = await closedAndMute(how);
    hang(world, pink);
    for (const host of hostsOf(world, stackOf(world), pink)) host.cutOff = 'hangs';
    contactedLongAgo(world);
    // A job is on it by GitLab's word, which the drain waits for.
    const deadline = world.now + 10 * minute;
    expect(await scene.type('recover although', { ...inDrain, deadline })).toMatchObject({
      error: { code: 'StillDraining' },
    });
  });

  test('is taken at once where its machine has ended, by two sources', async () => {
    const { world, scene } = await closedAndMute('lost');
    end(world, pink);
    expect(await scene.type('recover although', inDrain)).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  });
});
