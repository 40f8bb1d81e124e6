import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bundledProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { openPseudoTerminal } from './pseudo-terminal/open.ts';

describeWithTools({ name: 'init at a terminal', needs: ['python3'] }, (tool) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'init-prompts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (args: readonly string[] = []) =>
    openPseudoTerminal({
      python: tool('python3'),
      command: [process.execPath, bundledProgram, 'init', ...args],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color' },
      cwd: folder,
      rows: 50,
      columns: 120,
    });

  const questions: readonly (readonly [question: string, answer: string])[] = [
    ['Names of the stacks [linux]:', 'linux arm'],
    ['Address of GitLab', 'https://gitlab.example.com'],
    ['Id of the GitLab group', '42'],
    ['Group that publishes', 'acme'],
    ['Tags of the runner', 'ops'],
  ];

  test('writes the typed answers', async () => {
    const terminal = open();
    for (const [question, answer] of questions) {
      await terminal.until(question, (rows) => rows.some((row) => row.startsWith(question)));
      terminal.type(`${answer}\r`);
    }
    expect(await terminal.ended).toBe(0);
    const text = readFileSync(join(folder, 'hosted-runners.yml'), 'utf8');
    expect(text).toContain('url: https://gitlab.example.com\n');
    expect(text).toContain('tags: [arm] #');
    expect(terminal.rows().join('\n')).not.toContain('FILL_IN\n');
    expect(readdirSync(folder)).toEqual(['.gitlab-ci.yml', 'hosted-runners.yml']);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['the end of the input', '\u0004'],
  ])('ends with %s and writes no file', async (_, key) => {
    const terminal = open();
    const [question = ''] = questions[0] ?? [];
    await terminal.until(question, (rows) => rows.some((row) => row.startsWith(question)));
    terminal.type(key);
    expect(await terminal.ended).toBe(130);
    expect(terminal.rows().join('\n')).toContain('✖ init: init was cancelled.');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('prompts for nothing with --json', async () => {
    const terminal = open(['--json']);
    expect(await terminal.ended).toBe(0);
    expect(JSON.parse(terminal.drawn())).toMatchObject({ path: 'hosted-runners.yml' });
  });
});
