import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitsForName } from '../said-words.ts';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
let said: string[];
beforeEach(async () => {
  said = [];
  // AWS's own: whoever needed a name that was just deleted would wait that long.
  world = await openWorld({ windows: { recreateAfterMs: 30_000 } });
  await typed('deploy');
});
afterEach(() => world.close());

async function typed(command: string, exitCode = 0) {
  const [name = '', ...args] = command.split(' ');
  const end = await world.stage(name, { args });
  said.push(end.text);
  expect({ command, text: end.text, exitCode: end.exitCode }).toMatchObject({ exitCode });
}

function boot(shard: string, how: 'ok' | 'contacts_but_fails_jobs'): void {
  world.sandbox.settings.change({ runnerName: 'linux', shard }, { boot: how });
}

test('a recovery by hand waits for no name', async () => {
  boot('purple', 'contacts_but_fails_jobs');
  await typed('deploy', 1);
  await typed('provision', 1);
  boot('purple', 'ok');
  await typed('recover --method cleanup --yes');
  await typed('provision');
  await typed('finalize');
  await typed('deploy');
  await typed('deploy');
  expect(said.filter((text) => waitsForName.test(text))).toEqual([]);
  expect(whatIsWrongAtRest(world)).toEqual([]);
});
