import { describe, expect, test } from '@jest/globals';
import { dress, paintMarks, styleFor } from '../../../src/cli/terminal/terminal-style.ts';

const terminal = { isTTY: true, columns: 80 };
const error = `✖ provision: pink did not become healthy within 15m (31 checks).
  why  GitLab has never heard from a manager of runner 48213 "pink-linux". Its host runs for 14m 20s.
  now  purple serves jobs and was not touched.
  fix  Look at the host's log: hosted-runner doctor --runner linux --logs
  ref  HealthcheckTimedOut · docs/troubleshooting.md#healthchecktimedout`;

describe('how a stream shows what people read', () => {
  test.each([
    ['a terminal has colours and a width', terminal, [], {}, true, 80],
    ['a pipe or a file has neither', {}, [], {}, false, undefined],
    ['--no-color takes them away', terminal, ['deploy', '--no-color'], {}, false, 80],
    [
      '--no-color goes before FORCE_COLOR',
      terminal,
      ['--no-color'],
      { FORCE_COLOR: '1' },
      false,
      80,
    ],
    ['NO_COLOR takes them away', terminal, [], { NO_COLOR: '1' }, false, 80],
    ['an empty NO_COLOR says nothing', terminal, [], { NO_COLOR: '' }, true, 80],
    [
      'FORCE_COLOR colours a pipe, which stays unwrapped',
      {},
      [],
      { FORCE_COLOR: '1' },
      true,
      undefined,
    ],
    ['FORCE_COLOR=0 takes them away', terminal, [], { FORCE_COLOR: '0' }, false, 80],
    ['a dumb terminal has none', terminal, [], { TERM: 'dumb' }, false, 80],
    [
      'what is too narrow for anything is not wrapped',
      { isTTY: true, columns: 20 },
      [],
      {},
      true,
      undefined,
    ],
  ] as const)('%s', (...[, stream, argv, environment, color, columns]) => {
    expect(styleFor(stream, { argv, environment })).toEqual({ color, columns });
  });
});

describe('dressed lines', () => {
  test('are the same text in a pipe', () => {
    expect(dress(error, { color: false, columns: undefined })).toBe(error);
  });

  test('wrap by words below their label, and leave a command whole', () => {
    expect(dress(error, { color: false, columns: 60 }).split('\n')).toEqual([
      '✖ provision: pink did not become healthy within 15m (31',
      '  checks).',
      '  why  GitLab has never heard from a manager of runner 48213',
      '       "pink-linux". Its host runs for 14m 20s.',
      '  now  purple serves jobs and was not touched.',
      "  fix  Look at the host's log:",
      '       hosted-runner doctor --runner linux --logs',
      '  ref  HealthcheckTimedOut ·',
      '       docs/troubleshooting.md#healthchecktimedout',
    ]);
  });

  test.each([40, 60, 80, 200])('at %i columns say the same words in the same order', (columns) => {
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
    const wrapped = dress(error, { color: false, columns });
    expect(words(wrapped)).toEqual(words(error));
    const free = wrapped.split('\n').filter((line) => !/hosted-runner |troubleshooting/.test(line));
    expect(free.filter((line) => line.length > columns)).toEqual([]);
  });

  test('hang by two where they have no mark', () => {
    const line = '  Proved pink healthy: the host runs and answers.';
    expect(dress(line, { color: false, columns: 40 })).toBe(
      '  Proved pink healthy: the host runs and\n    answers.',
    );
  });

  test('colour the marks and labels that mean something, and nothing else', () => {
    const shown = dress(`${error}\n  ✔ deploy: done.\n! Careful.\nnow  is the time`, {
      color: true,
      columns: undefined,
    });
    const coloured = shown
      .split('\n')
      .map((line) => /^ *\u001b\[(\d+)m(\S+)\u001b/.exec(line)?.slice(1));
    expect(coloured).toEqual([
      ['31', '✖'],
      ['2', 'why'],
      ['36', 'now'],
      ['32', 'fix'],
      ['2', 'ref'],
      ['32', '✔'],
      ['33', '!'],
      undefined,
    ]);
  });

  test('wrap what is said behind a command, and leave a full stop inside of its quotes alone', () => {
    const line = `  Do: look at the listed jobs. Wait on: hosted-runner hold --reason 'It hangs. Again.' --runner linux. Or kill them, knowingly: hosted-runner shutdown --set drain.force_after=30s. Then look again.`;
    expect(dress(line, { color: false, columns: 60 }).split('\n')).toEqual([
      '  Do: look at the listed jobs. Wait on:',
      "    hosted-runner hold --reason 'It hangs. Again.' --runner linux.",
      '    Or kill them, knowingly:',
      '    hosted-runner shutdown --set drain.force_after=30s.',
      '    Then look again.',
    ]);
  });

  test('leave a command behind its prompt whole', () => {
    const line = `  $ hosted-runner deploy --runner linux --again '${'word '.repeat(20)}'`;
    expect(dress(line, { color: false, columns: 80 })).toBe(line);
  });

  test('leave a table and what moves the cursor as they are', () => {
    const lines = `│ ${'x'.repeat(100)} y │\n\u001b[0Ksection_start:1:x\r${'word '.repeat(30)}`;
    expect(dress(lines, { color: true, columns: 80 })).toBe(lines);
  });
});

describe('a row of the picture', () => {
  const row = '  purple  active, candidate  serves · ✔ manager ○ host ✖ canary';

  test('has its marks coloured, and is as wide as it was', () => {
    expect(paintMarks(row, { color: true, columns: 80 })).toBe(
      '  purple  active, candidate  serves · \u001b[32m✔\u001b[39m manager ' +
        '\u001b[33m○\u001b[39m host \u001b[31m✖\u001b[39m canary',
    );
  });

  test('is as it was where there are no colours', () => {
    expect(paintMarks(row, { color: false, columns: 80 })).toBe(row);
  });
});
