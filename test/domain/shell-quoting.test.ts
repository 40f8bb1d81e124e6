import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { inShell } from '../../src/domain/text/shell-quoting.ts';

/** Splits a printed command into words like a shell. */
function wordsOf(command: string): string[] {
  const output = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

test.each(['linux', 'a b', "it's", '$(id)', '`id`', 'x;y|z&', '*', '"', '\\', '~', '#a', '-n', ''])(
  'a shell makes one word of the value %j',
  (value) => {
    expect(wordsOf(inShell`status --runner ${value} ${3}`)).toEqual([
      'status',
      '--runner',
      value,
      '3',
    ]);
  },
);

test('a plain value gets no quotes, and a value that begins with = gets them', () => {
  expect(inShell`status --runner ${'linux-2'} --set ${'=ls'}`).toBe(
    "status --runner linux-2 --set '=ls'",
  );
});

test('a list becomes one word for each value, and an empty list removes the space before it', () => {
  expect(inShell`cancel ${['a b', 'c']} now`).toBe("cancel 'a b' c now");
  expect(inShell`cancel ${[]}`).toBe('cancel');
});
