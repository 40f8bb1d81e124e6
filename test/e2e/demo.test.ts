import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseDuration } from '../../src/domain/text/duration.ts';
import { installedIn, packInto } from '../support/package.ts';
import { type Ended, runProgram } from '../support/program.ts';
import { conclusiveChecks, waitsForName } from './demo-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'demo-alone-'));
/** Folder for npm's package and an empty home. */
const npmFolder = mkdtempSync(join(tmpdir(), 'demo-npm-'));
let ended: Ended;

beforeAll(async () => {
  // Runs the demo like `npx hosted-runner-deploy demo`.
  ended = await runProgram({
    node: 'npx',
    program: `file:${packInto(npmFolder)}`,
    args: ['demo', '--all', '--verbose', '--json', 'demo.json', '--report', 'timeline.html'],
    cwd: folder,
    env: {
      // The demo's own files are placed here too, to find its leftovers.
      TMPDIR: folder,
      HOME: npmFolder,
      npm_config_cache: join(npmFolder, 'cache'),
      npm_config_offline: 'true',
      npm_config_yes: 'true',
      // npm's notice of a newer version is not the demo's output.
      npm_config_update_notifier: 'false',
    },
    timeoutMs: 800_000,
  });
});

afterAll(() => {
  for (const one of [folder, npmFolder]) rmSync(one, { recursive: true, force: true });
});

describe('every scenario of the demo of the packed tarball, run by npx in an empty folder', () => {
  test('ends well, loses and interrupts no job, and leaves one shard of each stack', () => {
    expect(ended.stdout).toContain('✔ No job was lost or interrupted');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const { jobs, final } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    expect(jobs).toMatchObject({ lost: 0, interrupted: 0, late: 0, finished: jobs.submitted });
    expect(jobs.submitted).toBeGreaterThan(20);
    expect(final).toEqual(
      Array(5).fill({
        active_shard: expect.stringMatching(/^(pink|purple)$/),
        shards_alive: 1,
        runner_records: 1,
        tokens: 1,
        locks: 0,
        record_phase: 'done',
      }),
    );
  });

  test('needs one package of some megabytes', () => {
    const npx = join(npmFolder, 'cache/_npx');
    const { packages, bytes } = installedIn(join(npx, readdirSync(npx)[0] ?? ''));
    process.stdout.write(
      `the demo by npx: ${packages.length} package, ${(bytes / 1e6).toFixed(1)} MB installed\n`,
    );
    expect(packages).toEqual(['hosted-runner-deploy']);
    expect(bytes).toBeLessThan(8e6);
  });

  test('prints each deployment with its outcome', () => {
    const { deployments } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    expect(deployments.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'done',
      'done',
      'unhealthy',
      'done',
      'done',
      'done',
      'taken_back',
    ]);
    expect(Object.keys(deployments[0])).toEqual([
      'id',
      'candidate',
      'outcome',
      'seconds',
      'overlap_seconds',
    ]);
  });

  test('names the deployment that was rolled back, and not its rollback', () => {
    const { deployments } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    const { id, candidate } = deployments.at(-1);
    const [, begun] = /Rolling back from (\w+) to \w+/.exec(ended.stdout) ?? [];
    expect(candidate).toBe(begun);
    expect(id).not.toMatch(/-rollback$/);
  });

  test('counts the same jobs in its progress, its summary, its report and its numbers', () => {
    const report = readFileSync(join(folder, 'timeline.html'), 'utf8');
    const { jobs } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    const numberIn = (text: string, words: RegExp) => Number(words.exec(text)?.[1]);
    const rowsOf = (stream: string) => report.split(`>${stream}</td>`).length - 1;
    const control = rowsOf('control');
    const others = rowsOf('deployments') + rowsOf('outage');
    expect(control).toBeGreaterThan(0);
    expect(numberIn(report, /Customer jobs[^:]*: (\d+)/)).toBe(control + others);
    expect(numberIn(ended.stdout, /control run, (\d+) jobs/)).toBe(control);
    expect(numberIn(ended.stdout, /Jobs {2,}(\d+) submitted/)).toBe(jobs.submitted);
    expect(numberIn(ended.stdout, /submitted, (\d+) finished/)).toBe(jobs.finished);
    expect(jobs.submitted).toBe(others);
    // Numbers in progress lines, for one stack.
    const progress = [...ended.stdout.matchAll(/jobs: (\d+) submitted, (\d+) ended/g)];
    for (const [, one] of progress) expect(Number(one)).toBeLessThanOrEqual(jobs.submitted);
    for (const [, all, over] of progress) expect(Number(over)).toBeLessThanOrEqual(Number(all));
  });

  test('prints one longest wait, equal in the product and the summary, and the wait of the outage', () => {
    const { jobs } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    const outage = Number(/submitted meanwhile waited ([\d.]+)s at most/.exec(ended.stdout)?.[1]);
    const waits = [...ended.stdout.matchAll(/longest wait of a customer job: (.+?)[;.]/g)];
    const most = Math.ceil(Math.max(outage, jobs.longest_wait_seconds));
    // A deployment that was rolled back during its drain knows no wait.
    const known = waits.map(([, wait = '']) => wait).filter((wait) => wait !== 'unknown');
    expect(known.length).toBeGreaterThan(2);
    for (const wait of known) {
      expect(parseDuration(wait.replaceAll(' ', ''))).toBeLessThanOrEqual(most * 1000);
    }
  });

  test('waits for no unknown name, and always knows whether a healthy shard accepts jobs', () => {
    expect(ended.stdout).not.toMatch(waitsForName);
    expect(ended.stdout).toMatch(conclusiveChecks);
  });

  test('reopens the old shard whose successor died during the drain', () => {
    expect(ended.stdout).toMatch(
      / {2}✖ Terminated the machine of (\w+); (\w+) is paused and drains\.$/m,
    );
    expect(ended.stdout).toMatch(/! REOPENED \w+: no machine of \w+ exists: /);
    expect(ended.stdout).toMatch(/ {2}\$ hosted-runner rollback --runner linux$/m);
    expect(ended.stdout).toMatch(/except for [\d.]+s after the only machine had died/);
  });

  test('rolls back a candidate automatically that fails every fifth job', () => {
    expect(ended.stdout).toMatch(/ {2}From now on, a runner of (\w+) fails every fifth job/);
    expect(ended.stdout).toMatch(/why {2}\d+ runner system failures? in \d+ jobs, /);
    const tried = / {2}(\d+) jobs that \w+ had failed were retried; none was lost\.$/m;
    expect(Number(tried.exec(ended.stdout)?.[1])).toBeGreaterThanOrEqual(2);
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
