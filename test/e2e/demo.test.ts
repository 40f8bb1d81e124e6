import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledProgram, type Ended, runProgram } from '../support/program.ts';
import { knowsWhoServes, waitsForName } from './said-words.ts';

const folder = mkdtempSync(join(tmpdir(), 'demo-alone-'));
let ended: Ended;

beforeAll(async () => {
  ended = await runProgram({
    args: ['demo', '--json', 'demo.json', '--report', 'timeline.html'],
    program: bundledProgram,
    cwd: folder,
    // What it makes for itself lies here too, so that what it leaves is seen.
    env: { TMPDIR: folder },
    timeoutMs: 800_000,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the demo of the bundle, in an empty folder', () => {
  test('ends well, loses and interrupts no job, and leaves one shard at rest', () => {
    expect(ended.stdout).toContain('✔ No job was lost or interrupted');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const { jobs, final } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    expect(jobs).toMatchObject({ lost: 0, interrupted: 0, finished: jobs.submitted });
    expect(jobs.submitted).toBeGreaterThan(20);
    expect(final).toEqual({
      active_shard: expect.stringMatching(/^(pink|purple)$/),
      shards_alive: 1,
      runner_records: 1,
      tokens: 1,
      locks: 0,
      record_phase: 'done',
    });
  });

  test('tells each deployment with its outcome', () => {
    const { deployments } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    expect(deployments.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'done',
      'done',
      'unhealthy',
      'done',
      'done',
      'done',
    ]);
    expect(Object.keys(deployments[0])).toEqual([
      'id',
      'candidate',
      'outcome',
      'seconds',
      'overlap_seconds',
    ]);
  });

  test('waits for no name, and always knows whether a shard serves where nothing is broken', () => {
    expect(ended.stdout).not.toMatch(waitsForName);
    expect(ended.stdout).toMatch(knowsWhoServes);
  });

  test('opens the old shard again whose successor died while it drained', () => {
    expect(ended.stdout).toMatch(
      / {2}✖ Terminated the machine of (\w+); (\w+) is closed and drains\.$/m,
    );
    expect(ended.stdout).toMatch(/! OPENED \w+ AGAIN: no machine of \w+ exists any more: /);
    expect(ended.stdout).toMatch(/ {2}\$ hosted-runner rollback --runner linux$/m);
    expect(ended.stdout).toMatch(/but for [\d.]+s after the only machine had died/);
  });

  test('leaves its report and its numbers, and nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual(['demo.json', 'timeline.html']);
  });

  test('writes no token anywhere', () => {
    const written = [
      ended.stdout,
      ended.stderr,
      readFileSync(join(folder, 'timeline.html'), 'utf8'),
      readFileSync(join(folder, 'demo.json'), 'utf8'),
    ].join('\n');
    expect(written).not.toMatch(/gl(pat|rt|ptt|cbt)-\w|sandbox-has-no-secret|AKIA/);
  });
});
