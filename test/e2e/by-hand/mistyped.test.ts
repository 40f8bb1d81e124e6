import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withoutAddress } from '../../support/without-address.ts';
import { everything, whatIsWrongAtRest } from './world/at-rest.ts';
import { runnerOf } from './world/shards.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  expect(whatIsWrongAtRest(world)).toEqual([]);
  await world.close();
});

test("an activation with the other shard's runner is refused before anything is written", async () => {
  const { id } = runnerOf(world, 'pink');
  const before = everything(world);
  const end = await world.stage('activate', {
    args: ['--shard', 'purple', '--registration', String(id)],
  });
  expect(end).toMatchObject({ exitCode: 2, code: 'RegistrationOfAnotherShard' });
  expect(end.stderr).toContain(
    `✖ activate: Runner ${id} is not purple's, and purple cannot be activated with it; nothing was touched.\n  why  Its description is "pink-linux".\n  now  pink serves jobs: `,
  );
  expect(everything(world)).toEqual(before);
});

test('an activation with a runner that is nobody’s of the stack leaves it as it is', async () => {
  const { url, gitlab } = world.sandbox;
  const headers = {
    'private-token': gitlab.deployerToken(),
    'content-type': 'application/json',
  };
  const made = await fetch(`${url}/api/v4/user/runners`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      runner_type: 'group_type',
      group_id: 10,
      description: 'wrong-one',
      tag_list: 'foo',
    }),
  });
  const { id } = (await made.json()) as { id: number };
  const before = everything(world);
  const end = await world.stage('activate', {
    args: ['--shard', 'purple', '--registration', String(id)],
  });
  expect(end).toMatchObject({ exitCode: 2, code: 'RegistrationOfAnotherShard' });
  expect(end.stderr).toContain('why  Its description is "wrong-one", and it has no manager.');
  expect(everything(world)).toEqual(before);
  await fetch(`${url}/api/v4/runners/${id}`, { method: 'DELETE', headers });
});

describe('a shard that the stack does not have is refused before any call', () => {
  test.each([
    ['activate', ['--shard', 'pnk']],
    ['activate', ['--shard', 'pnk', '--registration', '48001']],
    ['healthcheck', ['--once', '--shard', 'pnk']],
    ['healthcheck', ['--listen', '127.0.0.1:0', '--shard', 'pnk']],
  ])('by %s %j', async (name, args) => {
    const calls: unknown[] = [];
    const { faults } = world.sandbox;
    const usual = faults.pick;
    faults.pick = (call) => {
      if (call.service !== 'runner') calls.push(call);
      return usual(call);
    };
    const end = await world.stage(name, { args });
    faults.pick = usual;
    expect(calls).toEqual([]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(withoutAddress(end.stderr)).toBe(`✖ ${name}: linux has no shard "pnk".
  why  Its two shards are pink and purple.
  now  Nothing was touched.
  fix  Did you mean this one: --shard pink
       See which of them serves: hosted-runner status --runner linux
  ref  UnknownShard · docs/troubleshooting.md#unknownshard
`);
  });
});
