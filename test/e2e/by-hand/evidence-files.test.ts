import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackCommands } from '../../support/evidence-of-commands.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
}, 60_000);
afterAll(() => world.close());

interface Line {
  readonly kind: string;
  readonly command?: string;
  readonly exit_code?: number;
}

describe('every command that knows a stack writes what it saw, decided and did', () => {
  test.each(stackCommands)(
    '$name',
    async ({ name, args }) => {
      const file = join(world.folder, `${name}.jsonl`);
      const end = await world.start({
        args: [...args, '--runner', 'linux'],
        env: { HOSTED_RUNNER_EVIDENCE_FILE: file },
      }).ended;
      const text = readFileSync(file, 'utf8');
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      expect(lines[0]).toMatchObject({
        kind: 'run',
        command: expect.stringContaining(name),
      });
      expect(lines.some(({ kind }) => kind === 'call')).toBe(true);
      expect(lines.at(-1)).toMatchObject({ kind: 'end', exit_code: end.exitCode });
      expect(text).not.toContain(world.environment['HOSTED_RUNNER_GITLAB_TOKEN']);
      expect(text).not.toMatch(/glrt-[\w-]{10}/);
    },
    60_000,
  );
});
