import { describe, expect, test } from '@jest/globals';
import { type } from './commanding.ts';

const untouched = '  now  Nothing was touched.';
const reference = '  ref  BadUsage · docs/troubleshooting.md#badusage';

describe('a wrong command line', () => {
  test.each<[string, string[], string]>([
    [
      'an unknown command, with a suggestion',
      ['promot', '--runner', 'linux'],
      `✖ hosted-runner: There is no command "promot".
${untouched}
  fix  Did you mean: hosted-runner promote --runner linux
       List all commands: hosted-runner --help
${reference}`,
    ],
    [
      'a command without a near match, without its control characters',
      ['\u001b[31mred\nred'],
      `✖ hosted-runner: There is no command "\\u001b[31mred\\nred".
${untouched}
  fix  List all commands: hosted-runner --help
${reference}`,
    ],
    [
      'an unknown part of the sandbox',
      ['sandbox', 'aply'],
      `✖ sandbox: There is no command "aply".
${untouched}
  fix  Did you mean: hosted-runner sandbox apply
       List all commands: hosted-runner --help
${reference}`,
    ],
    [
      'an option that help does not accept',
      ['help', '--json'],
      `✖ help: Unknown option "--json".
${untouched}
  fix  List all commands and their options: hosted-runner help --all
${reference}`,
    ],
    [
      'help for an unknown command',
      ['help', 'provison'],
      `✖ help: There is no command "provison".
${untouched}
  fix  Did you mean: hosted-runner help provision
       List all commands: hosted-runner --help
${reference}`,
    ],
    [
      'an unknown option, with a suggestion',
      ['provision', '--runner', 'linux', '--util', 'healthy'],
      `✖ provision: Unknown option '--util'.
${untouched}
  fix  Did you mean: hosted-runner provision --runner linux --until healthy
       Show its options: hosted-runner provision --help
${reference}`,
    ],
    [
      'a stack without its option',
      ['prepare', 'linux', '--json'],
      `✖ prepare: Too many arguments for 'prepare'. Expected 0 arguments but got 1.
${untouched}
  fix  Did you mean: hosted-runner prepare --runner linux --json
       Show its options: hosted-runner prepare --help
${reference}`,
    ],
    ...[
      ['prepare', 'linux', '--runner', 'mac'],
      ['prepare', 'linux', 'mac'],
      ['prepare', 'Linux!'],
      ['validate', 'linux'],
    ].map((words): [string, string[], string] => [
      `a word too many: ${words.join(' ')}`,
      words,
      `✖ ${words[0]}: Too many arguments for '${words[0]}'. Expected 0 arguments but got ${words[2] === 'mac' ? 2 : 1}.
${untouched}
  fix  Show its options: hosted-runner ${words[0]} --help
${reference}`,
    ]),
    [
      'an option without its value',
      ['prepare', '--runner'],
      `✖ prepare: Option '--runner <name>' argument missing.
${untouched}
  fix  Show its options: hosted-runner prepare --help
${reference}`,
    ],
    [
      'an option whose value looks like the next option',
      ['status', '--config', '--json'],
      `✖ status: Option '--config <file>' argument missing.
${untouched}
  fix  Show its options: hosted-runner status --help
${reference}`,
    ],
    ...[
      ['demo', '--json'],
      ['demo', '--json', '--speed', '2'],
    ].map((words): [string, string[], string] => [
      `${words.join(' ')}, which is a file there alone`,
      words,
      `✖ demo: Option '--json <file>' argument missing.
  why  The demo prints its scenes to standard output and writes its numbers to a file.
${untouched}
  fix  Name the file: hosted-runner demo --json demo.json
       Show its options: hosted-runner demo --help
${reference}`,
    ]),
    [
      'an unknown choice',
      ['recover', '--runner', 'linux', '--method', 'pray'],
      `✖ recover: Option '--method <method>' argument 'pray' is invalid. Allowed choices are rerun, cleanup, replace, terminate, auto.
${untouched}
  fix  Show its options: hosted-runner recover --help
${reference}`,
    ],
    [
      'a stage without a stack',
      ['shutdown'],
      `✖ shutdown: shutdown needs the name of a stack.
  why  The configuration has the stacks linux, arm.
${untouched}
  fix  hosted-runner shutdown --runner linux
       hosted-runner shutdown --runner arm
${reference}`,
    ],
    [
      'a recovery without its method',
      ['recover', '--runner', 'linux'],
      `✖ recover: recover needs --method rerun|cleanup|replace|terminate|auto.
${untouched}
  fix  Show its examples: hosted-runner recover --help
${reference}`,
    ],
    [
      'a flag that no simple method needs',
      ['recover', '--runner', 'linux', '--method', 'auto', '--although-nothing-serves'],
      `✖ recover: --although-nothing-serves requires --method cleanup, replace or terminate, not auto.
${untouched}
  fix  Show its examples: hosted-runner recover --help
${reference}`,
    ],
    [
      'one stack and all stacks',
      ['status', '--runner', 'linux', '--all'],
      `✖ status: status cannot combine --runner with --all.
${untouched}
  fix  One stack: hosted-runner status --runner NAME
       Every stack: hosted-runner status --all
${reference}`,
    ],
    [
      'an assignment without a value, which is not repeated',
      ['prepare', '--runner', 'linux', '--set', 'drain.timeout='],
      `✖ prepare: --set "drain.timeout" is not a key with a value.
${untouched}
  fix  Write a key of the configuration: --set drain.timeout=2h
       All keys: docs/use/configuration.md
${reference}`,
    ],
  ])('causes an error in the usual form: %s', async (_name, argv, text) => {
    const answer = await type(argv);
    expect(answer.stderr).toBe(text);
    expect(answer).toMatchObject({ exit: 2, stdout: '' });
    expect(answer.reached).toBeUndefined();
  });
});

describe('values that a shell or a path would read differently', () => {
  const names = [
    '../etc',
    '/etc/passwd',
    'a b',
    'a"b',
    "a'b",
    'a\nb',
    'a\u0000b',
    '-linux',
    '--force',
    '$(id)',
    '`id`',
    'a;b',
    'Linux',
    'linux-',
    '',
    'a'.repeat(64),
    'a'.repeat(300),
    'лinux',
  ];

  test.each(names.map((name) => [JSON.stringify(name).slice(0, 40), name] as const))(
    'cause an error for --runner %s',
    async (_shown, name) => {
      const answer = await type(['prepare', `--runner=${name}`]);
      expect(answer.exit).toBe(2);
      expect(answer.reached).toBeUndefined();
      expect(answer.stderr).toContain('is not the name of a stack.');
      expect(answer.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    },
  );

  test('cause an error for --runner -linux as a separate word', async () => {
    expect((await type(['prepare', '--runner', '-linux'])).exit).toBe(2);
  });

  test('cause an error that names HOSTED_RUNNER_RUNNER_NAME', async () => {
    const answer = await type(['prepare'], { HOSTED_RUNNER_RUNNER_NAME: '../x' });
    expect(answer.stderr).toContain(
      '✖ prepare: HOSTED_RUNNER_RUNNER_NAME "../x" is not the name of a stack.',
    );
  });

  test.each([
    ['--registration', ['activate', '--registration=x'], 'is not the id of a runner.'],
    [
      '--registration',
      ['activate', '--registration=9007199254740993'],
      'is not the id of a runner.',
    ],
    [
      '--deployment',
      ['prepare', '--runner', 'linux', '--deployment=a b'],
      'is not the id of a deployment.',
    ],
    [
      '--deployment',
      ['prepare', '--runner', 'linux', '--deployment=a/../b'],
      'is not the id of a deployment.',
    ],
    ['--port', ['sandbox', '--port=70000'], 'is not a port.'],
    ['--port', ['sandbox', '--port=1e3'], 'is not a port.'],
    ['--forward-ssm', ['sandbox', '--forward-ssm=file:///etc'], 'is not a URL.'],
    ['--speed', ['demo', '--speed=0'], 'is not a speed.'],
    ['--reason', ['hold', '--runner', 'linux', '--reason=a\nb'], 'is not a reason.'],
    ['--config', ['validate', '--config=a\u0000b'], 'is not a path.'],
  ])('cause an error for %s', async (flag, argv, text) => {
    const answer = await type(argv);
    expect(answer.exit).toBe(2);
    expect(answer.stderr).toContain(text);
    expect(answer.stderr).toContain(flag);
  });
});
