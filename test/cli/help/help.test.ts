import { describe, expect, test } from '@jest/globals';
import { commandNames } from '../../../src/cli/commands/table.ts';
import { type } from '../commanding.ts';

describe('help', () => {
  test('without arguments names the likeliest commands and ends with 2', async () => {
    expect(await type([])).toEqual({
      exit: 2,
      stdout: '',
      stderr: `hosted-runner replaces the GitLab runners of a stack on AWS without losing a job.

  hosted-runner demo      watch whole deployments in a sandbox; needs no account
  hosted-runner init      write hosted-runners.yml for this repository
  hosted-runner status    both shards of every stack at a glance

All commands: hosted-runner --help
`,
    });
  });

  test.each(commandNames.filter((name) => name !== 'help'))(
    'of %s has a sentence and the exit codes',
    async (name) => {
      const answer = await type([name, '--help']);
      expect(answer.exit).toBe(0);
      expect(answer.stdout).toContain(`Usage: hosted-runner ${name}`);
      expect(answer.stdout).toMatch(/\n\n[A-Z].*\.\n\n/);
      expect(answer.stdout).toContain('75   not finished yet');
      if (name !== 'version') expect(answer.stdout).toContain('Examples:\n  $ hosted-runner');
    },
  );

  test('of the program lists every command but what only the sandbox calls', async () => {
    const { stdout } = await type(['--help']);
    for (const name of commandNames) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    expect((await type(['sandbox', '--help'])).stdout).not.toContain('manager');
  });

  test.each([['--version'], ['version']])('%s prints the version', async (word) => {
    expect(await type([word])).toEqual({ exit: 0, stdout: '1.2.3\n', stderr: '' });
  });
});

test('every example in the help can be typed', async () => {
  for (const name of commandNames.filter((known) => known !== 'help')) {
    const { stdout } = await type([name, '--help']);
    for (const [, line = ''] of stdout.matchAll(/^ {2}\$ hosted-runner (.+)$/gm)) {
      const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
      const answer = await type(argv);
      const reached = answer.reached?.name.replace(/All$/, '');
      expect([line, answer.stderr, reached]).toEqual([line, '', name]);
    }
  }
});
