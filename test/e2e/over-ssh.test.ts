import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundledProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { type HeldJob, startHeldJob } from './by-hand/world/held-job.ts';
import { waitUntil } from './by-hand/world/running.ts';
import { openWorld, shortened, type World } from './by-hand/world/world.ts';
import { openPseudoTerminal } from './pseudo-terminal/open.ts';
import { resized } from './pseudo-terminal/resized.ts';
import { openSshServer, type SshServer } from './pseudo-terminal/ssh-server.ts';

const head = /^── deploy linux/;
const waits = (rows: readonly string[]) =>
  rows.filter((row) => head.test(row)).length === 1 &&
  rows.some((row) => /^ {6}build-image \d+ for \d/.test(row));

describeWithTools({ name: 'a terminal over SSH', needs: ['python3', 'sshd', 'ssh'] }, (tool) => {
  let world: World;
  let server: SshServer;
  let job: HeldJob;
  beforeAll(async () => {
    world = await openWorld();
    server = await openSshServer(world.folder, { sshd: tool('sshd'), ssh: tool('ssh') });
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    await server?.close();
    await world?.close();
  });
  beforeEach(async () => {
    job = await startHeldJob(world, { name: 'build-image' });
  });

  function open(columns: number, ...args: string[]) {
    const set = shortened.flatMap((key) => ['--set', key]);
    const command = server.command({
      command: [process.execPath, bundledProgram, 'deploy', '--runner', 'linux', ...set, ...args],
      env: { ...world.environment, TERM: 'xterm-256color' },
      cwd: world.folder,
    });
    const env = { TERM: 'xterm-256color', PATH: process.env['PATH'] ?? '' };
    return openPseudoTerminal({
      python: tool('python3'),
      command,
      env,
      cwd: world.folder,
      rows: 30,
      columns,
    });
  }

  test.each([
    [80, 200],
    [200, 80],
  ])('of %i columns that become %i is whole after Ctrl-C', async (columns, later) => {
    const size = { rows: 24, columns: later };
    const terminal = await resized(() => open(columns), size, { head, isWhole: waits });
    terminal.interrupt();
    expect(await terminal.ended).toBe(130);
    const left = terminal.rows();
    expect(left.filter((row) => head.test(row))).toEqual([]);
    expect(left).toContainEqual(expect.stringMatching(/^✖ deploy: deploy was cancelled\./));
    // The next prompt stands in a line of its own, and sees itself being typed.
    expect(terminal.drawn()).not.toMatch(/\u001b\[\?(?!2026)|\u001b\[\d*;?\d*r/);
    expect(left.at(-1)).toBe('');
    job.release();
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });

  test('that is gone ends the command as a cancel does, and the next one goes on', async () => {
    const file = join(world.folder, 'gone.jsonl');
    const terminal = open(80, '--evidence-file', file);
    await terminal.until('a picture', waits);
    terminal.close();
    await terminal.ended;
    const last = () => JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '');
    const end = await waitUntil('its end', async () =>
      existsSync(file) && last().kind === 'end' ? last() : undefined,
    );
    expect(end).toMatchObject({ outcome: 'error', error: { code: 'Cancelled' } });
    expect(job.status()).toBe('running');
    job.release();
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
});
