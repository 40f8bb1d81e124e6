import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { waitUntil } from '../e2e/by-hand/world/running.ts';
import { openWorld, type World, writeConfiguration } from '../e2e/by-hand/world/world.ts';
import { bundledProgram } from '../support/program.ts';

let world: World;
let two: string;
beforeAll(async () => {
  world = await openWorld();
  two = writeConfiguration(
    world,
    'two.yml',
    `version: 1
defaults:
  registration: { scope: group, group_id: 10, tags: [linux] }
  canary: { kind: off }
  infrastructure: { driver: command, apply: ['true', '{shard}'], destroy: ['true', '{shard}'] }
stacks:
  linux: { gitlab: { url: '${world.sandbox.url}' } }
  lost: { gitlab: { url: '${world.sandbox.url}/nowhere' } }
`,
  );
});
afterEach(() => world.sandbox.faults.clear());
afterAll(() => world.close());

const everywhere = { HOSTED_RUNNER_GITLAB_URL: '' };

describe('the status command', () => {
  test.each([
    [[], /^linux: no shard is active\.\n {2}Next: /],
    [['--json'], /^\{\n {2}"schema": 2,\n {2}"stacks": \[\n {4}\{\n {6}"runner_name": "linux"/],
  ])('shows the other stacks %j if one cannot be read', async (args, shown) => {
    const { faults } = world.sandbox;
    const usual = faults.pick;
    const effect = { kind: 'status', status: 403 } as const;
    faults.pick = (call) =>
      call.parameters?.includes('/lost/') ? { id: 'denied', service: 'ssm', effect } : usual(call);
    const end = await world.start({ args: ['status', ...args, '--config', two], env: everywhere })
      .ended;
    faults.pick = usual;
    expect(end.exitCode).toBe(1);
    expect(end.stdout).toMatch(shown);
    expect(end.stderr).toMatch(
      /^✖ status lost: SSM GetParameter \/gitlab\/\S+: the call is not permitted\./,
    );
  });

  test('shows the AWS data of a stack whose GitLab does not respond, and fails', async () => {
    const args = ['status', '--runner', 'lost', '--config', two];
    const end = await world.start({ args, env: everywhere }).ended;
    expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(end.stdout).toMatch(/^lost: no shard is active\.\n {2}Next: .+\n {2}Reason: .*404/);
  });
});

// At Ctrl-C, a check may be running. It must not count as failed.
test('status --watch prints nothing about a read that the user ends', async () => {
  const { faults } = world.sandbox;
  const usual = faults.pick;
  let canPrompt = false;
  faults.pick = (call) => {
    canPrompt = true;
    return { id: 'slow', service: call.service, effect: { kind: 'latency', ms: 1000 } };
  };
  const watch = world.start({ args: ['status', '--runner', 'linux', '--watch'] });
  await waitUntil('a look', async () => canPrompt || undefined);
  watch.kill('SIGINT');
  const { exitCode, stdout, stderr } = await watch.ended;
  faults.pick = usual;
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

// The next line has no reader, like after `| head`, and no further check follows.
test.each([[['--json']], [[]]])(
  'status --watch %j ends without an error once its reader has gone',
  async (args) => {
    const watch = spawn(
      process.execPath,
      [bundledProgram, 'status', '--runner', 'linux', '--watch', ...args],
      { env: world.environment, cwd: world.folder, timeout: 60_000, killSignal: 'SIGKILL' },
    );
    let stderr = '';
    watch.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const ended = once(watch, 'exit');
    await once(watch.stdout, 'data');
    watch.stdout.destroy();
    const [exitCode] = await ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  },
);

describe('a stage without a response about its record', () => {
  test('reports the current state, as every error does', async () => {
    const denied = { kind: 'status', status: 403 } as const;
    for (const operation of ['GetParameter', 'GetParameters'])
      world.sandbox.faults.add({
        id: operation,
        service: 'ssm',
        match: { operation },
        effect: denied,
      });
    const end = await world.stage('shutdown');
    expect(end).toMatchObject({ exitCode: 1 });
    expect(end.stderr).toMatch(
      / {2}now {2}It is unknown which shard is active: SSM GetParameter \S+deployment_status: /,
    );
  });
});

// The delay exceeds the program's limit for the notice. A slower response has the same notice.
test.each([
  ['status', 'gitlab', 'GitLab'],
  ['doctor', 'ssm', 'AWS'],
] as const)('reports, in %s, that %s does not respond', async (command, service, side) => {
  const effect = { kind: 'latency', ms: 6000 } as const;
  world.sandbox.faults.add({ id: 'slow', service, effect, times: 1 });
  const { exitCode, stderr, text } = await world.stage(command);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(text.split('\n').filter((line) => line.startsWith('!'))).toEqual([
    `! ${side} has not responded for 5s; still waiting.`,
  ]);
});

describe('text from other systems', () => {
  const hold = '/gitlab/dedicated/runner/linux/deployment_hold';
  const value = 'stop\n::add-mask::x\n\u001b[31mred ##[error]section_start:1:x\r\n  fix  rm';
  beforeAll(() => {
    world.sandbox.parameters.put({ name: hold, value, overwrite: true, type: 'String' });
  });
  afterAll(() => world.sandbox.parameters.remove(hold));

  test.each([['status'], ['doctor'], ['deploy']])(
    'stays on one line without terminal or CI commands in the output of %s',
    async (command) => {
      const { stdout, stderr } = await world.stage(command);
      const printed = `${stdout}${stderr}`;
      expect(printed).toMatch(/ stop .*red .*fix rm/);
      expect(printed).not.toMatch(/^\s*::|\u001b|##\[|section_start/m);
      expect(printed).not.toContain('  fix  rm');
    },
  );
});
