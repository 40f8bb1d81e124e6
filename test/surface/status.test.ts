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

describe('status', () => {
  test.each([
    [[], /^linux: No shard is active yet/],
    [['--json'], /^\{\n {2}"schema": 2,\n {2}"stacks": \[\n {4}\{\n {6}"runner_name": "linux"/],
  ])(
    'of several stacks, one of which cannot be looked at, shows the others %j',
    async (args, shown) => {
      const { faults } = world.sandbox;
      const usual = faults.pick;
      const effect = { kind: 'status', status: 403 } as const;
      faults.pick = (call) =>
        call.asked?.includes('/lost/') ? { id: 'denied', service: 'ssm', effect } : usual(call);
      const end = await world.start({ args: ['status', ...args, '--config', two], env: everywhere })
        .ended;
      faults.pick = usual;
      expect(end.exitCode).toBe(1);
      expect(end.stdout).toMatch(shown);
      expect(end.stderr).toMatch(/^✖ status lost: SSM GetParameter \/gitlab\/\S+ does not permit /);
    },
  );

  test('of a stack whose GitLab does not answer shows what AWS says', async () => {
    const args = ['status', '--runner', 'lost', '--config', two];
    const end = await world.start({ args, env: everywhere }).ended;
    expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(end.stdout).toMatch(/^lost: No shard is active yet/);
  });
});

// At Ctrl-C a look may be under way, which has failed no more than the looks before it.
test('status --watch that is ended in the middle of a look says nothing of it', async () => {
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

// As `| head` does it: the next line finds nobody, and no further look is taken.
test.each([[['--json']], [[]]])(
  'status --watch %j ends quietly once its reader has gone',
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

describe('a stage whose record is not answered', () => {
  test('says where things stand, as every error does', async () => {
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
      / {2}now {2}Which shard is active is not known: SSM GetParameter \S+deployment_status: /,
    );
  });
});

// Longer than the program waits before it says so; whoever is slower says it all the same.
test.each([
  ['status', 'gitlab', 'GitLab'],
  ['doctor', 'ssm', 'AWS'],
] as const)('%s says of %s that it does not answer', async (command, service, side) => {
  const effect = { kind: 'latency', ms: 6000 } as const;
  world.sandbox.faults.add({ id: 'slow', service, effect, times: 1 });
  const { exitCode, stderr, text } = await world.stage(command);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(text.split('\n').filter((line) => line.startsWith('!'))).toEqual([
    `! ${side} has not answered for 5s; it is still waited for.`,
  ]);
});

describe('what somebody else wrote', () => {
  const hold = '/gitlab/dedicated/runner/linux/deployment_hold';
  const value = 'stop\n::add-mask::x\n\u001b[31mred ##[error]section_start:1:x\r\n  fix  rm';
  beforeAll(() => {
    world.sandbox.parameters.put({ name: hold, value, overwrite: true, type: 'String' });
  });
  afterAll(() => world.sandbox.parameters.remove(hold));

  test.each([['status'], ['doctor'], ['deploy']])(
    'is in what %s prints one line without commands to a terminal or a CI',
    async (command) => {
      const { stdout, stderr } = await world.stage(command);
      const printed = `${stdout}${stderr}`;
      expect(printed).toMatch(/ stop .*red .*fix rm/);
      expect(printed).not.toMatch(/^\s*::|\u001b|##\[|section_start/m);
      expect(printed).not.toContain('  fix  rm');
    },
  );
});
