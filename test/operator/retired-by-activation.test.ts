import { describe, expect, test } from '@jest/globals';
import { rested } from '../broken-stacks/state.ts';
import { addShard, pink, purple } from '../fakes/builders.ts';
import { addRegistration } from '../fakes/ports/registry/registration-writes.ts';
import { parametersOf } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf, type } from './doctor/examine.ts';
import { idOf, recorded } from './made-by-hand.ts';

describe('what an activation retires, of several with the name of the other shard', () => {
  const doubled = (change: (world: World, served: string) => void = () => {}) =>
    rested((one) => {
      addShard(one, { shard: pink, tags: [] });
      const served = idOf(one, 'purple-linux');
      addRegistration(one, {
        shard: { runnerName: stackOf(one).runnerName, shard: purple },
        settings: stackOf(one).registration,
        tags: ['foo'],
        note: '',
      });
      change(one, served);
    });
  const line = 'hosted-runner activate --runner linux --shard pink';

  test('is the one that the record knows, whatever it is called by now', async () => {
    const world = await doubled((one, served) => {
      (one.registrations[served] as { description: string }).description = 'renamed';
    });
    const served = idOf(world, 'renamed');
    expect(await type(world, line)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(recorded(world).shards['purple']).toMatchObject({ registration: served });
  });

  test('is asked for where the record knows none of them', async () => {
    const world = await doubled((one) => {
      delete one.parameters[parametersOf(stackOf(one)).record];
    });
    const before = structuredClone(world.registrations);
    const ending = await type(world, line);
    expect(ending.kind === 'error' && ending.error.fields).toMatchObject({
      code: 'DuplicateRegistrations',
      why: ['Runners 48214 and 48216 have its description, and the record knows none of them.'],
      fix: [
        'Delete the one of them that nobody uses, then: hosted-runner activate --runner linux --shard pink',
        'Look at both shards: hosted-runner status --runner linux',
      ],
    });
    expect(world.registrations).toEqual(before);
  });
});
