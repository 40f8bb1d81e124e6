import { describe, expect, test } from '@jest/globals';
import { commandNames, commandTable } from '../../../src/cli/commands/command-table.ts';
import { type } from '../commanding.ts';

describe('the help', () => {
  test('names the likeliest commands and ends with 2 without arguments', async () => {
    expect(await type([])).toEqual({
      exit: 2,
      stdout: '',
      stderr: `hosted-runner replaces the GitLab runners of a stack on AWS without losing a job.

  hosted-runner demo      run whole deployments in a sandbox; needs no account
  hosted-runner init      write hosted-runners.yml for this repository
  hosted-runner status    show both shards of every stack

All commands: hosted-runner --help
`,
    });
  });

  test.each(commandNames.filter((name) => name !== 'help'))(
    'shows a sentence and the exit codes for %s',
    async (name) => {
      const answer = await type([name, '--help']);
      expect(answer.exit).toBe(0);
      expect(answer.stdout).toContain(`Usage: hosted-runner ${name}`);
      expect(answer.stdout).toMatch(/\n\n[A-Z].*\.\n\n/);
      expect(answer.stdout).toContain('75   not finished yet');
      if (name !== 'version') expect(answer.stdout).toContain('Examples:\n  $ hosted-runner');
    },
  );

  test.each([[[]], [['prepare']], [['version']], [['sandbox']], [['sandbox', 'signal']]])(
    'appears for %j with -h, too',
    async (words) => {
      const answer = await type([...words, '-h']);
      expect(answer).toEqual(await type([...words, '--help']));
      expect(answer.stdout).toContain('-h, --help');
    },
  );

  const parts = ['apply', 'destroy', 'signal'];

  test('includes the inner commands with --all', async () => {
    const { exit, stdout } = await type(['help', '--all']);
    expect(exit).toBe(0);
    for (const name of commandNames.filter((known) => known !== 'help'))
      expect(stdout).toContain(`Usage: hosted-runner ${name}`);
    for (const part of parts) expect(stdout).toContain(`Usage: hosted-runner sandbox ${part} `);
    expect(stdout).not.toContain('sandbox manager');
    expect(stdout).not.toContain('sandbox help');
  });

  test.each(parts)('appears for sandbox %s with help and with --help', async (part) => {
    const answer = await type(['help', 'sandbox', part]);
    expect(answer.stdout).toContain(`Usage: hosted-runner sandbox ${part} `);
    expect(answer).toEqual(await type(['sandbox', part, '--help']));
  });

  test.each([
    [['help', 'sandbox', 'sginal'], 'There is no command "sginal".'],
    [['help', 'sandbox', 'manager'], 'There is no command "manager".'],
    [['help', 'status', 'linux'], 'There is no command "linux".'],
  ])('refuses %j', async (argv, what) => {
    const { exit, stderr } = await type(argv);
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `✖ help: ${what}`]);
  });

  test('quotes or marks the field names of an error', async () => {
    const { stdout } = await type(['help', '--all']);
    const named = [...stdout.matchAll(/.{12}\b(?:why|now|fix|ref)\b.?/g)].map(([part]) => part);
    expect(named.length).toBeGreaterThan(20);
    // `--fix` is an option.
    const marked = /(?:"now:|`ref`|--fix.?)$/;
    expect(named.filter((part) => !marked.test(part))).toEqual([]);
  });

  test('lists every command except those that only the sandbox calls', async () => {
    const { stdout } = await type(['--help']);
    for (const name of commandNames) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    expect((await type(['sandbox', '--help'])).stdout).not.toContain('manager');
  });

  test.each([['--version'], ['version']])('%s prints the version', async (word) => {
    expect(await type([word])).toEqual({ exit: 0, stdout: '1.2.3\n', stderr: '' });
  });
});

test.each(commandNames.filter((name) => name !== 'help').map((name) => [name]))(
  'the help of %s fits 80 columns, except lines to paste',
  async (name) => {
    const { stdout } = await type([name, '--help'], {}, 80);
    const wide = stdout.split('\n').filter((line) => line.length > 80);
    expect(wide.filter((line) => !line.startsWith('  $ '))).toEqual([]);
  },
);

const everyCommand = [
  ...commandTable.map(({ name }) => [name]),
  ...['apply', 'destroy', 'signal'].map((part) => ['sandbox', part]),
];

test.each(everyCommand)('%s %s accepts --no-color', async (...words) => {
  const { stdout } = await type([...words.filter((word) => word !== undefined), '--help']);
  expect(stdout).toMatch(/^ {2}--no-color /m);
});

test.each([
  [['help', 'help'], ['--help']],
  [['help', '--help'], ['--help']],
  [['help', '-h'], ['--help']],
  [['help', 'help', '--no-color'], ['--help']],
  [['--'], []],
  [['version', '--no-color'], ['version']],
  [['help', '--no-color'], ['help']],
  [
    ['help', '--all', '--no-color'],
    ['help', '--all'],
  ],
  [
    ['help', 'status', '--no-color'],
    ['help', 'status'],
  ],
])('%j gives the same output as %j', async (argv, same) => {
  expect(await type(argv)).toEqual(await type(same));
});

test.each([50, 80])('the list of commands is wrapped by words at %i columns', async (columns) => {
  const { stdout } = await type(['--help'], {}, columns);
  const [list = ''] = stdout.split('\nExit codes:');
  const [, ...rows] = list.slice(list.indexOf('Options:')).split('\n');
  // A description beside a long name is not wrapped, but still fits.
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(columns);
});

test('every example in the help is a valid command', async () => {
  for (const name of commandNames.filter((known) => known !== 'help')) {
    const { stdout } = await type([name, '--help']);
    for (const [, line = ''] of stdout.matchAll(/^ {2}\$ hosted-runner (.+)$/gm)) {
      const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
      const answer = await type(argv);
      const reached = answer.reached?.name
        .replace(/All$/, '')
        .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect([line, answer.stderr, reached]).toEqual([line, '', name]);
    }
  }
});
