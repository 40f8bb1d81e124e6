import { beforeAll, describe, expect, test } from '@jest/globals';
import { emptyWorld, pink, purple, worldWithActive } from '../fakes/builders.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command } from '../stages/drive.ts';
import { sampleOf } from '../support/sample.ts';
import { compareEnds, typeAll } from './reads-behind.ts';

/** Worlds with the commands that a terminal ran right before. */
const pasts: readonly [string, () => World, ...Command[]][] = [
  ['a first deployment', () => emptyWorld(), 'deploy'],
  ['a deployment of purple', () => worldWithActive(pink), 'deploy'],
  ['a deployment of pink', () => worldWithActive(purple), 'deploy'],
  ['prepare', () => worldWithActive(pink), 'prepare'],
  ['onboard', () => worldWithActive(pink), 'prepare', 'onboard'],
  [
    'a provision that waits for an approval',
    () => worldWithActive(pink),
    'prepare',
    'provision --until healthy',
  ],
  ['a promotion', () => worldWithActive(pink), 'prepare', 'provision'],
  ['a drain', () => worldWithActive(pink), 'prepare', 'provision', 'shutdown'],
  ['a rollback', () => worldWithActive(pink), 'prepare', 'provision', 'rollback'],
];

const commands: readonly Command[] = [
  'prepare',
  'deploy',
  'rollback',
  'activate pink',
  'activate purple',
  'recover rerun',
  'recover auto',
  'recover cleanup',
  'recover replace',
  'recover terminate',
  'bake',
  'onboard',
  'provision',
  'provision --until healthy',
  'promote',
  'shutdown',
  'cleanup',
  'finalize',
  'renew',
];

describe.each(pasts)('the state right after %s, with outdated reads', (past, open, ...typed) => {
  let world: World;
  beforeAll(async () => {
    world = open();
    await typeAll(world, typed);
    expect(world.violations).toEqual([]);
  });

  test.each(sampleOf(commands, (command) => `${past} ${command}`))(
    `ends as with current reads: %s after ${past}`,
    async (command) => {
      const { runs, otherwise } = await compareEnds(world, command);
      expect(runs).toBeGreaterThan(3);
      expect(otherwise).toEqual([]);
    },
  );
});
