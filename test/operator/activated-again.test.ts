import { describe, expect, test } from '@jest/globals';
import { rested } from '../broken-stacks/state.ts';
import { addShard, pink } from '../fakes/builders.ts';
import { contactGitLab } from '../fakes/hosts/hosts.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { buildInfrastructure } from '../fakes/ports/infrastructure-fake.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { hostsOf, parametersOf } from '../fakes/world/shards.ts';
import type { HostState, World } from '../fakes/world/world.ts';
import type { Ending } from '../stages/drive.ts';
import { isCall, killAt } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';
import { activation, addStranger, idOf, recorded } from './made-by-hand.ts';

describe('a second activation', () => {
  const byHand = (world: World, boot: 'ok' | 'fails_jobs', description: string) => {
    world.behaviour.boots['pink-linux'] = [boot];
    const { registration } = addShard(world, { shard: pink, tags: ['by-hand'], note: '' });
    registration.description = description;
    return registration.id;
  };
  const codeOf = (ending: Ending) => (ending.kind === 'error' ? ending.error.code : ending.kind);

  test.each([
    ['an unknown runner', () => '99999', 'NoSuchRegistration'],
    [
      'a runner of the other shard',
      (one: World) => idOf(one, 'purple-linux'),
      'RegistrationOfAnotherShard',
    ],
    ['a runner of no shard', (one: World) => addStranger(one).id, 'RegistrationOfAnotherShard'],
    ['a healthy runner', (one: World) => byHand(one, 'ok', 'mine'), 'done'],
  ])('checks the given id again after a retreat: %s', async (_, choose, ends) => {
    const world = await rested((one) => void byHand(one, 'fails_jobs', 'sick'));
    await type(world, activation(idOf(world, 'sick')));
    expect(recorded(world).deployment.phase).toBe('prepared');
    const id = choose(world);
    absorb(world);
    expect(codeOf(await type(world, activation(id)))).toBe(ends);
    expect(recorded(world).deployment.phase).toBe(ends === 'done' ? 'promoted' : 'prepared');
    expect(world.violations).toEqual([]);
  });

  const unfinished = async () => {
    const world = await rested((one) => void byHand(one, 'ok', 'mine'));
    const surroundings = { intercept: killAt(isCall('registry', 'route')) };
    await type(world, activation(idOf(world, 'mine')), surroundings);
    expect(recorded(world).deployment.phase).toBe('promoting');
    return world;
  };

  test.each([
    ['an unknown runner', () => '99999', 'NoSuchRegistration'],
    [
      'a runner of the other shard',
      (one: World) => idOf(one, 'purple-linux'),
      'RegistrationOfAnotherShard',
    ],
    ['a runner of no shard', (one: World) => addStranger(one).id, 'RegistrationOfAnotherShard'],
    ['the runner of the first activation', (one: World) => idOf(one, 'mine'), 'done'],
  ])('checks the given id again while the first one is unfinished: %s', async (_, choose, ends) => {
    const world = await unfinished();
    const id = choose(world);
    absorb(world);
    expect(codeOf(await type(world, activation(id)))).toBe(ends);
    expect(recorded(world).deployment.phase).toBe(ends === 'done' ? 'promoted' : 'promoting');
    expect(world.violations).toEqual([]);
  });

  test.each([
    [
      'promoting',
      'Resume with runner 48215: hosted-runner activate --runner linux --shard pink',
      unfinished,
    ],
    [
      'promoted',
      'Finish the deployment: hosted-runner finalize --runner linux',
      async () => {
        const world = await unfinished();
        await type(world, 'hosted-runner activate --runner linux --shard pink');
        return world;
      },
    ],
  ])(
    'gets refused with another runner of the shard while the first one is %s',
    async (phase, goes, build) => {
      const world = await build();
      const host = hostsOf(world, stackOf(world), pink)[0] as HostState;
      const other = addStranger(world);
      host.token = other.token;
      contactGitLab(world, host);
      absorb(world);
      const ending = await type(world, activation(other.id));
      expect(ending.kind === 'error' && ending.error.fields).toMatchObject({
        code: 'RegistrationOfAnotherShard',
        what: `The activation of pink already uses runner 48215, so it cannot use ${other.id}; nothing was touched.`,
        why: [`The activation is in phase ${phase}.`],
        fix: ['Show the runner of each shard: hosted-runner status --runner linux', goes],
      });
      expect(world.registrations[other.id]).toMatchObject({ tags: ['foo'], paused: false });
      expect(world.violations).toEqual([]);
    },
  );
});

describe('a verified active shard with a driver that cannot report what is left', () => {
  test.each([
    ['starts nothing if the other shard has no machine', false, 'nothing', 'done'],
    ['removes the other shard if it still has a machine', true, 'done', 'promoted'],
  ] as const)('%s', async (_, isLeft, kind, phase) => {
    const world = await rested((one) => {
      one.behaviour.existence = 'unknown';
      if (isLeft) buildInfrastructure(one, { runnerName: stackOf(one).runnerName, shard: pink });
    });
    const before = structuredClone(world.registrations);
    const ending = await type(world, 'hosted-runner activate --runner linux --shard purple');
    expect(ending).toMatchObject({ kind, phase });
    if (isLeft) return;
    expect(world.registrations).toEqual(before);
    expect(ending).toMatchObject({
      text: expect.stringMatching(
        /; the deployment record contains nothing about pink, and EC2 lists only terminated machines with its Name tag, or none$/,
      ),
    });
  });

  test('removes a shard that the record still knows, once, although EC2 lists no machine with its Name tag', async () => {
    const world = await rested((one) => {
      one.behaviour.existence = 'unknown';
      const { record } = parametersOf(stackOf(one));
      const stored = recorded(one);
      const pink = { ...stored.shards['pink'], registration: '48299' };
      const shards = { ...stored.shards, pink };
      putParameter(one, { name: record, value: JSON.stringify({ ...stored, shards }) });
    });
    const line = 'hosted-runner activate --runner linux --shard purple';
    expect(await type(world, line)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
    expect(await type(world, line)).toMatchObject({ kind: 'nothing', phase: 'done' });
  });
});

test('an unknown id leads to the command that shows the existing ids', async () => {
  const world = await rested();
  const line = 'hosted-runner activate --runner linux --shard purple --registration 99999';
  const ending = await type(world, line);
  expect(ending.kind === 'error' && [ending.error.code, ending.error.fields.fix]).toEqual([
    'NoSuchRegistration',
    ['Show the existing ids: hosted-runner status --runner linux'],
  ]);
});
