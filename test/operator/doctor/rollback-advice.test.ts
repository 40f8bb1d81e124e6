import { describe, expect, test } from '@jest/globals';
import { at, endPipelines } from '../../broken-stacks/state.ts';
import { emptyWorld, pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import {
  listAcceptingShards,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { hang } from '../../scenarios/service/promoted.ts';
import { type Command, drive } from '../../stages/drive.ts';
import { examine, stackOf, type } from './examine.ts';
import {
  activate,
  end,
  finalize,
  help,
  pause,
  readFinding,
  rollback,
  takenAway,
} from './first-finding.ts';

function editRecord(
  world: World,
  change: (record: { deployment: Record<string, unknown>; shards: Record<string, object> }) => void,
): void {
  const name = parametersOf(stackOf(world)).record;
  const record = JSON.parse(parameterValue(world, name) ?? '{}');
  change(record);
  putParameter(world, { name, value: JSON.stringify(record) });
  absorb(world);
}

/** Rolls back or activates during a drain, which makes the named shard active again. */
async function turnedTo(world: World, command: Command): Promise<World> {
  const simulation = createSimulation({ world });
  await drive(simulation, command, { deploymentId: '1-300', jobId: 'turned', ci: 'terminal' });
  endPipelines(world);
  await simulation.advance(60_000);
  return world;
}

describe('a running rollback', () => {
  test('leads from its dead shard to an activation, because `rollback` would do nothing', async () => {
    const world = await turnedTo(await at('draining', () => {}), 'rollback');
    end(world, pink);
    expect(await readFinding(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [activate('purple'), finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [purple] });
  });
});

test.each([
  ['are being removed', { removal: { began: '2026-11-02T08:00:00.000Z' } }],
  ['are missing in the record', undefined],
])('doctor prints no rollback if the runners of the old shard %s', async (_, change) => {
  const world = await at('promoted', (one) => {
    editRecord(one, ({ shards }) => {
      if (change === undefined) delete shards['pink'];
      else shards['pink'] = { ...shards['pink'], ...change };
    });
    end(one, purple);
  });
  expect((await readFinding(world)).commands).not.toContain(rollback);
});

describe('a promoted deployment whose old shard accepts jobs', () => {
  test('leads to a rollback instead of a second activation of the same shard', async () => {
    const world = await turnedTo(await at('draining', () => {}), 'activate pink');
    pause(world, pink);
    expect(await readFinding(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [purple] });
  });

  test('leads to a rollback if the runner of the new shard was deleted', async () => {
    const world = await at('promoted', (one) => {
      for (const { id } of registrationsOf(one, stackOf(one), purple)) delete one.registrations[id];
    });
    expect(await readFinding(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
  });

  test('does not wait for jobs of the old shard before its drain', async () => {
    const world = await at('draining', (one) =>
      editRecord(one, ({ deployment, shards }) => {
        deployment['phase'] = 'promoted';
        shards['pink'] = { ...shards['pink'], intake: undefined };
        for (const registration of registrationsOf(one, stackOf(one), pink))
          registration.paused = false;
      }),
    );
    expect(await readFinding(world)).toMatchObject({
      code: 'retirement_unfinished',
      commands: [finalize],
    });
  });
});

test('mentions no old shard if it is the first deployment', async () => {
  const world = emptyWorld();
  const simulation = createSimulation({ world });
  for (const stage of ['prepare', 'onboard', 'provision'] as const)
    await drive(simulation, stage, { deploymentId: '1-200', jobId: stage });
  endPipelines(world);
  const [finding] = (await examine(world)).findings;
  expect(finding).toMatchObject({
    code: 'retirement_unfinished',
    title: 'the deployment is not finished yet',
    seen: 'record: deployment 1-200 is in phase promoted; it has no old shard',
    because: '`finalize` closes its record',
  });
  expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
});

describe('a dead new shard and a stopped old shard', () => {
  test.each(['drained', 'baked'] as const)(
    'lead to a restart of the old shard at %s',
    async (place) => {
      const world = await at(place, (one) => end(one, purple));
      expect(await readFinding(world)).toMatchObject({
        code: 'nothing_serves',
        commands: [rollback, finalize],
      });
      expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
    },
  );

  test('lead to a restart of the old shard if the new one merely does not respond', async () => {
    const world = await at('drained', (one) => hang(one, purple));
    expect(await readFinding(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
  });

  test.each(['promoted', 'drained', 'destroying'] as const)(
    'lead to a removal and a rebuild at %s if the old shard is dead as well',
    async (place) => {
      const world = await at(place, (one) => {
        end(one, pink);
        end(one, purple);
      });
      const { code, commands } = await readFinding(world);
      expect({ code, commands }).toEqual({
        code: 'nothing_serves',
        commands: takenAway,
      });
      for (const command of commands)
        expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'done' });
      expect(listAcceptingShards(world, stackOf(world))).toEqual([pink]);
    },
  );

  test('lead to no rollback if the old shard is half removed', async () => {
    const world = await at('destroying', (one) => end(one, purple));
    expect((await readFinding(world)).commands[0]).toContain('--although-nothing-serves');
    expect((await help(world)).kind).toBe('done');
  });

  test('lead to an activation if the new shard is merely paused', async () => {
    const world = await at('drained', (one) => pause(one, purple));
    expect((await readFinding(world)).commands).toEqual([activate('purple'), finalize]);
    expect(await help(world)).toEqual({ kind: 'done', accepting: [purple] });
  });
});

test('lead to a decision of the operator after two reopenings, with commands that are accepted', async () => {
  const world = await at('promoted', (one) =>
    editRecord(one, ({ deployment }) => {
      deployment['reopened'] = { times: 2, at: '2026-11-02T08:00:00.000Z', why: 'purple hung' };
    }),
  );
  expect(await type(world, finalize)).toMatchObject({ error: { code: 'OpenedAgainTwice' } });
  expect(await readFinding(world)).toEqual({
    code: 'opened_twice',
    commands: [rollback, finalize],
    byHand:
      'Decide which shard should accept jobs: the commands roll back to pink; activate --shard purple, then finalize, verifies and keeps purple',
  });
  expect(await help(world)).toMatchObject({ kind: 'done' });
});
