import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { reportProgram } from '../../../../src/adapters/aws/scripts/report-script.ts';

function read(...lines: readonly string[]): string {
  const input = lines.map((line) => `${line}\n`).join('');
  return spawnSync('awk', ['-v', 'mark=m', '-v', 'bytes_left=22000', reportProgram], {
    input,
    encoding: 'utf8',
  }).stdout;
}

test('a check that is killed while it reads the configuration prints no line of it', () => {
  const configuration = ['[[runners]]', '  token = "glrt-abcdefghij0123456789"'];
  expect(read('s_0123456789ab', 'm system_id 0', ...configuration)).toBe(
    'system_id=s_0123456789ab\n',
  );
  expect(read('s_0123456789ab', 'm system_id 0', 'm log 0', 'a line')).toBe(
    'system_id=s_0123456789ab\nlog=a line\n',
  );
});

test('a log line never ends a response of the host, whatever it contains', () => {
  expect(read('m log 0', 'm messages 0', '0')).toBe('log=m messages 0\nlog=0\n');
});
