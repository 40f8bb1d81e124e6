import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Shard } from '../../src/domain/shard.ts';
import { emptyWorld, pink, purple, worldWithActive } from '../fakes/builders.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command } from '../stages/drive.ts';
import { compareEnds, typeAll } from './reads-behind.ts';

/** What a terminal has typed right before. */
const pasts: readonly [string, () => World, ...Command[]][] = [
  ['a first deployment', () => emptyWorld(), 'deploy'],
  ['a deployment of purple', () => worldWithActive(pink), 'deploy'],
  ['a deployment of pink', () => worldWithActive(purple), 'deploy'],
  ['a promotion', () => worldWithActive(pink), 'prepare', 'provision'],
];

const commands: readonly Command[] = [
  'prepare',
  'deploy',
  'rollback',
  'activate pink',
  'activate purple',
  'recover rerun',
  'bake',
  'provision',
  'shutdown',
  'cleanup',
  'finalize',
];

/**
 * An activation that is not known to change nothing begins, proves the shard with a canary and ends as
 * promoted: a superfluous one, which interrupts no job, but which the next `deploy` finishes instead of
 * building. No log proves that a read of the token is current.
 */
function activatedAnew(shard: Shard, read: string): readonly string[] {
  const end = `done, activate terminal-9 of ${shard} promoted`;
  return [`${read}: ${end}`, `the first read of each parameter: ${end}`];
}

/** What ends otherwise; whatever no longer does is to be taken out. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'activate purple after a deployment of purple': activatedAnew(
    purple,
    'read 1 of pink/runner_token',
  ),
  'activate pink after a deployment of pink': activatedAnew(pink, 'read 1 of purple/runner_token'),
};

describe.each(pasts)('right after %s, with reads that are behind', (past, open, ...typed) => {
  let world: World;
  beforeAll(async () => {
    world = open();
    await typeAll(world, typed);
    expect(world.violations).toEqual([]);
  });

  test.each(commands)(`ends as with current reads: %s after ${past}`, async (command) => {
    const { runs, otherwise } = await compareEnds(world, command);
    expect(runs).toBeGreaterThan(3);
    expect(otherwise).toEqual(exceptions[`${command} after ${past}`] ?? []);
  });
});
