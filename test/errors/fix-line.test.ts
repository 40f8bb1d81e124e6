import { describe, expect, test } from '@jest/globals';
import { readTyped } from '../../src/cli/command-text.ts';
import { findingEntries } from '../../src/domain/doctor/catalogue.ts';
import { diagnoses, nextOf } from '../../src/domain/health/diagnosis-catalogue.ts';
import { knownError } from '../../src/errors/external-errors.ts';
import { lineOf, type Typed } from '../../src/errors/fix-line.ts';
import { catalogue } from './catalogue.ts';
import { commandsIn } from './commands-in.ts';

const redact = (text: string) => text.replaceAll('hunter2', '[MASKED]');
const typing = (...argv: readonly string[]) => readTyped(argv, { command: argv[0] ?? '', redact });

/** Returns every next command of the catalogue, of the findings and of the diagnoses. */
function printedFor(typed: Typed): string[] {
  return [
    ...catalogue.flatMap((error) => error.asTyped(typed).fields.fix ?? []),
    ...Object.values(findingEntries)
      .flatMap(({ commands }) => commands)
      .map((one) => lineOf(one, typed)),
    ...Object.values(diagnoses)
      .flatMap((entry) => nextOf(entry, 'linux'))
      .map((line) => lineOf(line, typed)),
  ];
}

describe('a command that an error prints', () => {
  const step = { text: 'Then', runner: 'linux', more: '--take-lock' } as const;

  test.each<[string, readonly string[], string]>([
    [
      'the typed command keeps all of its options',
      ['provision', '--config', 'a.yml', '--set', 'drain.timeout=1h', '--runner', 'linux'],
      'hosted-runner provision --config a.yml --set drain.timeout=1h --runner linux --take-lock',
    ],
    [
      'the stack is named if the environment or --all selected it',
      ['provision', '--all', '--config=a.yml'],
      'hosted-runner provision --config=a.yml --runner linux --take-lock',
    ],
    [
      'another command keeps only the file: a kill was confirmed for one command',
      ['shutdown', '--config', 'a.yml', '--set', 'drain.force_after=30s', '--runner', 'linux'],
      'hosted-runner provision --runner linux --config a.yml --take-lock',
    ],
    [
      'the file is the last one, which was read',
      ['deploy', '--config', 'a.yml', '--config=b.yml'],
      'hosted-runner provision --runner linux --config b.yml --take-lock',
    ],
    [
      'the file is one shell word, and no secret',
      ['deploy', '--config', 'of hunter2.yml'],
      "hosted-runner provision --runner linux --config 'of [MASKED].yml' --take-lock",
    ],
    [
      'no file is named if none was typed',
      ['deploy', '--runner', 'linux'],
      'hosted-runner provision --runner linux --take-lock',
    ],
  ])('keeps the right options: %s', (_, argv, command) => {
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

  test('counts as another command if its options differ', () => {
    const typed = typing('recover', '--method', 'rerun', '--runner', 'linux');
    const more = '--method terminate --yes';
    expect(lineOf({ text: 'Or', command: 'recover', runner: 'linux', more }, typed)).toBe(
      'Or: hosted-runner recover --runner linux --method terminate --yes',
    );
  });

  test.each([
    [false, 'hosted-runner recover --runner linux --method auto --yes'],
    [true, 'hosted-runner recover --runner linux --method auto'],
  ])('contains --yes only for a caller without a prompt (%s)', (canPrompt, command) => {
    const recovers = { command: 'recover', runner: 'linux', more: '--method auto' } as const;
    const typed = { ...typing('provision'), canPrompt };
    expect(lineOf({ ...recovers, wantsYes: true }, typed)).toBe(command);
  });

  test('contains no --yes at a terminal', () => {
    const typed = { ...typing('provision'), canPrompt: true };
    const printed = printedFor(typed);
    expect(printed.length).toBeGreaterThan(100);
    expect(printed.filter((line) => line.includes('--yes'))).toEqual([]);
  });

  test('contains --yes in every command that would prompt, for a caller without a prompt', () => {
    const prompting = printedFor(typing('provision')).filter((line) =>
      /: hosted-runner (?:recover|doctor --fix)\b|^hosted-runner (?:recover|doctor --fix)\b/.test(
        line,
      ),
    );
    expect(prompting.length).toBeGreaterThan(30);
    expect(prompting.filter((line) => !line.includes(' --yes'))).toEqual([]);
  });
});

/**
 * Errors that get the command line from their caller, or facts from another part of the program.
 */
const handed: Readonly<Record<string, string>> = {
  AddressTaken: 'what is typed for any port is made by the command that listens',
  Cancelled: 'handed what was typed',
  CheckDocumentRefused: 'handed what was typed',
  CredentialsEnded: 'handed what was typed, where AWS says it',
  CredentialsMissing: 'handed what was typed',
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

describe('the commands of the whole catalogue', () => {
  const config = '--config other.yml';

  test('name the typed file if they concern a stack', () => {
    const without = catalogue.flatMap((error) => {
      const { code, fields } = error.asTyped(typing('explain', ...config.split(' ')));
      const commands = commandsIn(fields.fix ?? []).filter((one) => one.includes(' --runner '));
      return commands.every((one) => one.includes(` ${config}`)) ? [] : [code];
    });
    expect([...new Set(without)].sort()).toEqual(Object.keys(handed));
  });

  test('stay unchanged if no option was typed', () => {
    const changed = catalogue.filter((error) => {
      const { fix } = error.asTyped(typing('provision')).fields;
      return JSON.stringify(fix) !== JSON.stringify(error.fields.fix);
    });
    expect(changed.map(({ code }) => code)).toEqual([]);
  });

  test('repeat the typed command for errors of any command', () => {
    const step = { text: 'Then', again: 'provision', ofAny: true, runner: 'linux' } as const;
    expect(lineOf(step, typing('finalize', '--runner', 'linux', ...config.split(' ')))).toBe(
      `Then: hosted-runner finalize --runner linux ${config}`,
    );
    const named = catalogue.filter(({ written }) =>
      (written.fix ?? []).some((line) => typeof line !== 'string' && 'ofAny' in line),
    );
    expect(
      [...new Set(named.map(({ code }) => code))].filter(
        (code) => !/^(?:Terraform|PlanChanged)/.test(code),
      ),
    ).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  test('change only in the fix lines, and not in the rest of the error', () => {
    const typed = typing('status', ...config.split(' '));
    for (const error of catalogue) {
      const known = knownError(error, { signal: undefined, command: 'status', typed });
      expect({ ...known.fields, fix: [] }).toEqual({ ...error.fields, fix: [] });
      expect(known.fields.fix).toEqual(error.asTyped(typed).fields.fix);
    }
  });
});
