import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackCommands } from '../support/event-file-of-commands.ts';
import { runProgram } from '../support/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'events-'));
  writeFileSync(join(folder, 'bad.yml'), 'version: 1\nstacks: { linux: { tags: 7 } }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const eventCommands = stackCommands.filter(({ name }) => !['status', 'doctor'].includes(name));

describe('--json', () => {
  test.each(eventCommands)(
    'prints for $name only lines of JSON, the result as the last one',
    async (one) => {
      const args = [...one.args, '--runner', 'linux', '--config', 'bad.yml', '--json'];
      const { stdout, exitCode } = await runProgram({ args, cwd: folder });
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(exitCode).toBe(2);
      expect(lines.at(-1)).toMatchObject({
        n: lines.length,
        kind: 'end',
        schema: 2,
        outcome: 'error',
        exit_code: 2,
        error: { code: 'InvalidConfiguration' },
      });
    },
  );
});
