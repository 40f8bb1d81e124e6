import { describe, expect, test } from '@jest/globals';
import { readTyped } from '../../src/cli/command-text.ts';
import { findingEntries } from '../../src/domain/doctor/catalogue.ts';
import { diagnoses, nextOf } from '../../src/domain/health/diagnosis-catalogue.ts';
import { knownError } from '../../src/errors/external-errors.ts';
import { lineOf } from '../../src/errors/fix-line.ts';
import { catalogue } from './catalogue.ts';
import { commandsIn } from './commands-in.ts';

const redact = (text: string) => text.replaceAll('hunter2', '[MASKED]');
const typing = (...argv: readonly string[]) => readTyped(argv, { command: argv[0] ?? '', redact });

describe('a command that an error prints', () => {
  const step = { say: 'Then', runner: 'linux', more: '--take-lock' } as const;

  test.each<[string, readonly string[], string]>([
    [
      'that is the one that was typed keeps all of its options',
      ['provision', '--config', 'a.yml', '--set', 'drain.timeout=1h', '--runner', 'linux'],
      'hosted-runner provision --config a.yml --set drain.timeout=1h --runner linux --take-lock',
    ],
    [
      'names the stack, where the environment or --all did',
      ['provision', '--all', '--config=a.yml'],
      'hosted-runner provision --config=a.yml --runner linux --take-lock',
    ],
    [
      'that is another one keeps the file alone: a kill was agreed to for one command',
      ['shutdown', '--config', 'a.yml', '--set', 'drain.force_after=30s', '--runner', 'linux'],
      'hosted-runner provision --runner linux --config a.yml --take-lock',
    ],
    [
      'has the file that was read, which is the last one',
      ['deploy', '--config', 'a.yml', '--config=b.yml'],
      'hosted-runner provision --runner linux --config b.yml --take-lock',
    ],
    [
      'has a file that a shell reads as one word, and no secret',
      ['deploy', '--config', 'of hunter2.yml'],
      "hosted-runner provision --runner linux --config 'of [MASKED].yml' --take-lock",
    ],
    [
      'names no file where none was typed',
      ['deploy', '--runner', 'linux'],
      'hosted-runner provision --runner linux --take-lock',
    ],
  ])('%s', (_, argv, command) => {
    expect(lineOf({ ...step, again: 'provision' }, typing(...argv))).toBe(`Then: ${command}`);
  });

  test.each([
    ['deploy', 'HOSTED_RUNNER_DEPLOYMENT= hosted-runner deploy --runner linux'],
    ['finalize', 'hosted-runner finalize --runner linux'],
  ])('begins a new deployment although the environment names one: %s', (command, printed) => {
    const environment = { HOSTED_RUNNER_DEPLOYMENT: 'by-hand-1' };
    const typed = readTyped(['provision'], { command: 'provision', redact, environment });
    expect(lineOf({ command, runner: 'linux' }, typed)).toBe(printed);
  });

  test('is not taken for the same one where other options of it are meant', () => {
    const typed = typing('recover', '--method', 'rerun', '--runner', 'linux');
    const more = '--method terminate --yes';
    expect(lineOf({ say: 'Or', command: 'recover', runner: 'linux', more }, typed)).toBe(
      'Or: hosted-runner recover --runner linux --method terminate --yes',
    );
  });

  test.each([
    [false, 'hosted-runner recover --runner linux --method auto --yes'],
    [true, 'hosted-runner recover --runner linux --method auto'],
  ])('agrees beforehand only for whoever is not asked (%s)', (canPrompt, command) => {
    const recovers = { command: 'recover', runner: 'linux', more: '--method auto' } as const;
    const typed = { ...typing('provision'), canPrompt };
    expect(lineOf({ ...recovers, wantsYes: true }, typed)).toBe(command);
  });

  test('and nothing that is printed at a terminal has a --yes', () => {
    const typed = { ...typing('provision'), canPrompt: true };
    const printed = [
      ...catalogue.flatMap((error) => error.asTyped(typed).fields.fix ?? []),
      ...Object.values(findingEntries)
        .flatMap(({ commands }) => commands)
        .map((one) => lineOf(one, typed)),
      ...Object.values(diagnoses)
        .flatMap((entry) => nextOf(entry, 'linux'))
        .map((line) => lineOf(line, typed)),
    ];
    expect(printed.length).toBeGreaterThan(100);
    expect(printed.filter((line) => line.includes('--yes'))).toEqual([]);
  });
});

/** The rest of them get what was typed from who calls them, or what another program part has found. */
const handed: Readonly<Record<string, string>> = {
  AddressTaken: 'what is typed for any port is made by the command that listens',
  Cancelled: 'handed what was typed',
  CheckDocumentRefused: 'handed what was typed',
  CredentialsEnded: 'handed what was typed, where AWS says it',
  CredentialsRefused: 'handed what was typed',
  PermissionMissing: 'handed what was typed',
  ReadOnly: 'handed what was typed',
  Refused: 'handed what was typed',
  RoleRefused: 'handed what was typed',
  RunnerLimit: 'handed what was typed',
  StartUnproven: 'handed what was typed',
  Throttled: 'handed what was typed',
  Unavailable: 'handed what was typed',
  UnexpectedAnswer: 'handed what was typed',
  Unreachable: 'handed what was typed',
};

describe('over the whole catalogue', () => {
  const config = '--config other.yml';

  test('each command for a stack names the file that was typed', () => {
    const without = catalogue.flatMap((error) => {
      const { code, fields } = error.asTyped(typing('explain', ...config.split(' ')));
      const commands = commandsIn(fields.fix ?? []).filter((one) => one.includes(' --runner '));
      return commands.every((one) => one.includes(` ${config}`)) ? [] : [code];
    });
    expect([...new Set(without)].sort()).toEqual(Object.keys(handed));
  });

  test('nothing changes where no option was typed', () => {
    const changed = catalogue.filter((error) => {
      const { fix } = error.asTyped(typing('provision')).fields;
      return JSON.stringify(fix) !== JSON.stringify(error.fields.fix);
    });
    expect(changed.map(({ code }) => code)).toEqual([]);
  });

  test('an error that any command may meet names the command that was typed', () => {
    const step = { say: 'Then', again: 'provision', ofAny: true, runner: 'linux' } as const;
    expect(lineOf(step, typing('finalize', '--runner', 'linux', ...config.split(' ')))).toBe(
      `Then: hosted-runner finalize --runner linux ${config}`,
    );
    const named = catalogue.filter(({ written }) =>
      (written.fix ?? []).some((line) => typeof line !== 'string' && 'ofAny' in line),
    );
    expect(
      [...new Set(named.map(({ code }) => code))].filter((code) => !/^Terraform/.test(code)),
    ).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  test('what ends a command is said so, with all else as it was', () => {
    const typed = typing('status', ...config.split(' '));
    for (const error of catalogue) {
      const known = knownError(error, { signal: undefined, command: 'status', typed });
      expect({ ...known.fields, fix: [] }).toEqual({ ...error.fields, fix: [] });
      expect(known.fields.fix).toEqual(error.asTyped(typed).fields.fix);
    }
  });
});
