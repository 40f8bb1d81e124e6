import { expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import { openScene } from '../scene.ts';
import { candidateOf } from './causes.ts';

function open() {
  const settings = stackSettings();
  const world = worldWithActive(pink, { stacks: [settings] });
  return { world, scene: openScene(world), hosts: hostsOf(world, settings, pink) };
}

test('a Windows host is refused by name before any change', async () => {
  const { scene, hosts } = open();
  for (const host of hosts) host.platform = 'Windows';
  expect(await scene.type('prepare')).toMatchObject({
    kind: 'error',
    error: {
      code: 'PreflightFailed',
      fields: {
        why: [
          'host i-0abc0000000000001 is a Windows host, and the scripts that query hosts need Linux; set host.access to none (docs/use/platforms.md)',
        ],
      },
    },
  });
});

test('a macOS candidate fails at once, and pink accepts jobs', async () => {
  const { scene, world } = open();
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.simulation.at(60_000, () => {
    for (const host of candidateOf(world).hosts) host.platform = 'macOS';
  });
  const ending = await scene.type('provision');
  expect(ending).toMatchObject({ kind: 'error', error: { exitCode: 1 } });
  expect(JSON.stringify(ending.kind === 'error' && ending.error.fields)).toContain(
    'is a macOS host, and the scripts that query hosts need Linux (host.access)',
  );
  expect(world.violations).toEqual([]);
});
