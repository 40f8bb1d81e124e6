import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackCommands } from '../support/event-file-of-commands.ts';
import { runProgram } from '../support/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  writeFileSync(join(folder, 'bad.yml'), 'version: 1\nstacks: { linux: { tags: 7 } }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a wrong configuration', () => {
  test.each(stackCommands)(
    'appears in the evidence of $name, in the report folder',
    async (one) => {
      const reports = join(folder, one.name);
      const end = await runProgram({
        args: [...one.args, '--runner', 'linux', '--config', 'bad.yml'],
        env: { HOSTED_RUNNER_REPORT_DIR: reports },
        cwd: folder,
      });
      expect(end.exitCode).toBe(2);
      const file = join(reports, 'evidence.jsonl');
      expect(existsSync(file)).toBe(true);
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
        kind: 'end',
        outcome: 'error',
        error: { code: 'InvalidConfiguration' },
      });
    },
  );
});
