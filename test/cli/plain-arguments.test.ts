import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Actions, CommandExit } from '../../src/cli/actions.ts';
import { readPlain } from '../../src/cli/plain-arguments.ts';
import { defineProgram } from '../../src/cli/program.ts';

type Reached = { name: string; options: unknown } | { error: string } | undefined;

async function reachedBy(
  run: (actions: Actions) => Promise<unknown> | undefined,
): Promise<Reached> {
  let reached: Reached;
  const actions = new Proxy({} as Actions, {
    get:
      (_target, name) =>
      async (options: unknown): Promise<CommandExit> => {
        reached = { name: String(name), options };
        return 0;
      },
  });
  try {
    await run(actions);
  } catch (error) {
    return { error: (error as Error).message };
  }
  return reached;
}

function byCommander(argv: string[], environment: Record<string, string>): Promise<Reached> {
  const silent = { write: () => {}, writeError: () => {}, finish: () => {}, version: '1' };
  return reachedBy((actions) =>
    defineProgram({ ...silent, actions, environment }).parseAsync(argv, { from: 'user' }),
  );
}

const word = fc.constantFrom(
  '--runner',
  '--runner=linux',
  '--runner=Linux',
  'linux',
  '--config',
  '--config=a.yml',
  'a b.yml',
  '--set',
  '--set=drain.timeout=2h',
  'managers=2',
  'managers=-2',
  '--deployment',
  '1-2',
  '--report-dir=reports',
  '--evidence-file',
  '--take-lock',
  '--take-lock=yes',
  '--no-color',
  '--until',
  '--until=healthy',
  'promoted',
  '--shard',
  '--help',
  '--',
  '-r',
  '',
  '--runner=',
);
const stage = fc.constantFrom('prepare', 'provision', 'healthcheck', 'finalize', 'status', 'help');
const environment = fc.constantFrom(
  {},
  { HOSTED_RUNNER_RUNNER_NAME: 'linux', HOSTED_RUNNER_REPORT_DIR: 'elsewhere' },
  { HOSTED_RUNNER_RUNNER_NAME: 'No' },
);

test('plain arguments are read as commander reads them, or left to it', async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(
      stage,
      fc.array(word, { maxLength: 6 }),
      environment,
      async (name, rest, env) => {
        const argv = [name, ...rest];
        const plain = await reachedBy((actions) =>
          readPlain(argv, { actions, environment: env })?.(),
        );
        if (plain === undefined) return;
        read += 1;
        expect(await byCommander(argv, env)).toEqual(plain);
      },
    ),
    {
      numRuns: 1500,
      // Two mistakes at once: the second word is told first.
      examples: [['provision', ['--until', '1-2', '--runner=Linux'], {}]],
    },
  );
  expect(read).toBeGreaterThan(100);
});

test.each([
  [['healthcheck', '--runner', 'linux']],
  [['provision', '--runner=linux', '--until', 'healthy', '--report-dir', 'reports']],
  [['finalize', '--runner', 'linux', '--set', 'drain.timeout=2h', '--set', 'managers=2']],
])('%j is plain', async (argv) => {
  const plain = await reachedBy((actions) => readPlain(argv, { actions, environment: {} })?.());
  expect(plain).toEqual(await byCommander(argv, {}));
  expect(plain).toHaveProperty('name', argv[0]);
});
