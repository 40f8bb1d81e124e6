import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World, writeConfiguration } from '../e2e/by-hand/world.ts';
import { compiledProgram } from '../support/program.ts';

let world: World;
let two: string;
beforeAll(async () => {
  world = await openWorld({ file: compiledProgram });
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
afterAll(() => world.close());

const everywhere = { HOSTED_RUNNER_GITLAB_URL: '' };

describe('status', () => {
  test.each([
    [[], /^linux: No shard is active yet/],
    [['--json'], /^\[\n {2}\{\n {4}"runner": "linux"/],
  ])(
    'of several stacks, one of which cannot be looked at, shows the others %j',
    async (args, shown) => {
      const end = await world.start({ args: ['status', ...args, '--config', two], env: everywhere })
        .ended;
      expect(end.exitCode).toBe(1);
      expect(end.stdout).toMatch(shown);
      expect(end.stderr).toMatch(/^✖ status lost: GitLab GET \/groups\/10\/runners /);
    },
  );
});

describe('a stage whose record is not answered', () => {
  test('says where things stand, as every error does', async () => {
    const path = { operation: 'GetParameter' };
    const denied = { kind: 'status', status: 403 } as const;
    world.sandbox.faults.add({ id: 'denied', service: 'ssm', match: path, effect: denied });
    const end = await world.stage('shutdown');
    expect(end).toMatchObject({ exitCode: 1 });
    expect(end.stderr).toContain('  now  Which shard serves could not be found out.');
  });
});
