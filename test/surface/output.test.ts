import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { inSnakeCase } from '../../src/domain/output-schema.ts';
import { reportDeployment, reportHistory } from '../../src/operator/deployment-report.ts';
import { startProgram } from '../e2e/by-hand/world/running.ts';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';
import { fullRecord } from '../record/full-record.ts';
import { bundledProgram, root } from '../support/program.ts';

/** The schema as its readers have it, but that nothing may be printed which it does not name. */
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

/** Names of fields anywhere in it; below `outputs` they are a module's own, below `tags` the user's. */
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

/** Without the keys that are shortened, which not every command takes. */
async function plain(...args: string[]) {
  const { environment, folder } = world;
  return startProgram({ program: bundledProgram, args, env: environment, cwd: folder }).ended;
}

describe('what --json prints is as schema/output.schema.json says', () => {
  test('of a first and a second deployment, event by event, and the same in their file', () => {
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

  test('of looks at it', async () => {
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

  test('of whatever a record can hold of a deployment', () => {
    const place = 'output#/$defs/status/properties/stacks/items/properties';
    const validate = ajv.compile({ $ref: `${place}/deployment` });
    validate(inSnakeCase(reportDeployment(fullRecord)));
    expect(validate.errors).toBeNull();
    const validateHistory = ajv.compile({ $ref: `${place}/history` });
    validateHistory(inSnakeCase(reportHistory(fullRecord)));
    expect(validateHistory.errors).toBeNull();
  });

  test('of stacks of which one ends in an error', async () => {
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
  ])('of %s: %j', async (definition, args) => {
    const end = await plain(...args, '--json');
    expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expectAsDocumented(definition, [JSON.parse(end.stdout)]);
  });
});

describe('a refusal where JSON was asked for is JSON', () => {
  test.each([
    [['statu', '--json'], 'BadUsage'],
    [['status', '--nothing', '--json'], 'BadUsage'],
    [['deploy', '--json'], 'BadUsage'],
    [['validate', '--config', 'nowhere.yml', '--json'], 'ConfigurationMissing'],
    [['status', '--config', 'nowhere.yml', '--json'], 'ConfigurationMissing'],
    [['doctor', '--runner', 'linx', '--json'], 'UnknownStack'],
    [['explain', 'Nothing', '--json'], 'BadUsage'],
    [['verify', 'nothing.jsonl', '--json'], 'BadUsage'],
  ])('%j', async (args, code) => {
    const end = await plain(...args);
    expect(end.exitCode).toBe(2);
    const value = JSON.parse(end.stdout);
    expectAsDocumented('refusal', [value]);
    expect(value.error.code).toBe(code);
    expect(end.stderr).toContain(`ref  ${code} · ${value.error.ref}\n`);
  });

  test('of a stack that cannot be looked at, too', async () => {
    const effect = { kind: 'status', status: 403 } as const;
    world.sandbox.faults.add({ id: 'denied', service: 'ssm', match: {}, effect });
    const end = await run('status', '--runner', 'linux', '--json');
    expect(end.exitCode).toBe(1);
    const value = JSON.parse(end.stdout);
    expectAsDocumented('status', [value]);
    expect(value).toMatchObject({ stacks: [], error: { runner_name: 'linux' } });
  });

  test('in a deployment its last event says it, and says it once', async () => {
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
