import { describe, expect, test } from '@jest/globals';
import { pink } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, servingShards } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { asTyped } from '../../support/typing.ts';
import { examine, stackOf, type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

/** A candidate that never contacted, and then the shard that customers are served by loses its machine. */
async function nobodyLeft(): Promise<World> {
  const world = await failed(1, 'never_contacts');
  for (const host of hostsOf(world, stackOf(world), pink)) terminateHost(world, host, 'world');
  world.behaviour.boots = {};
  absorb(world);
  return world;
}

describe('the active shard has no machine, and the candidate is not promoted', () => {
  test.each(['finalize', 'shutdown', 'cleanup'])(
    '%s says that nobody serves, and what is to be typed',
    async (stage) => {
      const ending = await type(await nobodyLeft(), `hosted-runner ${stage} --runner linux`);
      expect(ending).toMatchObject({
        kind: 'error',
        phase: 'applied',
        error: {
          code: 'NothingServes',
          exitCode: 3,
          fields: {
            what: `No shard of linux serves: pink cannot, and purple is not promoted; ${stage} has nothing to retire.`,
            why: [
              expect.stringMatching(/^No machine of pink exists/),
              'The deployment is applied.',
            ],
          },
        },
      });
    },
  );

  test.each(['activate --runner linux --shard pink', 'finalize --runner linux'])(
    '%s prints what doctor would have typed, and that helps',
    async (line) => {
      const world = await nobodyLeft();
      const [first] = (await examine(world)).findings;
      const ending = await type(world, `hosted-runner ${line}`);
      const [fix = ''] = (ending.kind === 'error' && ending.error.fields.fix) || [];
      const command = fix.replace(/^[^:]*: /, '');
      expect(
        asTyped(first?.commands ?? [])[0]
          ?.split(' ')
          .sort(),
      ).toEqual(command.split(' ').sort());
      expect(fix.startsWith('Mend purple, the candidate: ')).toBe(true);
      expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'promoted' });
      expect(servingShards(world, stackOf(world))).toEqual(['purple']);
    },
  );

  test('what serves, or may, keeps a stage that comes too early at its nothing', async () => {
    const world = await failed(1, 'never_contacts');
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'nothing',
      says: 'purple is not promoted, the deployment is applied; pink must go on serving',
    });
  });
});
