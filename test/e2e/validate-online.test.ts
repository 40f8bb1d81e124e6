import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Fault } from '../../sandbox/faults.ts';
import { openWorld, type World } from './by-hand/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterEach(() => world.sandbox.faults.clear());
afterAll(() => world.close());

const validate = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  world.run({ args: ['validate', '--online', ...args], env });

test('validate --online probes as prepare does, at a terminal and without changes', async () => {
  const refused = { kind: 'status', status: 500 } as const;
  for (const method of ['POST', 'PUT', 'DELETE'])
    world.sandbox.faults.add({
      ...{ id: method, service: 'gitlab', match: { method }, effect: refused, times: 1 },
    });
  for (const operation of ['PutParameter', 'DeleteParameter', 'SendCommand'])
    world.sandbox.faults.add({
      ...{ id: operation, service: 'ssm', match: { operation }, effect: refused, times: 1 },
    });
  const job = ['--set', 'canary.kind=job'];
  for (const args of [[], job]) {
    const { exitCode, stdout, stderr } = await validate(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /Using AWS account \d+ .*\n {2}✔ Nothing is missing for a deployment\.\n$/,
    );
  }
  // A fault that a call meets removes itself.
  expect(world.sandbox.faults.list()).toHaveLength(6);
});

test('validate without --online sends no request', async () => {
  world.sandbox.faults.add({ id: 'all', service: 'gitlab', effect: { kind: 'reset_before' } });
  world.sandbox.faults.add({ id: 'aws', service: 'ssm', effect: { kind: 'reset_before' } });
  expect(await world.run({ args: ['validate'] })).toMatchObject({ exitCode: 0, stderr: '' });
});

interface Refusal {
  readonly name: string;
  readonly fault?: Omit<Fault, 'id'>;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  readonly expected: RegExp;
}

test.each<Refusal>([
  {
    name: 'GitLab refuses the token',
    env: { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-00000000000000000000' },
    exitCode: 1,
    expected:
      /^✖ validate linux: .*the GitLab token was not accepted[\s\S]*: hosted-runner validate --online (?!.*--runner).*\n {2}ref {2}CredentialsRefused/,
  },
  {
    name: 'GitLab refuses the calls',
    fault: { service: 'gitlab', effect: { kind: 'status', status: 403 } },
    exitCode: 2,
    expected:
      /✖ validate linux: linux cannot be deployed yet: 2 prerequisites are missing[\s\S]*Fix them, then: hosted-runner validate --online (?!.*--runner).*\n {2}ref {2}PreflightFailed/,
  },
])('validate --online exits with an error if $name', async ({ fault, env, exitCode, expected }) => {
  if (fault !== undefined) world.sandbox.faults.add({ id: 'refused', ...fault });
  const end = await validate([], env);
  expect(end.exitCode).toBe(exitCode);
  expect(end.stderr).toMatch(expected);
});

test('validate --online --json reports each stack with its exit code', async () => {
  expect(JSON.parse((await validate(['--json'])).stdout)).toMatchObject({
    online: { stacks: [{ runner_name: 'linux', exit_code: 0 }] },
  });
  world.sandbox.faults.add({
    id: 'refused',
    service: 'gitlab',
    effect: { kind: 'status', status: 403 },
  });
  const { exitCode, stdout } = await validate(['--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    online: { stacks: [{ exit_code: 2, error: { code: 'PreflightFailed' } }] },
  });
});
