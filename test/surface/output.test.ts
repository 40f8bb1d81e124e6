import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { inSnakeCase } from '../../src/domain/output-schema.ts';
import { reportDeployment, reportHistory } from '../../src/operator/deployment-report.ts';
import { startProgram } from '../e2e/by-hand/world/running.ts';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';
import { fullRecord } from '../record/full-record.ts';
import { bundledProgram, root } from '../support/program.ts';

/** Reads the output schema, but with all undeclared fields forbidden. */
function readSchema(): Record<string, unknown> {
  const text = readFileSync(join(root, 'schema/output.schema.json'), 'utf8');
  return JSON.parse(text, (_key, value) => {
    const isObject = typeof value === 'object' && value !== null && 'properties' in value;
    return isObject && value.type === 'object' && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value;
  });
}

const ajv = new Ajv2020({ allErrors: true });
ajv.addSchema(readSchema(), 'output');

function problemsOf(definition: string, value: unknown): string[] {
  const validate = ajv.getSchema(`output#/$defs/${definition}`) as ValidateFunction;
  if (validate(value)) return [];
  const ofKind = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'const');
  return ofKind.slice(0, 5).map((error) => `${error.instancePath} ${error.message}`);
}

/**
 * Lists field names at any depth, except a module's own below `outputs` and the user's below
 * `tags`.
 */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    name === 'outputs' || name === 'tags' ? [name] : [name, ...namesIn(entry)],
  );
}

function expectAsDocumented(definition: string, values: readonly unknown[]): void {
  expect(values.length).toBeGreaterThan(0);
  const problems = values.flatMap((value) =>
    problemsOf(definition, value).map(
      (problem) => `${JSON.stringify(value).slice(0, 200)}: ${problem}`,
    ),
  );
  expect(problems).toEqual([]);
  const names = new Set(values.flatMap(namesIn));
  expect([...names].filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))).toEqual([]);
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

let world: World;
let deployed: readonly string[];
let file: string;
beforeAll(async () => {
  world = await openWorld();
  file = join(world.folder, 'evidence.jsonl');
  const first = await run('deploy', '--runner', 'linux', '--json', '--evidence-file', file);
  const second = await run('deploy', '--runner', 'linux', '--json', '--evidence-file', file);
  expect(`${first.stderr}${second.stderr}`).toBe('');
  deployed = [first.stdout, second.stdout];
});
afterEach(() => world.sandbox.faults.clear());
afterAll(() => world.close());

async function run(...args: string[]) {
  return world.run({ args, env: { HOSTED_RUNNER_RECORD: join(world.folder, 'recording.jsonl') } });
}

/** Runs a command without the shortened keys, which not every command accepts. */
async function plain(args: readonly string[], cwd = world.folder) {
  return startProgram({ program: bundledProgram, args, env: world.environment, cwd }).ended;
}

describe('the output of --json', () => {
  test('matches the schema for a first and a second deployment, and equals the event file', () => {
    for (const stdout of deployed) {
      const lines = linesOf(stdout);
      expectAsDocumented('event', lines);
      expect(lines.at(-1)).toMatchObject({ kind: 'end', schema: 2, outcome: 'done', exit_code: 0 });
    }
    expect(deployed.join('').trim().split('\n')).toHaveLength(
      readFileSync(file, 'utf8').trim().split('\n').length,
    );
    expectAsDocumented('event', linesOf(readFileSync(file, 'utf8')));
  });

  test('matches the schema for status', async () => {
    expectAsDocumented('status', [JSON.parse((await run('status', '--json')).stdout)]);
    const counted = JSON.parse((await run('status', '--json', '--api')).stdout);
    expectAsDocumented('status', [counted]);
    const services = counted.api.map(({ service }: { service: string }) => service);
    expect(services).toEqual(expect.arrayContaining(['GitLab', 'Parameter Store', 'EC2']));
    expectAsDocumented('doctor', [JSON.parse((await run('doctor', '--json', '--logs')).stdout)]);
    const all = linesOf((await run('finalize', '--all', '--json')).stdout);
    expectAsDocumented('event', all.slice(0, -1));
    expectAsDocumented('finalize_all', all.slice(-1));
    expect(all.at(-1)).toMatchObject({ stacks: [{ runner_name: 'linux', exit_code: 0 }] });
  });

  test('matches the schema for every possible record of a deployment', () => {
    const place = 'output#/$defs/status/properties/stacks/items/properties';
    const validate = ajv.compile({ $ref: `${place}/deployment` });
    validate(inSnakeCase(reportDeployment(fullRecord)));
    expect(validate.errors).toBeNull();
    const validateHistory = ajv.compile({ $ref: `${place}/history` });
    validateHistory(inSnakeCase(reportHistory(fullRecord)));
    expect(validateHistory.errors).toBeNull();
  });

  test('matches the schema for stacks with one error', async () => {
    const env = { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-nobodys' };
    const end = await world.run({ args: ['finalize', '--all', '--json'], env });
    const last = linesOf(end.stdout).at(-1) as { stacks: { exit_code: number; error: object }[] };
    expectAsDocumented('finalize_all', [last]);
    expect(last.stacks).toHaveLength(1);
    expect(last.stacks[0]?.exit_code).toBe(end.exitCode);
    expect(end.exitCode).not.toBe(0);
    expect(Object.keys(last.stacks[0]?.error ?? {})).toEqual(
      expect.arrayContaining(['code', 'message', 'why', 'fix', 'ref']),
    );
  });

  test.each([
    ['validate', ['validate']],
    ['explain', ['explain']],
    ['explain', ['explain', 'DrainTimedOut']],
    ['version', ['version']],
    ['init', ['init', '--config', 'written.yml']],
    ['verify', ['verify', 'evidence.jsonl']],
    ['replay', ['replay', 'recording.jsonl']],
  ])('matches the schema for %s: %j', async (definition, args) => {
    // The files of init are not those of the other commands.
    const folder = join(world.folder, definition === 'init' ? 'new-project' : '.');
    mkdirSync(folder, { recursive: true });
    const end = await plain([...args, '--json'], folder);
    expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expectAsDocumented(definition, [JSON.parse(end.stdout)]);
  });
});

describe('a refusal with --json', () => {
  test.each([
    [['statu', '--json'], 'BadUsage'],
    [['status', '--nothing', '--json'], 'BadUsage'],
    [['deploy', '--json'], 'BadUsage'],
    [['validate', '--config', 'nowhere.yml', '--json'], 'ConfigurationMissing'],
    [['status', '--config', 'nowhere.yml', '--json'], 'ConfigurationMissing'],
    [['doctor', '--runner', 'linx', '--json'], 'UnknownStack'],
    [['explain', 'Nothing', '--json'], 'BadUsage'],
    [['verify', 'nothing.jsonl', '--json'], 'BadUsage'],
  ])('stays JSON: %j', async (args, code) => {
    const end = await plain(args);
    expect(end.exitCode).toBe(2);
    const value = JSON.parse(end.stdout);
    expectAsDocumented('refusal', [value]);
    expect(value.error.code).toBe(code);
    expect(end.stderr).toContain(`ref  ${code} · ${value.error.ref}\n`);
  });

  test('stays JSON for a stack that cannot be read', async () => {
    const effect = { kind: 'status', status: 403 } as const;
    world.sandbox.faults.add({ id: 'denied', service: 'ssm', match: {}, effect });
    const end = await run('status', '--runner', 'linux', '--json');
    expect(end.exitCode).toBe(1);
    const value = JSON.parse(end.stdout);
    expectAsDocumented('status', [value]);
    expect(value).toMatchObject({ stacks: [], error: { runner_name: 'linux' } });
  });

  test('appears once, in the last event of a deployment', async () => {
    const end = await world.run({
      args: ['deploy', '--runner', 'linux', '--json'],
      env: { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-notTheRightOne1' },
    });
    const lines = linesOf(end.stdout);
    expectAsDocumented('event', lines);
    expect(lines.filter(({ error }) => error?.code !== undefined)).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ kind: 'end', outcome: 'error', exit_code: end.exitCode });
  });
});
