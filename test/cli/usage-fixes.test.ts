import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readAction } from '../../src/cli/github-action/call.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { root } from '../support/program.ts';
import { type } from './commanding.ts';

interface Row {
  /** Command line in shell syntax. */
  readonly typed: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Printed texts to type: each a command, or a part of the command line. */
  readonly prints: readonly string[];
}

const linux = '--runner linux';
const pink = '--shard pink';
const seeStatus = 'hosted-runner status';

const rows: readonly Row[] = [
  {
    typed: `provisoin ${linux}`,
    prints: [`hosted-runner provision ${linux}`, 'hosted-runner --help'],
  },
  {
    typed: `sandbox aply ${linux} ${pink}`,
    prints: [`hosted-runner sandbox apply ${linux} ${pink}`, 'hosted-runner --help'],
  },
  { typed: 'help provisoin', prints: ['hosted-runner help provision', 'hosted-runner --help'] },
  ...['--runner-name', '--runner_name', '--stack', '--runnr'].map((option) => ({
    typed: `deploy ${option} linux`,
    prints: [`hosted-runner deploy ${linux}`, 'hosted-runner deploy --help'],
  })),
  { typed: 'status --nothing', prints: ['hosted-runner status --help'] },
  { typed: 'sandbox apply --nothing', prints: ['hosted-runner sandbox --help'] },
  {
    typed: `status ${linux} --all`,
    prints: ['hosted-runner status --runner NAME', 'hosted-runner status --all'],
  },
  {
    typed: `doctor ${linux} --all`,
    prints: ['hosted-runner doctor --runner NAME', 'hosted-runner doctor --all'],
  },
  { typed: 'doctor --fix --all', prints: ['hosted-runner doctor --fix --yes --runner NAME'] },
  {
    typed: `finalize ${linux} --all`,
    prints: ['hosted-runner finalize --runner NAME', 'hosted-runner finalize --all'],
  },
  {
    typed: 'finalize --deployment 1-200 --all',
    prints: ['hosted-runner finalize --runner NAME', 'hosted-runner finalize --all'],
  },
  { typed: 'dashboard --once page.html --every 10s', prints: ['hosted-runner dashboard --help'] },
  { typed: 'shutdown', prints: ['--runner NAME', seeStatus] },
  { typed: `sandbox apply ${pink}`, prints: ['--runner NAME', seeStatus] },
  { typed: `sandbox destroy ${linux}`, prints: ['hosted-runner sandbox destroy --help'] },
  {
    typed: 'sandbox signal --says 404',
    prints: [
      'hosted-runner sandbox signal --webhook --says 404',
      'hosted-runner sandbox signal --help',
    ],
  },
  {
    typed: 'sandbox signal --webhook --alarm one --says 404',
    prints: [
      'hosted-runner sandbox signal --webhook --says 404',
      'hosted-runner sandbox signal --help',
    ],
  },
  { typed: 'sandbox signal --webhook', prints: ['hosted-runner sandbox signal --help'] },
  { typed: `activate ${linux}`, prints: ['hosted-runner activate --help'] },
  { typed: `hold ${linux}`, prints: ['hosted-runner hold --help'] },
  { typed: `recover ${linux}`, prints: ['hosted-runner recover --help'] },
  {
    typed: `recover ${linux} --method auto --although-nothing-serves`,
    prints: ['hosted-runner recover --help'],
  },
  { typed: `healthcheck ${linux} ${pink}`, prints: ['hosted-runner healthcheck --help'] },
  {
    typed: `healthcheck ${linux} --once --every 30s`,
    prints: ['hosted-runner healthcheck --help'],
  },
  { typed: 'status --runner Linux', prints: [seeStatus] },
  { typed: 'status', environment: { HOSTED_RUNNER_RUNNER_NAME: 'Linux' }, prints: [seeStatus] },
  { typed: `sandbox apply ${linux} --shard Pink`, prints: [seeStatus] },
  { typed: `prepare ${linux} --deployment -x`, prints: [seeStatus] },
  {
    typed: `prepare ${linux}`,
    environment: { HOSTED_RUNNER_DEPLOYMENT: '-x' },
    prints: [seeStatus],
  },
  { typed: `activate ${linux} ${pink} --registration x`, prints: [seeStatus] },
  { typed: `recover ${linux} --method terminate --instance x`, prints: ['hosted-runner doctor'] },
  { typed: "validate --config ''", prints: ['--config FILE'] },
  ...['HOSTED_RUNNER_REPORT_DIR', 'HOSTED_RUNNER_EVIDENCE_FILE'].map((variable) => ({
    typed: `prepare ${linux}`,
    environment: { [variable]: 'a\nb' },
    prints: [`export ${variable}=FILE`],
  })),
  {
    typed: `deploy ${linux}`,
    environment: { HOSTED_RUNNER_AGAIN: 'a\nb' },
    prints: ["export HOSTED_RUNNER_AGAIN='AWS maintenance until noon'"],
  },
  { typed: `prepare ${linux} --set drain.timeout`, prints: ['--set drain.timeout=2h'] },
  { typed: "sandbox --env ''", prints: ['--env FILE'] },
  { typed: 'sandbox --port 65536', prints: ['--port 0'] },
  { typed: 'sandbox --forward-ssm ftp://x', prints: ['--forward-ssm http://127.0.0.1:5000'] },
  { typed: 'completion tcsh', prints: ['hosted-runner completion bash'] },
  { typed: 'demo --speed 0', prints: ['--speed 2'] },
  { typed: `hold ${linux} --reason ' '`, prints: ["--reason 'AWS maintenance until noon'"] },
  { typed: `healthcheck ${linux} --listen localhost:1`, prints: ['--listen 127.0.0.1:8888'] },
  {
    typed: `healthcheck ${linux} --listen 127.0.0.1:1 --allow-host '*'`,
    prints: ['--allow-host health.example.com'],
  },
  { typed: `healthcheck ${linux} --listen 127.0.0.1:1 --every 1ms`, prints: ['--every 30s'] },
  {
    typed: `recover ${linux} --method replace --address -x`,
    prints: ['--address aws_instance.runner_manager'],
  },
];

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
function followed({ typed, environment = {} }: Row, printed: string) {
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
  'src/cli/help/explain.ts': 'test/cli/help/explain.test.ts',
  'src/cli/replay-command.ts': 'test/surface/printed/with-stack.test.ts',
  'src/errors/sandbox-errors.ts': 'test/surface/printed/without-stack.test.ts',
  'src/cli/verify-command.ts': 'test/surface/printed/with-stack.test.ts',
  'sandbox/demo/demo.ts': 'test/surface/printed/with-stack.test.ts',
  'src/errors/input-errors.ts': 'test/surface/printed/with-stack.test.ts',
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
