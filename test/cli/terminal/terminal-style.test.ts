import { describe, expect, test } from '@jest/globals';
import { dress, paintMarks, styleFor } from '../../../src/cli/terminal/terminal-style.ts';

const terminal = { isTTY: true, columns: 80 };
const error = `✖ provision: pink did not become healthy within 15m (31 checks).
  why  No manager of runner 48213 "pink-linux" has ever contacted GitLab. Its host runs for 14m 20s.
  now  purple accepts jobs and was not touched.
  fix  Read the host's log: hosted-runner doctor --runner linux --logs
  ref  HealthcheckTimedOut · docs/troubleshooting.md#healthchecktimedout`;

describe('the style of an output stream', () => {
  test.each([
    ['a terminal has colours and a width', terminal, [], {}, true, 80],
    ['a pipe or a file has neither', {}, [], {}, false, undefined],
    ['--no-color takes them away', terminal, ['deploy', '--no-color'], {}, false, 80],
    [
      '--no-color takes precedence over FORCE_COLOR',
      terminal,
      ['--no-color'],
      { FORCE_COLOR: '1' },
      false,
      80,
    ],
    ['NO_COLOR takes them away', terminal, [], { NO_COLOR: '1' }, false, 80],
    ['an empty NO_COLOR has no effect', terminal, [], { NO_COLOR: '' }, true, 80],
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
      'a very narrow terminal gets no wrapping',
      { isTTY: true, columns: 20 },
      [],
      {},
      true,
      undefined,
    ],
  ] as const)(
    'follows the terminal and the flags: %s',
    (...[, stream, argv, environment, color, columns]) => {
      expect(styleFor(stream, { argv, environment })).toEqual({ color, columns });
    },
  );
});

describe('styled lines', () => {
  test('keep the same text in a pipe', () => {
    expect(dress(error, { color: false, columns: undefined })).toBe(error);
  });

  test('wrap by words below their label, and leave a command whole', () => {
    expect(dress(error, { color: false, columns: 60 }).split('\n')).toEqual([
      '✖ provision: pink did not become healthy within 15m (31',
      '  checks).',
      '  why  No manager of runner 48213 "pink-linux" has ever',
      '       contacted GitLab. Its host runs for 14m 20s.',
      '  now  purple accepts jobs and was not touched.',
      "  fix  Read the host's log:",
      '       hosted-runner doctor --runner linux --logs',
      '  ref  HealthcheckTimedOut ·',
      '       docs/troubleshooting.md#healthchecktimedout',
    ]);
  });

  test.each([40, 60, 80, 200])('keep the same words in the same order at %i columns', (columns) => {
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
    const wrapped = dress(error, { color: false, columns });
    expect(words(wrapped)).toEqual(words(error));
    const free = wrapped.split('\n').filter((line) => !/hosted-runner |troubleshooting/.test(line));
    expect(free.filter((line) => line.length > columns)).toEqual([]);
  });

  test('indent by two without a mark', () => {
    const line = '  Found pink healthy: the host runs and answers.';
    expect(dress(line, { color: false, columns: 40 })).toBe(
      '  Found pink healthy: the host runs and\n    answers.',
    );
  });

  test('colour only the marks and labels with a meaning', () => {
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

  test('wrap text after a command, and keep a full stop inside its quotes', () => {
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

  test('keep tables and cursor sequences unchanged', () => {
    const lines = `│ ${'x'.repeat(100)} y │\n\u001b[0Ksection_start:1:x\r${'word '.repeat(30)}`;
    expect(dress(lines, { color: true, columns: 80 })).toBe(lines);
  });
});

describe('a row of the live picture', () => {
  const row = '  purple  active, candidate  serves · ✔ manager ○ host ✖ canary';

  test('gets coloured marks, and keeps its width', () => {
    expect(paintMarks(row, { color: true, columns: 80 })).toBe(
      '  purple  active, candidate  serves · \u001b[32m✔\u001b[39m manager ' +
        '\u001b[33m○\u001b[39m host \u001b[31m✖\u001b[39m canary',
    );
  });

  test('stays unchanged without colours', () => {
    expect(paintMarks(row, { color: false, columns: 80 })).toBe(row);
  });
});
