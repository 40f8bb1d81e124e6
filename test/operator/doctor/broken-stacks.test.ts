import { describe, expect, test } from '@jest/globals';
import { findingEntries } from '../../../src/domain/doctor/catalogue.ts';
import { brokenStacks } from '../../broken-stacks/broken-stacks.ts';
import { listAcceptingShards } from '../../fakes/world/shards.ts';
import { examine, heal, picture, stackOf } from './examine.ts';
import { printedCommands } from './printed-commands.ts';

const worlds = brokenStacks.examined;

test('the broken stacks number at least 30, each with a unique name', () => {
  const all = [...worlds, ...brokenStacks.guarded];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(worlds.length).toBeGreaterThanOrEqual(30);
});

/**
 * Commands that separate tests type, because they need a special world: GitHub tokens and versions,
 * a clock, an illegible lock.
 */
const elsewhere = {
  lock_illegible: '--take-lock, over the lock of LockInvalid: test/errors/printing-stacks.test.ts',
  token_ended: 'renew: test/scenarios/github/github-tokens.test.ts',
  runner_missing: 'deploy: test/operator/doctor/github-words.test.ts',
  clock_off: 'doctor again, as of every diagnosis that a person has to mend',
  runner_token_ends: 'deploy: test/scenarios/endings/token-expiry.test.ts',
  version_ends: 'deploy: test/scenarios/endings/version-expiry.test.ts',
};

test('every diagnosis that prints a command has a world in which this command is typed', () => {
  const printing = Object.entries(findingEntries).flatMap(([code, { commands }]) =>
    commands.length > 0 ? [code] : [],
  );
  const built = new Set<string>(worlds.map(({ diagnosis }) => diagnosis));
  expect(printing.filter((code) => !built.has(code))).toEqual(Object.keys(elsewhere));
});

/**
 * World with a snapshot of the whole report of doctor. For other worlds, the test checks the
 * diagnosis and the printed commands.
 */
const pictured = 'AWS is down';

describe.each(worlds)('$name', ({ name, build, diagnosis, ends, byHand, surroundings }) => {
  test(`doctor reports ${diagnosis}, and its printed commands end in ${ends}`, async () => {
    const world = await build();
    const around = surroundings?.(world) ?? {};
    const before = structuredClone({ ...world, history: [], events: [] }.parameters);
    const examined = await examine(world, around);
    if (name === pictured) expect(await picture(examined)).toMatchSnapshot();
    expect(world.parameters).toEqual(before);
    expect(examined.findings[0]?.code).toBe(diagnosis);
    const healing = await heal(world, {
      surroundings: around,
      ...(byHand === undefined ? {} : { byHand }),
    });
    const bare = healing.typed.map((line) =>
      line.replace(/^hosted-runner /, '').replace(' --runner linux', ''),
    );
    expect(bare).toEqual(printedCommands[name]);
    expect({ ends: healing.ends, left: healing.left }).toEqual({ ends, left: [] });
    if (ends === 'healthy') expect(listAcceptingShards(world, stackOf(world))).toHaveLength(1);
    expect(world.violations).toEqual([]);
    // Two commands suffice from any state. An operator with a hold releases it first.
    const most = diagnosis === 'held' ? 3 : 2;
    expect(healing.typed.slice(most)).toEqual([]);
  });
});
