import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackCommands } from '../../../support/event-file-of-commands.ts';
import { openWorld, type World } from '../world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterAll(() => world.close());

interface Line {
  readonly error?: { readonly code: string };
  readonly kind: string;
  readonly command?: string;
  readonly exit_code?: number;
}

function evidenceIn(file: string) {
  const text = readFileSync(file, 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return { text, lines };
}

describe('the event file of every command that opens a stack', () => {
  test.each(stackCommands)(
    'contains observations, decisions and effects of $name',
    async ({ name, args }) => {
      const file = join(world.folder, `${name}.jsonl`);
      const end = await world.run({
        args: [...args, '--runner', 'linux'],
        // The tests run in any order. A canary without a runner ends at this short timeout.
        set: ['healthcheck.timeout=20s'],
        env: { HOSTED_RUNNER_EVIDENCE_FILE: file },
      });
      const { text, lines } = evidenceIn(file);
      expect(lines[0]).toMatchObject({
        kind: 'run',
        command: expect.stringContaining(name),
      });
      // GitLab's token has no expiry here, so renew has nothing to read.
      expect(lines.some(({ kind }) => kind === 'call')).toBe(name !== 'renew');
      expect(lines.at(-1)).toMatchObject({ kind: 'end', exit_code: end.exitCode });
      expect(text).not.toContain(world.environment['HOSTED_RUNNER_GITLAB_TOKEN']);
      expect(text).not.toMatch(/glrt-[\w-]{10}/);
    },
  );
});

test('contains the result for each stack that doctor could not read', async () => {
  const file = join(world.folder, 'all.jsonl');
  const config = join(world.folder, 'two-stacks.yml');
  const one = readFileSync(world.environment['HOSTED_RUNNER_CONFIG'] ?? '', 'utf8');
  writeFileSync(config, `${one}  windows:\n    registration:\n      tags: [windows]\n`);
  const end = await world.run({
    args: ['doctor', '--all'],
    env: {
      HOSTED_RUNNER_CONFIG: config,
      HOSTED_RUNNER_EVIDENCE_FILE: file,
      HOSTED_RUNNER_GITLAB_TOKEN: '',
    },
  });
  const ends = evidenceIn(file).lines.filter(({ kind }) => kind === 'end');
  const error = expect.objectContaining({ code: 'TokenMissing' });
  const missing = { exit_code: end.exitCode, error };
  expect(ends).toEqual([expect.objectContaining(missing), expect.objectContaining(missing)]);
});
