import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { actionOutputs } from '../../src/adapters/ci/github/github-outputs.ts';
import { flagOf } from '../../src/cli/command.ts';
import { actionStages, findCommand } from '../../src/cli/commands/command-table.ts';
import { actionOwnInputs } from '../../src/cli/github-action/action-inputs.ts';
import { isAction, readAction } from '../../src/cli/github-action/call.ts';
import { listActionInputs } from '../../src/cli/github-action/input-list.ts';
import { ownVariables } from '../../src/config/layers/variable-names.ts';
import { keyTable } from '../../src/domain/keys/key-table.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { read } from '../structure/tree.ts';

describe('the program', () => {
  test.each([
    ['without arguments and with INPUT_STAGE', [], { INPUT_STAGE: '' }, true],
    ['in a run step of GitHub', ['status'], { GITHUB_ACTIONS: 'true' }, false],
    ['without arguments in a run step of GitHub', [], { GITHUB_ACTIONS: 'true' }, false],
    ['with arguments', ['status'], { INPUT_STAGE: 'prepare' }, false],
  ])('started %s counts as an action: %s %j %s', (_, argv, environment, expected) => {
    expect(isAction(argv, environment)).toBe(expected);
  });
});

describe('the inputs of the action', () => {
  test('become a command line and variables, and take precedence over those of the workflow', () => {
    const { argv, environment } = readAction({
      INPUT_STAGE: 'provision',
      INPUT_RUNNER_NAME: ' linux ',
      INPUT_CONFIG: 'infra/hosted-runners.yml',
      INPUT_UNTIL: 'healthy',
      INPUT_TAKE_LOCK: 'true',
      INPUT_DRAIN_TIMEOUT: '2h',
      INPUT_DRAIN_FORCE_AFTER: '',
      INPUT_GITHUB_TOKEN: 'ghs_input',
      HOSTED_RUNNER_DRAIN_TIMEOUT: '9h',
      HOSTED_RUNNER_DRAIN_FORCE_AFTER: '8h',
    });
    expect(argv).toEqual([
      'provision',
      '--runner=linux',
      '--config=infra/hosted-runners.yml',
      '--until=healthy',
      '--take-lock',
    ]);
    expect(environment).toMatchObject({
      GITHUB_TOKEN: 'ghs_input',
      HOSTED_RUNNER_DRAIN_TIMEOUT: '2h',
      HOSTED_RUNNER_DRAIN_FORCE_AFTER: '8h',
    });
  });

  test.each(actionStages)('pass switches to %s if it has the flag', (stage) => {
    const { argv } = readAction({
      INPUT_STAGE: stage,
      INPUT_TAKE_LOCK: 'true',
      INPUT_VERBOSE: 'true',
    });
    const flags = findCommand(stage)?.options.map((option) => option.flags);
    expect(argv).toEqual([stage, ...argv.slice(1).filter((flag) => flags?.includes(flag))]);
    expect(argv).toContain('--verbose');
    expect(argv.includes('--take-lock')).toBe(stage !== 'renew');
  });

  test.each([
    ['linux', 'linux'],
    ['Linux; id', 'NAME'],
  ])('cause an error with the new name if the name is old: runner: %s', (runner, named) => {
    const given = () => readAction({ INPUT_STAGE: 'prepare', INPUT_RUNNER: runner });
    expect(given).toThrow(
      expect.objectContaining({
        fields: expect.objectContaining({
          what: 'The input runner is now called runner_name.',
          fix: [`Set it in the workflow: runner_name: ${named}`],
        }),
      }),
    );
  });

  test('stay values even if they begin like a flag', () => {
    const { argv } = readAction({ INPUT_STAGE: 'prepare', INPUT_RUNNER_NAME: '--take-lock' });
    expect(argv).toEqual(['prepare', '--runner=--take-lock']);
  });

  test('default to a health check without a stage', () => {
    expect(readAction({ INPUT_STAGE: '' }).argv).toEqual(['healthcheck']);
  });

  test.each(['sandbox', 'status', '--help', 'prepare --take-lock', 'init'])(
    'cause an error for the stage %j',
    (stage) => {
      expect(() => readAction({ INPUT_STAGE: stage })).toThrow(
        expect.objectContaining({ code: 'BadUsage', exitCode: 2 } satisfies Partial<DeployError>),
      );
    },
  );
});

describe('action.yml', () => {
  const metadata = parse(read('action.yml'));

  test('contains an input for every key that differs by pipeline', () => {
    const keys = keyTable.filter(({ pipeline }) => pipeline === true);
    expect(Object.keys(metadata.inputs)).toEqual(
      expect.arrayContaining(keys.map(({ path }) => path.join('_'))),
    );
  });

  test('contains no input that becomes a variable unknown to the program', () => {
    const flags = [
      'stage',
      'runner_name',
      'config',
      'until',
      'take_lock',
      'verbose',
      'github_token',
    ];
    const known = [
      ...keyTable.map(({ variable }) => variable),
      ...ownVariables.map(({ name }) => name as string),
    ];
    const unknown = Object.keys(metadata.inputs)
      .filter((name) => !flags.includes(name))
      .filter((name) => !known.includes(`HOSTED_RUNNER_${name.toUpperCase()}`));
    expect(unknown).toEqual([]);
  });

  test('names every stage and every output', () => {
    const { description } = metadata.inputs.stage;
    expect(actionStages.filter((stage) => !description.includes(stage))).toEqual([]);
    expect(Object.keys(metadata.outputs)).toEqual(actionOutputs.map(({ name }) => name));
    expect(metadata.runs).toEqual({ using: 'node24', main: 'dist/index.js' });
  });

  test.each(Object.keys(metadata.inputs))(
    'contains the input %s, which the program reads',
    (name) => {
      const { goesTo } = actionOwnInputs.find((input) => input.name === name) ?? {};
      const stage = (goesTo?.kind === 'flag' ? goesTo.of : undefined) ?? 'deploy';
      const texts: Readonly<Record<string, string>> = { command: 'shutdown', switch: 'true' };
      const text = texts[goesTo?.kind ?? ''] ?? '7m';
      const withoutInputs = (given: Record<string, string>) => {
        const { argv, environment } = readAction({ INPUT_STAGE: stage, ...given });
        const others = Object.entries(environment).filter(([key]) => !key.startsWith('INPUT_'));
        return { argv, variables: Object.fromEntries(others) };
      };
      const { argv, variables } = withoutInputs({ [`INPUT_${name.toUpperCase()}`]: text });
      expect({ argv, variables }).not.toEqual(withoutInputs({}));
      const flags = argv.slice(1).map((word) => word.split('=')[0]);
      const known = findCommand(argv[0] ?? '')?.options.map(flagOf);
      expect(flags.filter((flag) => !known?.includes(flag ?? ''))).toEqual([]);
      const names = [
        ...keyTable.map(({ variable }) => variable),
        ...ownVariables.map(({ name: own }) => own as string),
        'GITHUB_TOKEN',
      ];
      expect(Object.keys(variables).filter((variable) => !names.includes(variable))).toEqual([]);
    },
  );

  test('contains only defaults that equal those of the program', () => {
    const inputs = Object.entries(metadata.inputs as Record<string, { default?: string }>);
    const defaults = inputs.flatMap(([name, { default: text }]) =>
      text === undefined ? [] : [[name, text]],
    );
    expect(Object.fromEntries(defaults)).toEqual({
      stage: readAction({ INPUT_STAGE: '' }).argv[0],
      github_token: `\${{ github.token }}`,
      take_lock: 'false',
      verbose: 'false',
    });
  });

  test('describes each input in one line', () => {
    for (const { description } of listActionInputs())
      expect(description).toMatch(/^[^\n]{10,300}\.$/);
  });
});
