import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readAction } from '../../src/cli/github-action/call.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { root } from '../support/program.ts';
import { type } from './commanding.ts';
import { rows, type UsageRow } from './usage-rows.ts';

/** Splits a line into words like a shell. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** Lists the command, flag or variable at the end of each line under `fix`. */
function printedIn(stderr: string): string[] {
  const [, fix = ''] = /^ {2}fix {2}([\s\S]*?)^ {2}ref /m.exec(stderr) ?? [];
  return fix
    .split('\n')
    .map((line) => /(?:^|: |^\s+)((?:hosted-runner |--|export )\S.*)$/.exec(line.trim())?.[1] ?? '')
    .filter((text) => text !== '');
}

/** Runs the command line that results from a printed text. */
function followed({ typed, environment = {} }: UsageRow, printed: string) {
  const filled = printed.replace(/ NAME$/, ' linux').replace(/([ =])FILE$/, '$1there.yml');
  const [first = '', ...rest] = wordsOf(filled);
  if (first === 'hosted-runner') return { argv: rest, environment };
  if (first === 'export') {
    const [name = '', value = ''] = (rest[0] ?? '').split('=');
    return { argv: wordsOf(typed), environment: { ...environment, [name]: value } };
  }
  const argv = wordsOf(typed);
  const at = argv.indexOf(first);
  const more = rest[0] ?? '';
  return { argv: at < 0 ? [...argv, first, more] : argv.with(at + 1, more), environment };
}

describe('the fix of a usage error', () => {
  test.each(
    rows.map(
      (row) => [`${row.typed} ${Object.keys(row.environment ?? {}).join()}`.trim(), row] as const,
    ),
  )('runs as printed: hosted-runner %s', async (_, row) => {
    const { exit, stderr } = await type(wordsOf(row.typed), row.environment ?? {});
    expect({ exit, printed: printedIn(stderr) }).toEqual({ exit: 2, printed: row.prints });
    const ends: Record<string, unknown> = {};
    for (const printed of row.prints) {
      const next = followed(row, printed);
      const answer = await type(
        next.argv,
        printed.startsWith('hosted-runner') ? {} : next.environment,
      );
      ends[printed] = [answer.exit, answer.stderr];
    }
    expect(ends).toEqual(Object.fromEntries(row.prints.map((printed) => [printed, [0, '']])));
  });

  test.each([
    [{ INPUT_STAGE: 'deployment' }, 'stage: healthcheck'],
    [{ INPUT_STAGE: 'prepare', INPUT_TAKE_LOCK: 'yes' }, 'take_lock: true'],
    [{ INPUT_STAGE: 'prepare', INPUT_RUNNER: 'linux' }, 'runner_name: linux'],
  ] as const)('runs in the action as printed: %j', (environment, printed) => {
    const error = refusalOf(environment);
    expect(error.fields.fix?.[0]).toMatch(new RegExp(`in the workflow: ${printed}$`));
    const [name = '', value = ''] = printed.split(': ');
    const { INPUT_RUNNER: _, ...others } = { INPUT_RUNNER: '', ...environment };
    const given = { ...others, [`INPUT_${name.toUpperCase()}`]: value };
    expect(() => readAction(given)).not.toThrow();
  });
});

function refusalOf(environment: Readonly<Record<string, string>>): DeployError {
  try {
    readAction(environment);
  } catch (error) {
    if (error instanceof DeployError) return error;
  }
  throw new Error(`the action takes ${JSON.stringify(environment)}`);
}

/** Files with usage errors about a file, and the tests that type their printed commands. */
const elsewhere: Readonly<Record<string, string>> = {
  'src/app/aws-environment.ts': 'test/surface/aws-environment.test.ts',
  'src/adapters/transport/proxies.ts': 'test/transport/proxy/proxies.test.ts',
  'src/app/commands/setup-gitlab-command.ts': 'test/e2e/setup/setup-gitlab.test.ts',
  'src/cli/help/explain.ts': 'test/cli/help/explain.test.ts',
  'src/cli/replay-command.ts': 'test/surface/printed/with-stack.test.ts',
  'src/errors/sandbox-errors.ts': 'test/surface/printed/without-stack.test.ts',
  'src/cli/verify-command.ts': 'test/surface/printed/with-stack.test.ts',
  'sandbox/demo/demo.ts': 'test/surface/printed/with-stack.test.ts',
  'src/errors/input-errors.ts': 'test/surface/printed/with-stack.test.ts',
  'src/errors/component-errors.ts': 'test/cli/starting/addition.test.ts',
};

/** Returns patterns of `what` for each usage error in the sources. `${…}` matches any text. */
function parsePatterns(text: string): RegExp[] {
  return [...text.matchAll(/badUsage\(\{[\s\S]*?what: (?:'([^']*)'|`([^`]*)`)/g)].map(
    ([, plain, template]) =>
      new RegExp(
        `✖ [^:]+: ${(plain ?? template ?? '')
          .split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
          .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
          .join('.*')}`,
      ),
  );
}

test('every usage error in the sources has a tested fix', async () => {
  const outputs = await Promise.all(
    rows.map(
      async ({ typed, environment = {} }) => (await type(wordsOf(typed), environment)).stderr,
    ),
  );
  const stage = { INPUT_STAGE: 'prepare' };
  for (const one of [{ INPUT_TAKE_LOCK: 'x' }, { INPUT_RUNNER: 'x' }, { INPUT_STAGE: 'x' }])
    outputs.push(`✖ action: ${refusalOf({ ...stage, ...one }).fields.what}`);
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name))
    .filter((name) => name.endsWith('.ts'));
  const missing: string[] = [];
  let sites = 0;
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const patterns = parsePatterns(text);
    sites += patterns.length;
    if (file in elsewhere) continue;
    for (const pattern of patterns)
      if (!outputs.some((one) => pattern.test(one))) missing.push(`${file}: ${pattern.source}`);
  }
  expect(missing).toEqual([]);
  expect(sites).toBeGreaterThan(25);
});
