import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test.each([
  [['src/nowhere.ts'], 'no source of src/ is named by src/nowhere.ts'],
  [['test/scripts/mutants.test.ts'], 'no source of src/ is named by test/scripts/mutants.test.ts'],
  [['--suites', 'many'], '--suites many is no number of suites'],
  [['--since', 'no-such-commit'], 'no-such-commit'],
])('a mutation run that cannot begin, %j, ends with exit code 2 and the reason', (args, reason) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/mutants.js', ...args], {
    encoding: 'utf8',
  });
  expect(stderr).toContain(reason);
  expect(status).toBe(2);
});
