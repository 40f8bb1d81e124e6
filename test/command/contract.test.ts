import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCommandInfrastructure } from '../../src/adapters/command/command-infrastructure.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { infrastructureContract } from '../contract/infrastructure.contract.ts';
import { pink, purple } from './commands.ts';

const tool = fileURLToPath(new URL('./tool.js', import.meta.url));

infrastructureContract('commands of the user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const command = (verb: string) => [process.execPath, tool, verb, '{shard}'];
  return {
    infrastructure: createCommandInfrastructure({
      settings: {
        driver: 'command',
        apply: command('apply'),
        destroy: command('destroy'),
        outputs: command('outputs'),
        passEnvironment: ['STATE'],
        timeoutMs: 20_000,
      },
      shards: [pink.shard, purple.shard],
      environment: () => ({ ...process.env, STATE: folder }),
      clock: createSystemClock(),
      redact: (text) => text,
    }),
    failNext: () => writeFileSync(join(folder, 'fail'), ''),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
});
