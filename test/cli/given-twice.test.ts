import { describe, expect, test } from '@jest/globals';
import { type } from './commanding.ts';

const reference = '  ref  BadUsage · docs/troubleshooting.md#badusage';

describe('an option that is given twice with different values', () => {
  test.each([
    [['status', '--runner', 'linux', '--runner', 'windows', '--json']],
    [['status', '--runner=linux', '--runner', 'windows', '--json']],
    [['status', '--json', '--runner', 'linux', '--runner=windows']],
    [['--runner', 'linux', 'status', '--json', '--runner', 'windows']],
  ])('causes an error: %j', async (argv) => {
    const answer = await type(argv);
    expect(answer.stderr).toBe(`✖ status: --runner is given twice, with "linux" and with "windows".
  now  Nothing was touched.
  fix  Use the first: hosted-runner status --json --runner linux
       Use the second: hosted-runner status --json --runner windows
       Show its options: hosted-runner status --help
${reference}`);
    expect(answer).toMatchObject({ exit: 2, stdout: '' });
    expect(answer.reached).toBeUndefined();
  });

  test.each([
    [['sandbox', 'apply', '--runner', 'linux', '--shard', 'pink', '--shard', 'purple'], '--shard'],
    [['recover', '--runner', 'linux', '--method', 'rerun', '--method=cleanup'], '--method'],
    [['validate', '--config', 'a.yml', '--config', 'b.yml'], '--config'],
    [['hold', '--runner', 'linux', '--reason', 'a', '--reason', 'b c'], '--reason'],
    [['status', '--runner', 'a', '--runner', 'b', '--runner', 'a'], '--runner'],
  ])('causes an error: %j', async (argv, flag) => {
    const answer = await type(argv);
    expect(answer.stderr).toContain(`: ${flag} is given twice, with "`);
    expect(answer.exit).toBe(2);
    expect(answer.reached).toBeUndefined();
  });

  test('causes an error whose fix runs as printed', async () => {
    const { stderr } = await type(['validate', '--config', 'a b.yml', '--config', 'c.yml']);
    expect(stderr).toContain("Use the first: hosted-runner validate --config 'a b.yml'\n");
    const again = await type(['validate', '--config', 'a b.yml']);
    expect(again).toMatchObject({ exit: 0, stderr: '' });
  });

  test('causes an error without its control characters', async () => {
    const { stderr } = await type(['validate', '--config', 'a', '--config', 'b\u009b']);
    expect(stderr).toContain('with "a" and with "b\\u009b"');
  });
});

describe('an option that may be given twice', () => {
  test.each([
    ['with the same value twice', ['status', '--runner', 'linux', '--runner=linux']],
    ['as a switch, twice', ['status', '--json', '--json']],
    ['as a repeatable option', ['validate', '--set', 'managers=2', '--set', 'managers=3']],
  ])('may appear %s', async (_, argv) => {
    expect(await type(argv)).toMatchObject({ exit: 0, stderr: '' });
  });
});

test('--allow-host is repeatable, and each name is converted to lower case', async () => {
  const line =
    'healthcheck --runner linux --listen 0.0.0.0:8888 --allow-host Health.example.com --allow-host other';
  expect((await type(line.split(' '))).reached?.options).toMatchObject({
    listen: { host: '0.0.0.0', port: 8888 },
    allowedHosts: ['health.example.com', 'other'],
  });
});

test.each([
  ['--listen 0.0.0.0:1 --allow-host *.example.com', '--allow-host health.example.com'],
  ['--listen 0.0.0.0:1 --allow-host http://example.com', '--allow-host health.example.com'],
  ['--allow-host health.example.com', '--allow-host requires --listen, and without --once.'],
  ['--listen 0.0.0.0:1 --once --allow-host health.example.com', 'without --once.'],
])('healthcheck %s is refused with %s', async (given, prints) => {
  const answer = await type(['healthcheck', '--runner', 'linux', ...given.split(' ')]);
  expect(answer).toMatchObject({ exit: 2, stderr: expect.stringContaining(prints) });
});
