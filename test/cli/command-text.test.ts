import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { typedCommand } from '../../src/cli/command-text.ts';

const redactor = createRedactor();
redactor.add("a secret of 'ours'");
const typed = (argv: readonly string[], runner?: string) =>
  typedCommand(argv, { redact: redactor.redact, ...(runner === undefined ? {} : { runner }) });

describe('a command that is printed to be typed again', () => {
  test.each<[string, readonly string[], string]>([
    ['the whole typed command', ['status'], 'hosted-runner status'],
    [
      'every word of a long command',
      ['activate', '--runner', 'linux', '--shard', 'pink', '--registration', '48213'],
      'hosted-runner activate --runner linux --shard pink --registration 48213',
    ],
    [
      'a command without its one-time flags',
      ['provision', '--take-lock', '--runner', 'linux'],
      'hosted-runner provision --runner linux',
    ],
    [
      'a word with spaces in quotes',
      ['hold', '--runner', 'linux', '--reason', "it's noon; rm $HOME"],
      `hosted-runner hold --runner linux --reason 'it'\\''s noon; rm $HOME'`,
    ],
    ['an empty word', ['status', '--config', ''], "hosted-runner status --config ''"],
    [
      'a masked token',
      ['status', '--set', 'gitlab.url=https://glpat-AAAABBBBCCCCDDDDEEEE@gitlab.example.com'],
      "hosted-runner status --set 'gitlab.url=https://[MASKED]@gitlab.example.com'",
    ],
    [
      'a masked registered secret, even in quotes',
      ['hold', "--reason=a secret of 'ours'"],
      "hosted-runner hold '--reason=[MASKED]'",
    ],
  ])('shows %s', (_, argv, printed) => {
    expect(typed(argv)).toBe(printed);
  });

  test.each<[string, readonly string[], string]>([
    [
      'added if no stack was named',
      ['status', '--json'],
      'hosted-runner status --json --runner linux',
    ],
    [
      'named instead of all',
      ['finalize', '--all', '--config', 'a.yml'],
      'hosted-runner finalize --config a.yml --runner linux',
    ],
    [
      'unchanged if it was typed',
      ['deploy', '--runner', 'linux'],
      'hosted-runner deploy --runner linux',
    ],
    [
      'unchanged if an action wrote it',
      ['deploy', '--runner=linux'],
      'hosted-runner deploy --runner=linux',
    ],
  ])('shows its stack %s', (_, argv, printed) => {
    expect(typed(argv, 'linux')).toBe(printed);
  });

  test.each([
    [['hold', '--reason', 'a "b" \'c\' $d `e` \\ f\tg !h *?[i] ~j #k &|;<>(){}', '--runner=x']],
    [['~', '-', '--', 'é', '=a', '%2', '']],
  ])('passes the typed words to a shell: %j', (argv) => {
    const script = typed(argv).replace(/^hosted-runner/, "printf '%s\\n'");
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
      argv.map((word) => `${word}\n`).join(''),
    );
  });
});
