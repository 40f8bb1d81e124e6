import { describe, expect, test } from '@jest/globals';
import { rested } from '../broken-stacks/state.ts';
import { addShard, pink, purple } from '../fakes/builders.ts';
import { addRegistration } from '../fakes/ports/registry/registration-writes.ts';
import { parametersOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf, type } from './doctor/examine.ts';
import { idOf, recorded } from './made-by-hand.ts';

describe('the shard that an activation removes, with several runners of its name', () => {
  const doubled = (change: (world: World, acceptingId: string) => void = () => {}) =>
    rested((one) => {
      addShard(one, { shard: pink, tags: [] });
      const acceptingId = idOf(one, 'purple-linux');
      addRegistration(one, {
        shard: { runnerName: stackOf(one).runnerName, shard: purple },
        settings: stackOf(one).registration,
        tags: ['foo'],
        note: '',
      });
      change(one, acceptingId);
    });
  const line = 'hosted-runner activate --runner linux --shard pink';

  test('follows from the record, whatever its runner is called by now', async () => {
    const world = await doubled((one, acceptingId) => {
      (one.registrations[acceptingId] as { description: string }).description = 'renamed';
    });
    const acceptingId = idOf(world, 'renamed');
    expect(await type(world, line)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(recorded(world).shards['purple']).toMatchObject({ registration: acceptingId });
  });

  test('must be named if the record has none of them', async () => {
    const world = await doubled((one) => {
      delete one.parameters[parametersOf(stackOf(one)).record];
    });
    const before = structuredClone(world.registrations);
    const ending = await type(world, line);
    expect(ending.kind === 'error' && ending.error.fields).toMatchObject({
      code: 'DuplicateRegistrations',
      why: [
        'Runners 48214 and 48216 have the description of purple, and the deployment record contains none of them.',
      ],
      fix: [
        'Delete the unused one of these runners, then: hosted-runner activate --runner linux --shard pink',
        'Check both shards: hosted-runner status --runner linux',
      ],
    });
    expect(world.registrations).toEqual(before);
  });
});
