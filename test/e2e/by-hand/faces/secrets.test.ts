import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledProgram } from '../../../support/program.ts';
import { createPipeline } from '../world/pipeline.ts';
import type { End } from '../world/running.ts';
import { openWorld, type World } from '../world/world.ts';

/** Secrets in the usual places of an operator's setup, repeated by a careless tool. */
const planted = {
  AWS_ACCESS_KEY_ID: 'AKIAPLANTEDPLANTED42',
  AWS_SECRET_ACCESS_KEY: 'pl4nted/Secret+Access=Key&with?odd"chars<>1',
  AWS_SESSION_TOKEN: 'planted//session+token==that%is&long-enough-to-be-one',
};
/** Names of secrets. The id is none. */
const secretNames = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;

let world: World;
const ends: End[] = [];
const commandLines = new Set<string>();
const runnerTokens = new Set<string>();
const reportFolder = () => join(world.folder, 'report');

beforeAll(async () => {
  world = await openWorld();
  const watch = setInterval(takeSample, 15);
  const careless = join(world.folder, 'careless.sh');
  writeFileSync(
    careless,
    `env; env | base64 -w 0; echo; printf %s "$AWS_SECRET_ACCESS_KEY" | base64 -w 0; echo; printf %s "$AWS_SESSION_TOKEN" | od -An -tx1 | tr -d ' \\n'; echo
echo "::set-output name=x::$AWS_SECRET_ACCESS_KEY"; echo "x $AWS_SESSION_TOKEN x" >&2
exec "$@"
`,
  );
  const usual = [process.execPath, bundledProgram, 'sandbox', 'apply'];
  const apply = ['sh', careless, ...usual, '--runner', '{runner_name}', '--shard', '{shard}'];
  const order = {
    env: planted,
    set: [`infrastructure.apply=${JSON.stringify(apply)}`],
    args: ['--evidence-file', join(world.folder, 'evidence.jsonl'), '--report-dir', reportFolder()],
  };
  ends.push(await world.stage('deploy', order));
  const pipeline = await createPipeline(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup']) {
    ends.push(await pipeline.run(stage, order));
  }
  // The apply fails, and its error quotes a remote system's text.
  world.sandbox.settings.change({ runnerName: 'linux', shard: 'pink' }, { failApplyAfter: 3 });
  ends.push(await world.stage('deploy', order));
  ends.push(await world.stage('status', { env: planted, args: ['--json'] }));
  clearInterval(watch);
});
afterAll(() => world.close());

function takeSample(): void {
  for (const one of world.sandbox.parameters.list()) {
    if (one.parameter.name.endsWith('runner_token') && one.value() !== '(none: retired)')
      runnerTokens.add(one.value());
  }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      commandLines.add(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    } catch {
      // The process has ended.
    }
  }
}

function secrets(): string[] {
  const token = world.environment['HOSTED_RUNNER_GITLAB_TOKEN'] ?? '';
  return [token, ...runnerTokens, ...secretNames.map((name) => planted[name])];
}

/** Lists forms of a secret. A text that contains any of them reveals it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Base64 of a text inside another text, at each of three alignments, without its edges.
  const inside = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6) + (offset === 0 ? 0 : 1), -4);
  });
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...inside,
    ...inside.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function betrayals(places: Iterable<readonly [place: string, text: string]>): string[] {
  const forms = secrets().flatMap((secret, at) => formsOf(secret).map((form) => ({ at, form })));
  return [...places].flatMap(([place, text]) =>
    forms
      .filter(({ form }) => text.includes(form))
      .map(({ at, form }) => `${place}: secret ${at} as ${form} in ${lineWith(text, form)}`),
  );
}

function lineWith(text: string, form: string): string {
  return text.split('\n').find((line) => line.includes(form)) ?? 'several lines';
}

function* filesBelow(folder: string): Generator<[string, string]> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isDirectory()) yield* filesBelow(path);
    // A read of a pipe or a socket would block.
    else if (file?.isFile()) yield [path, readIfThere(path)];
  }
}

/** The machines still run and may remove the file. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
}

describe('the search for planted secrets, in every encoding', () => {
  test('covers complete deployments with a careless tool', () => {
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0, 1, 0]);
    expect(runnerTokens.size).toBe(3);
    const output = ends.map(({ text }) => text).join('');
    expect(output).toContain('InsufficientInstanceCapacity');
  });

  test('finds none in the output', () => {
    expect(betrayals(ends.map(({ args, text }) => [args[0] ?? '', text]))).toEqual([]);
  });

  test('finds none in the arguments of any process', () => {
    const sandboxLines = [...commandLines].filter((line) => line.includes('sandbox'));
    expect(sandboxLines.length).toBeGreaterThan(1);
    expect(betrayals(sandboxLines.map((line) => [line, line]))).toEqual([]);
  });

  test('finds none in any parameter except those for secrets', () => {
    const { parameters } = world.sandbox;
    const open = parameters.list().filter(({ parameter }) => parameter.type !== 'SecureString');
    const texts = open.flatMap(({ parameter: { name } }) =>
      parameters.history(name).map((one): [string, string] => [name, one.value()]),
    );
    expect(texts.length).toBeGreaterThan(10);
    expect(betrayals(texts)).toEqual([]);
  });

  test("finds none in the evidence, the reports and the sandbox's folder", () => {
    const files = [...filesBelow(world.folder)];
    const names = files.map(([path]) => path.slice(world.folder.length + 1));
    expect(names).toContain('evidence.jsonl');
    expect(names).toContain('report/junit.xml');
    expect(betrayals(files)).toEqual([]);
  });
});
