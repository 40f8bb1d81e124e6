import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commandNames } from '../../../src/cli/commands/command-table.ts';
import { openWorld, type World } from '../../e2e/by-hand/world/world.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const flag = '--config elsewhere/stacks.yml';

let world: World;
let terminal: Terminal;
beforeAll(async () => {
  world = await openWorld();
  const { HOSTED_RUNNER_CONFIG: usual = '', ...environment } = world.environment;
  terminal = openTerminal(environment);
  mkdirSync(join(terminal.folder, 'elsewhere'));
  copyFileSync(usual, join(terminal.folder, 'elsewhere/stacks.yml'));
});
afterAll(async () => {
  terminal.close();
  await world.close();
});

/** Each command in a text, as far as it goes on: to the end of its line, or of its quotes. */
function printedIn(text: string): string[] {
  const typed = new RegExp(`hosted-runner (?:${commandNames.join('|')})\\b[^"\\n]*`, 'g');
  return [...text.matchAll(typed)].map(([command]) => command.trim());
}

async function typed(line: string): Promise<string[]> {
  const { text } = await terminal.type(`hosted-runner ${line} ${flag}`);
  return printedIn(text);
}

test('whatever is printed names the file that was typed, and works from another folder', async () => {
  const fresh = await typed('doctor --runner linux');
  expect(fresh).toEqual([`hosted-runner deploy --runner linux ${flag}`]);
  expect((await terminal.type(`${fresh[0]}`)).how).toBe('0');

  const evidence = '--evidence-file evidence.jsonl';
  const next = await typed(`prepare --runner linux ${evidence}`);
  expect(next).toEqual([`hosted-runner provision --runner linux ${flag}`]);

  const unfinished = ['provision', 'finalize'].map(
    (command) => `hosted-runner ${command} --runner linux ${flag}`,
  );
  expect(await typed(`doctor --runner linux ${evidence}`)).toEqual(unfinished);
  expect(await typed('doctor --runner linux --json')).toEqual(unfinished);
  expect(await typed('doctor --runner linux --fix --yes')).toEqual([
    ...unfinished,
    `hosted-runner doctor --runner linux ${flag}`,
  ]);
  expect(await typed('status --runner linux')).toEqual([]);
  expect(await typed('status --runner Li!nux')).toEqual([`hosted-runner status ${flag}`]);
  for (const command of unfinished) expect((await terminal.type(command)).how).toBe('0');

  // What is typed to run the same again has all of it, in the order in which it was typed.
  const told = printedIn(readFileSync(join(terminal.folder, 'evidence.jsonl'), 'utf8'));
  expect(told.length).toBeGreaterThan(2);
  expect(told.filter((command) => !command.includes(flag))).toEqual([]);
});

test('a command that reads no file is printed without one', async () => {
  expect(await typed('status --nothing')).toEqual(['hosted-runner status --help']);
});
