import { describe, expect, test } from '@jest/globals';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { exitsAsData, forEachStack, mostSerious } from '../../src/app/many-stacks/stack-loop.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { stackSettings } from '../fakes/builders.ts';
import { type } from './commanding.ts';

const unavailable = (detail: string) =>
  new PortFailure({ kind: 'unavailable', effect: 'none', source: 'GitLab', detail });

describe('finalize --all', () => {
  test('selects every stack, even if a variable names one', async () => {
    const environment = { HOSTED_RUNNER_RUNNER_NAME: 'linux' };
    expect(await type(['finalize', '--all'], environment)).toMatchObject({
      exit: 0,
      reached: { name: 'finalizeAll', options: { overrides: [], takeLock: false } },
    });
  });

  test.each([
    ['--runner', 'linux'],
    ['--deployment', '1-200'],
  ])('refuses %s with --all', async (flag, value) => {
    const { exit, stderr } = await type(['finalize', '--all', flag, value]);
    expect(exit).toBe(2);
    expect(stderr).toContain(`✖ finalize: finalize cannot combine ${flag} with --all.`);
  });
});

describe('a command over several stacks', () => {
  const stacks = ['one', 'two', 'three'].map((name) =>
    stackSettings({ runnerName: name as ReturnType<typeof stackSettings>['runnerName'] }),
  );

  test('continues with the other stacks after a failure, and names the stack of an error', async () => {
    let printed = '';
    const redactor = createRedactor();
    redactor.add('glrt-secret-of-two');
    const showError = (text: string) => {
      printed += text;
    };
    const typed = {
      command: 'finalize',
      again: (runner?: string) => `hosted-runner finalize --config one.yml --runner ${runner}`,
    };
    const program = { redactor, showError, signal: new AbortController().signal, typed };
    const outcomes = await forEachStack(program, { name: 'finalize', stacks }, async (settings) => {
      if (settings.runnerName === 'two') throw unavailable('broken by glrt-secret-of-two');
      return `${settings.runnerName} is done`;
    });
    expect(outcomes.map(({ exit, value }) => [exit, value])).toEqual([
      [0, 'one is done'],
      [75, undefined],
      [0, 'three is done'],
    ]);
    expect(exitsAsData(outcomes)).toMatchObject({
      stacks: [
        { runner_name: 'one', exit_code: 0 },
        { runner_name: 'two', exit_code: 75, error: { code: 'Unavailable' } },
        { runner_name: 'three', exit_code: 0 },
      ],
    });
    expect(JSON.stringify(exitsAsData(outcomes.slice(0, 1)))).not.toContain('error');
    expect(printed).toContain('✖ finalize two: ');
    expect(printed).toContain(
      'fix  Run it again: hosted-runner finalize --config one.yml --runner two\n',
    );
    expect(printed).not.toContain('glrt-secret-of-two');
  });

  test.each([
    [[0, 0], 0],
    [[0, 75], 75],
    [[75, 130], 130],
    [[75, 2, 0], 2],
    [[1, 75], 1],
    [[1, 3, 75], 3],
    [[], 0],
  ] as const)('ends, for the exit codes %j, with the most serious: %i', (exits, expected) => {
    expect(mostSerious(exits.map((exit) => ({ exit })))).toBe(expected);
  });
});
