import { describe, expect, test } from '@jest/globals';
import { endPipelines } from '../../broken-stacks/state.ts';
import { pink, stackSettings } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import {
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { removeHostAccess } from '../../scenarios/service/promoted.ts';
import { reach } from '../../stages/reach.ts';
import { stackOf, type } from '../doctor/examine.ts';

const unasked = removeHostAccess(stackSettings());
const on = (command: string) => `hosted-runner ${command.replace(/^\S+/, '$& --runner linux')}`;
const machine = 'i-0abc0000000000001';

function deleteRecord(world: World): void {
  for (const { id } of registrationsOf(world, stackOf(world), pink)) delete world.registrations[id];
}

/** Reaches a drain of pink with a job of two hours and without a responding host. */
async function reachDrain(why: 'agent lost' | 'no host access'): Promise<World> {
  const world = await reach('draining', why === 'agent lost' ? {} : { stack: unasked });
  endPipelines(world);
  if (why === 'agent lost')
    for (const host of hostsOf(world, stackOf(world), pink)) host.agent = 'lost';
  return world;
}

const machinesOf = (world: World) => hostsOf(world, stackOf(world), pink).map(({ state }) => state);
const phaseOf = (world: World) =>
  JSON.parse(parameterValue(world, parametersOf(stackOf(world)).record) ?? '').deployment.phase;

const methods = ['auto', 'rerun', 'terminate', 'replace', 'cleanup'];

describe('a shard whose runner was deleted and whose host does not respond', () => {
  test.each(methods)('stays untouched by recover --method %s', async (method) => {
    const world = await reachDrain('agent lost');
    deleteRecord(world);
    const ending = await type(world, on(`recover --method ${method} --yes`));
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'DrainBlind', exitCode: 3 } });
    expect(ending.kind === 'error' && ending.error.fields).toMatchObject({
      why: [
        'The runner of pink no longer exists and none of its hosts responds: a job may still run there.',
      ],
    });
    expect(machinesOf(world)).toEqual(['running']);
    expect(world.violations).toEqual([]);
  });

  test.each(methods)('stays untouched by --method %s if no host may be queried', async (method) => {
    const world = await reachDrain('no host access');
    deleteRecord(world);
    const ending = await type(world, on(`recover --method ${method} --yes`));
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'DrainBlind' } });
    expect(machinesOf(world)).toEqual(['running']);
    expect(world.violations).toEqual([]);
  });

  test('gets removed if an operator has checked its machine and names it', async () => {
    const world = await reachDrain('agent lost');
    deleteRecord(world);
    await createSimulation({ world }).advance(3 * 3_600_000);
    const line = on(`recover --method terminate --instance ${machine} --yes`);
    expect(await type(world, line)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });

  test.each(['agent lost', 'no host access'] as const)(
    'cannot be a rollback target (%s)',
    async (why) => {
      const world = await reachDrain(why);
      deleteRecord(world);
      const ending = await type(world, on('rollback'));
      expect(ending).toMatchObject({
        kind: 'error',
        error: {
          fields: {
            code: 'NothingToRollBack',
            why: ['Runner 48213 of pink no longer exists, so pink gets no jobs.'],
          },
        },
      });
      expect(machinesOf(world)).toEqual(['running']);
      expect(world.violations).toEqual([]);
    },
  );
});

/** Deletes the record during a rollback, when pink is already the candidate. */
async function lostUnderway(world: World) {
  return type(world, on('rollback'), {
    intercept: () => {
      if (parameterValue(world, parametersOf(stackOf(world)).record)?.includes('"rollback"'))
        deleteRecord(world);
      return undefined;
    },
  });
}

describe('a retreat from a shard with a deleted runner', () => {
  test.each(['agent lost', 'no host access'] as const)(
    'waits for a report about its job (%s)',
    async (why) => {
      const world = await reachDrain(why);
      expect(await lostUnderway(world)).toMatchObject({
        kind: 'error',
        error: { code: 'DrainBlind' },
      });
      expect(phaseOf(world)).toBe('retreating');
      expect(machinesOf(world)).toEqual(['running']);
      expect(world.violations).toEqual([]);
    },
  );

  test('continues once an operator has named its machine', async () => {
    const world = await reachDrain('agent lost');
    await lostUnderway(world);
    await createSimulation({ world }).advance(3 * 3_600_000);
    expect(await type(world, on('recover --method auto --yes'))).toMatchObject({
      error: { code: 'DrainBlind' },
    });
    expect(machinesOf(world)).toEqual(['running']);
    const line = on(`recover --method terminate --instance ${machine} --yes`);
    expect(await type(world, line)).toMatchObject({ kind: 'done' });
    const [ended] = Object.values(world.hosts).filter(({ id }) => id === machine);
    expect(ended?.state).toBe('terminated');
    expect(phaseOf(world)).not.toBe('retreating');
    expect(world.violations).toEqual([]);
  });
});
