import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { typedCommand } from '../../src/cli/command-text.ts';

const redactor = createRedactor();
redactor.add("a secret of 'ours'");
const typed = (argv: readonly string[], runner?: string) =>
  typedCommand(argv, { redact: redactor.redact, ...(runner === undefined ? {} : { runner }) });

describe('what is printed to be typed again', () => {
  test.each<[string, readonly string[], string]>([
    ['all that was typed', ['status'], 'hosted-runner status'],
    [
      'every word of a long one',
      ['activate', '--runner', 'linux', '--shard', 'pink', '--registration', '48213'],
      'hosted-runner activate --runner linux --shard pink --registration 48213',
    ],
    [
      'without what was said of one moment',
      ['provision', '--take-lock', '--runner', 'linux'],
      'hosted-runner provision --runner linux',
    ],
    [
      'a word of several in quotes',
      ['hold', '--runner', 'linux', '--reason', "it's noon; rm $HOME"],
      `hosted-runner hold --runner linux --reason 'it'\\''s noon; rm $HOME'`,
    ],
    ['an empty word', ['status', '--config', ''], "hosted-runner status --config ''"],
    [
      'no token',
      ['status', '--set', 'gitlab.url=https://glpat-AAAABBBBCCCCDDDDEEEE@gitlab.example.com'],
      "hosted-runner status --set 'gitlab.url=https://[MASKED]@gitlab.example.com'",
    ],
    [
      'no secret that we were told of, also where it has quotes',
      ['hold', "--reason=a secret of 'ours'"],
      "hosted-runner hold '--reason=[MASKED]'",
    ],
  ])('is %s', (_, argv, printed) => {
    expect(typed(argv)).toBe(printed);
  });

  test.each<[string, readonly string[], string]>([
    ['named where it was not', ['status', '--json'], 'hosted-runner status --json --runner linux'],
    [
      'named instead of all',
      ['finalize', '--all', '--config', 'a.yml'],
      'hosted-runner finalize --config a.yml --runner linux',
    ],
    [
      'left as it was typed',
      ['deploy', '--runner', 'linux'],
      'hosted-runner deploy --runner linux',
    ],
    [
      'left as an action wrote it',
      ['deploy', '--runner=linux'],
      'hosted-runner deploy --runner=linux',
    ],
  ])('of one stack has it %s', (_, argv, printed) => {
    expect(typed(argv, 'linux')).toBe(printed);
  });

  test.each([
    [['hold', '--reason', 'a "b" \'c\' $d `e` \\ f\tg !h *?[i] ~j #k &|;<>(){}', '--runner=x']],
    [['~', '-', '--', 'é', '=a', '%2', '']],
  ])('gives a shell the words that were typed: %j', (argv) => {
    const script = typed(argv).replace(/^hosted-runner/, "printf '%s\\n'");
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
      argv.map((word) => `${word}\n`).join(''),
    );
  });
});
