import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { bundledProgram, runProgram } from '../support/program.ts';
import { conclusiveChecks, waitsForName } from './demo-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'demo-github-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the demo of GitHub's runners loses and interrupts no job, and leaves one fleet of each stack", async () => {
  const ended = await runProgram({
    args: ['demo', '--runners', 'github', '--all', '--verbose', '--json', 'result.json'],
    program: bundledProgram,
    cwd: folder,
    env: { TMPDIR: folder },
    timeoutMs: 800_000,
  });
  expect(ended.stdout).toContain('✔ No job was lost or interrupted');
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ended.stdout).not.toMatch(waitsForName);
  expect(ended.stdout).toMatch(conclusiveChecks);
  expect(ended.stdout).toContain('Removed every runner of pink: none of them gets another job.');
  const { jobs, final } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
  expect(jobs).toMatchObject({ lost: 0, interrupted: 0, finished: jobs.submitted });
  expect(final).toEqual(
    Array(3).fill({
      active_shard: expect.stringMatching(/^(pink|purple)$/),
      shards_alive: 1,
      runner_records: 3,
      tokens: 1,
      locks: 0,
      record_phase: 'done',
    }),
  );
});
