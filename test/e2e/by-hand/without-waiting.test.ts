import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { patientMs } from './world/refusals.ts';

import { refusals } from './world/running.ts';
import { openWorld, type World } from './world/world.ts';

/** A hold is refused once it was read for longer than a read may be behind. */
const holdIsReadForMs = 2000;

let world: World;
beforeEach(async () => {
  // AWS's own: whoever needed a name that was just deleted would wait that long.
  world = await openWorld({ fromItsStart: true, windows: { recreateAfterMs: 30_000 } });
  await typed('deploy');
});
afterEach(() => world.close());

async function typed(command: string, exitCode = 0) {
  const [name = '', ...args] = command.split(' ');
  const end = await world.stage(name, { args });
  expect({ command, text: end.text, exitCode: end.exitCode }).toMatchObject({ exitCode });
  return end;
}

// Each comes right after a command that has just let go of the lock.
test('what is refused is refused at once', async () => {
  const refused: unknown[] = [];
  let slowestHelpMs = 0;
  const another = { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-of-nobody' };
  for (const { command, before = [], env = {} } of [
    { command: 'rollback' },
    { command: 'rollback', env: another },
    { command: 'activate --shard pnk' },
    { command: 'activate --shard purple', env: another },
    { command: 'activate --shard purple --registration 1' },
    { command: 'finalize', env: another },
    { command: 'provision --until nothing' },
    { command: 'recover --method cleanup', before: ['prepare'] },
    { command: 'recover --method terminate --yes' },
    { command: 'prepare', before: ['hold --reason upkeep'] },
  ]) {
    for (const one of before) await typed(one);
    const help = await world.start({ args: ['--help'] }).ended;
    slowestHelpMs = Math.max(slowestHelpMs, help.ms);
    const [name = '', ...args] = command.split(' ');
    const end = await world.stage(name, { args, env });
    refused.push([command, end.code, end.exitCode]);
  }
  expect(refused).toEqual([
    ['rollback', 'NothingToRollBack', 2],
    ['rollback', 'CredentialsRefused', 1],
    ['activate --shard pnk', 'UnknownShard', 2],
    ['activate --shard purple', 'CredentialsRefused', 1],
    ['activate --shard purple --registration 1', 'NoSuchRegistration', 2],
    ['finalize', 'CredentialsRefused', 1],
    ['provision --until nothing', 'BadUsage', 2],
    ['recover --method cleanup', 'NotConfirmed', 2],
    ['recover --method terminate --yes', 'CannotRecover', 1],
    ['prepare', 'Held', 3],
  ]);
  const { refusedAfterMs = 0 } = refusals.longest() ?? {};
  // A request costs a fraction of a start; a name that is waited for, dozens of them. The pauses before what
  // was seen is believed are as long on every machine: where it starts quickly, they are many starts.
  expect(refusedAfterMs).toBeLessThan(Math.max(12 * slowestHelpMs, patientMs) + holdIsReadForMs);
});
