import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { activeShard, hostsOf, isServing } from '../../fakes/world/serving.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { end, hang, isOpen, minute, stackOf } from './promoted.ts';

const terminal = (id: string) => ({ ci: 'terminal', deploymentId: id }) as const;

/** Pink serves again, and purple was drained and stopped; its machine is there. */
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
  'after a rollback the shard that serves %s, and the other one was stopped',
  (_, trouble) => {
    test('what is printed starts it, and it serves', async () => {
      const { world, scene } = await openTurnedBack();
      trouble(world, pink);
      // Longer than work counts that a silent host took.
      await scene.simulation.advance(5 * minute);
      const cleanup = await scene.type('cleanup', { deploymentId: '1-200-rollback' });
      const fix = cleanup.kind === 'error' ? cleanup.error.fields.fix : [];
      expect(fix).toContain(
        'Go back to purple: hosted-runner activate --runner linux --shard purple',
      );
      const activated = await scene.type('activate purple', terminal('terminal-1'));
      expect(activated).toMatchObject({ kind: 'done', phase: 'promoted' });
      expect(activated.log).toContain('Started the runner process on i-0abc0000000000002 anew.');
      expect(activeShard(world, stackOf(world))).toBe(purple);
      expect(isServing(world, stackOf(world), purple)).toBe(true);
      if (trouble === end)
        expect(await scene.type('finalize', terminal('terminal-2'))).toMatchObject({
          kind: 'done',
          phase: 'done',
        });
      expect(world.violations).toEqual([]);
    });

    test('one that does not start is an error, and typed again starts', async () => {
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
        expect.stringMatching(/^Try it again: hosted-runner activate /),
      );
      expect(isServing(world, stackOf(world), purple)).toBe(false);
      delete host.startFault;
      expect(await scene.type('activate purple', terminal('terminal-2'))).toMatchObject({
        kind: 'done',
        phase: 'promoted',
      });
      expect(isServing(world, stackOf(world), purple)).toBe(true);
      expect(world.violations).toEqual([]);
    });
  },
);

test('while the one it went back to serves, what is started anew is proven in quarantine first', async () => {
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
