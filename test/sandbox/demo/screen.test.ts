import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { createScreen, type DemoedProgram } from '../../../sandbox/demo/screen.ts';
import { presentable } from '../../../src/adapters/transport/words/sanitize.ts';
import type { TerminalStyle } from '../../../src/cli/terminal/terminal-style.ts';
import { openScreen } from '../../e2e/pseudo-terminal/screen.ts';

const why =
  'No manager of runner 48213 "pink-linux" has ever contacted GitLab. Its host runs for 14m 20s.';
const fix = 'Remove the candidate: hosted-runner recover --runner linux --method cleanup';
const [red, green, cyan, dim] = [31, 32, 36, 2].map((code) => `\u001b[${code}m`);

interface Place {
  readonly style: TerminalStyle;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdout?: unknown;
}

/** Opens the demo's screen with its printed lines. */
function openDemo(
  { style, environment = {}, stdout }: Place,
  { plain = false, verbose = true } = {},
) {
  let text = '';
  const clean = (one: string) =>
    presentable(one, (words) => words.replaceAll('glpat-1', '[MASKED]'));
  const screen = createScreen(
    {
      clock: { now: () => 5000, elapsed: () => 0, sleep: async () => {} },
      environment,
      clean,
      print: (one: string) => {
        text += one;
      },
      style: () => style,
      screen: stdout,
    } as unknown as DemoedProgram,
    { plain, verbose },
  );
  const printed = () => text;
  return { screen, printed };
}

const lines = (text: string) => text.replace(/\n$/, '').split('\n');

test('program output stays behind its bar, wrapped between words', () => {
  const { screen, printed } = openDemo({ style: { color: false, columns: 80 } });
  screen.relay(`  why  ${why}`);
  screen.relay(`  fix  ${fix}`);
  expect(lines(printed())).toEqual([
    '  │   why  No manager of runner 48213 "pink-linux" has ever contacted GitLab.',
    '  │        Its host runs for 14m 20s.',
    '  │   fix  Remove the candidate:',
    '  │        hosted-runner recover --runner linux --method cleanup',
  ]);
});

test.each([80, 200])('no word of the demo is broken at %i columns', (columns) => {
  const { screen, printed } = openDemo({ style: { color: false, columns } });
  const words = `${why} ${why} ${why}`;
  screen.relay(`  why  ${words}`);
  screen.print(words);
  screen.printLabelled('Jobs', words);
  screen.standing(words, 'one');
  for (const line of lines(printed())) expect([...line].length).toBeLessThanOrEqual(columns);
  const text = printed().replace(/[│\s]+/g, ' ');
  expect(text).toBe(` why ${words} ${words} Jobs ${words} ${words} `);
});

test('a labelled text is indented below its first word', () => {
  const { screen, printed } = openDemo({ style: { color: false, columns: 60 } });
  screen.printLabelled('Jobs', '62 submitted, 62 finished, 0 lost, 0 interrupted; 9 ran on');
  expect(lines(printed())).toEqual([
    '  Jobs          62 submitted, 62 finished, 0 lost, 0',
    '                  interrupted; 9 ran on',
  ]);
});

test('marks and labels have the colours of every command, and a heading is bold', () => {
  const { screen, printed } = openDemo({ style: { color: true, columns: undefined } });
  screen.heading('1. First');
  screen.relay('✖ deploy: pink did not become healthy.');
  screen.relay('  now  purple serves jobs.');
  screen.relay('  why  It is not known.');
  screen.print('✔ No job was lost.');
  expect(lines(printed())).toEqual([
    '',
    '\u001b[1m1. First\u001b[22m',
    `  │ ${red}✖\u001b[39m deploy: pink did not become healthy.`,
    `  │   ${cyan}now\u001b[39m  purple serves jobs.`,
    `  │   ${dim}why\u001b[22m  It is not known.`,
    `  ${green}✔\u001b[39m No job was lost.`,
  ]);
});

test('a file has neither colours nor wrapped lines', () => {
  const { screen, printed } = openDemo({ style: { color: false, columns: undefined } });
  screen.heading('1. First');
  screen.relay(`  why  ${why} ${why}`);
  expect(printed()).toBe(`\n1. First\n  │   why  ${why} ${why}\n`);
});

test('a relayed line moves no cursor, folds nothing and shows no secret', () => {
  const { screen, printed } = openDemo({
    style: { color: true, columns: undefined },
    environment: { GITLAB_CI: 'true' },
  });
  screen.relay('\u001b[2Jone section_start:1:x\r\u001b[0Kglpat-1');
  screen.relay('::group::two');
  expect(printed()).toBe('  │ one [MASKED]\n  │ two\n');
});

test.each([
  [
    { GITLAB_CI: 'true' },
    '\n\u001b[0Ksection_start:5:demo_1\r\u001b[0K1. First\n  One.\n\u001b[0Ksection_end:5:demo_1\r\u001b[0K\n',
  ],
  [{ GITHUB_ACTIONS: 'true' }, '\n::group::1. First\n  One.\n::endgroup::\n'],
  [{}, '\n1. First\n  One.\n'],
])('a scenario with %j is folded in the syntax of that CI', (environment, expected) => {
  const { screen, printed } = openDemo({
    style: { color: false, columns: undefined },
    environment: environment as Record<string, string>,
  });
  screen.heading('1. First');
  screen.print('One.');
  screen.close();
  expect(printed()).toBe(expected);
});

/** Opens a terminal that shows the drawn text. */
function openTerminal(columns: number) {
  const terminal = openScreen(columns);
  const stdout = Object.assign(new EventEmitter(), {
    columns,
    rows: 24,
    isTTY: true,
    write(text: string) {
      terminal.write(text.replaceAll('\n', '\r\n'));
      return true;
    },
  });
  const rows = () => terminal.rows().filter((row) => row !== '');
  return { stdout, rows };
}

const standing =
  'pink is active and accepts jobs; purple accepts no new jobs; jobs: 12 submitted, 10 ended';

test('the current state is drawn in place, and breaks no word', async () => {
  const { stdout, rows } = openTerminal(80);
  const { screen } = openDemo({ style: { color: false, columns: 80 }, stdout });
  screen.standing(standing, 'one');
  for (let n = 0; n < 3000 && rows().length === 0; n++) await new Promise((r) => setTimeout(r, 5));
  expect(rows()).toEqual([
    '  pink is active and accepts jobs; purple accepts no new jobs; jobs: 12',
    '    submitted, 10 ended (0s)',
  ]);
  screen.close();
});

test('the current state with --plain is a line for each change, even at a terminal', () => {
  const { stdout, rows } = openTerminal(80);
  const { screen, printed } = openDemo(
    { style: { color: false, columns: 80 }, stdout },
    { plain: true },
  );
  screen.standing('pink is active', 'one');
  screen.standing('pink is active', 'one');
  screen.standing('pink is gone', 'two');
  screen.close();
  expect(printed()).toBe('  pink is active\n  pink is gone\n');
  expect(rows()).toEqual([]);
});

test('the short output has a few lines for each program, and a pipe gets no current state', () => {
  const { screen, printed } = openDemo(
    { style: { color: false, columns: undefined } },
    { verbose: false },
  );
  screen.heading('1. First');
  screen.print('$ hosted-runner deploy --runner linux');
  screen.relay('  Registered pink as runner 48001 (it had no runner).');
  screen.relay('  Next: hosted-runner finalize --runner linux');
  screen.standing('pink is being built', 'one');
  for (let at = 1; at < 20; at += 1)
    screen.relay(`  Switched: pink is active (version ${at} of the parameter deployment_status).`);
  screen.print('✔ Result: done.');
  expect(lines(printed())).toHaveLength(2 + 1 + 9 + 1);
  expect(printed()).not.toMatch(/Registered|is being built|Next/);
  expect(printed()).toMatch(
    /version 9 of the parameter deployment_status\)\.\n {2}✔ Result: done\.\n$/,
  );
});
