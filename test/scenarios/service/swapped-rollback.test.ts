import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { activeShard, hostsOf, isAcceptingJobs } from '../../fakes/world/shards.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { end, hang, isOpen, minute, stackOf } from './promoted.ts';

const terminal = (id: string) => ({ ci: 'terminal', deploymentId: id }) as const;

/**
 * Opens a stack with pink active again after a rollback, and purple drained and stopped with its
 * machine.
 */
async function openTurnedBack() {
  const world = await reach('promoted');
  const scene = openScene(world);
  expect(await scene.type('rollback')).toMatchObject({ phase: 'promoted' });
  expect(await scene.type('shutdown', { deploymentId: '1-200-rollback' })).toMatchObject({
    phase: 'drained',
  });
  return { world, scene };
}

describe.each([
  ['hangs', hang],
  ['ends', end],
] as const)(
  'a shard that %s after a rollback to it, while the other shard is stopped',
  (_, trouble) => {
    test('leads to a printed command that starts the other shard, which then accepts jobs', async () => {
      const { world, scene } = await openTurnedBack();
      trouble(world, pink);
      // The time exceeds the period in which work on an unresponsive host counts.
      await scene.simulation.advance(5 * minute);
      const cleanup = await scene.type('cleanup', { deploymentId: '1-200-rollback' });
      const fix = cleanup.kind === 'error' ? cleanup.error.fields.fix : [];
      expect(fix).toContain(
        'Make purple active again: hosted-runner activate --runner linux --shard purple',
      );
      const activated = await scene.type('activate purple', terminal('terminal-1'));
      expect(activated).toMatchObject({ kind: 'done', phase: 'promoted' });
      expect(activated.log).toContain('Restarted the runner process on i-0abc0000000000002.');
      expect(activeShard(world, stackOf(world))).toBe(purple);
      expect(isAcceptingJobs(world, stackOf(world), purple)).toBe(true);
      if (trouble === end)
        expect(await scene.type('finalize', terminal('terminal-2'))).toMatchObject({
          kind: 'done',
          phase: 'done',
        });
      expect(world.violations).toEqual([]);
    });

    test('leads to an error if the other shard does not start, and a second command starts it', async () => {
      const { world, scene } = await openTurnedBack();
      trouble(world, pink);
      const [host] = hostsOf(world, stackOf(world), purple);
      if (host === undefined) throw new Error('purple has no host');
      host.startFault = 'the runner could not be started: "no image"';
      const refused = await scene.type('activate purple', terminal('terminal-1'));
      expect(refused).toMatchObject({
        phase: 'promoting',
        error: { code: 'StartUnproven', exitCode: 1 },
      });
      expect(refused.kind === 'error' && refused.error.fields.fix).toContainEqual(
        expect.stringMatching(/^Try again: hosted-runner activate /),
      );
      expect(isAcceptingJobs(world, stackOf(world), purple)).toBe(false);
      delete host.startFault;
      expect(await scene.type('activate purple', terminal('terminal-2'))).toMatchObject({
        kind: 'done',
        phase: 'promoted',
      });
      expect(isAcceptingJobs(world, stackOf(world), purple)).toBe(true);
      expect(world.violations).toEqual([]);
    });
  },
);

test('a restarted shard is verified in quarantine first while the other shard accepts jobs', async () => {
  const { world, scene } = await openTurnedBack();
  const tags: string[][] = [];
  const before = scene.simulation.trace.length;
  await scene.type('activate purple', terminal('terminal-1'));
  for (const { method, args } of scene.simulation.trace.slice(before))
    if (method === 'route' || method === 'start') tags.push([method, JSON.stringify(args)]);
  expect(tags.map(([method, args]) => `${method} ${args}`)).toEqual([
    'start ["i-0abc0000000000002"]',
    'route ["48214",{"tags":["canary-terminal-1-linux"],"runUntagged":false}]',
    'route ["48214",{"tags":["linux"],"runUntagged":false}]',
  ]);
  expect(isOpen(world, purple)).toBe(true);
  expect(world.violations).toEqual([]);
});
