import { describe, expect, test } from '@jest/globals';
import { at, endPipelines } from '../../broken-stacks/state.ts';
import { emptyWorld, pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import {
  parametersOf,
  parameterValue,
  registrationsOf,
  servingShards,
} from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { hang } from '../../scenarios/service/promoted.ts';
import { type Command, drive } from '../../stages/drive.ts';
import { examine, stackOf, type } from './examine.ts';
import { activate, end, finalize, help, pause, rollback, say, takenAway } from './first-finding.ts';

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

/** Somebody made the named shard active again, from a drain that goes on. */
async function turnedTo(world: World, command: Command): Promise<World> {
  const simulation = createSimulation({ world });
  await drive(simulation, command, { deploymentId: '1-300', jobId: 'turned', ci: 'terminal' });
  endPipelines(world);
  await simulation.advance(60_000);
  return world;
}

describe('inside a rollback', () => {
  test('the way back from its dead shard is an activation, as `rollback` would do nothing', async () => {
    const world = await turnedTo(await at('draining', () => {}), 'rollback');
    end(world, pink);
    expect(await say(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [activate('purple'), finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [purple] });
  });
});

test.each([
  ['are being removed', { removal: { began: '2026-11-02T08:00:00.000Z' } }],
  ['are not in the record', undefined],
])('no way back is printed where the runners of the old shard %s', async (_, change) => {
  const world = await at('promoted', (one) => {
    editRecord(one, ({ shards }) => {
      if (change === undefined) delete shards['pink'];
      else shards['pink'] = { ...shards['pink'], ...change };
    });
    end(one, purple);
  });
  expect((await say(world)).commands).not.toContain(rollback);
});

describe('at promoted, while the old shard serves', () => {
  test('one that an activation has promoted is not activated twice: the way back is printed', async () => {
    const world = await turnedTo(await at('draining', () => {}), 'activate pink');
    pause(world, pink);
    expect(await say(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [purple] });
  });

  test('the way back is printed where its runner is deleted', async () => {
    const world = await at('promoted', (one) => {
      for (const { id } of registrationsOf(one, stackOf(one), purple)) delete one.registrations[id];
    });
    expect(await say(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [pink] });
  });

  test('jobs of the old shard, where no drain is begun, are no reason to wait', async () => {
    const world = await at('draining', (one) =>
      editRecord(one, ({ deployment, shards }) => {
        deployment['phase'] = 'promoted';
        shards['pink'] = { ...shards['pink'], intake: undefined };
        for (const registration of registrationsOf(one, stackOf(one), pink))
          registration.paused = false;
      }),
    );
    expect(await say(world)).toMatchObject({ code: 'retirement_unfinished', commands: [finalize] });
  });
});

test('a first deployment that is promoted has no old shard of which doctor could speak', async () => {
  const world = emptyWorld();
  const simulation = createSimulation({ world });
  for (const stage of ['prepare', 'onboard', 'provision'] as const)
    await drive(simulation, stage, { deploymentId: '1-200', jobId: stage });
  endPipelines(world);
  const [finding] = (await examine(world)).findings;
  expect(finding).toMatchObject({
    code: 'retirement_unfinished',
    title: 'the deployment is not finished yet',
    seen: 'record: deployment 1-200 is promoted; no old shard is to be removed',
    because: 'its record is closed at the end',
  });
  expect(await help(world)).toEqual({ kind: 'done', serving: [pink] });
});

describe('the new shard is dead and the old one is stopped', () => {
  test.each(['drained', 'baked'] as const)('at %s it is started again', async (place) => {
    const world = await at(place, (one) => end(one, purple));
    expect(await say(world)).toMatchObject({
      code: 'nothing_serves',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [pink] });
  });

  test('one that does not answer is left as well, as the old one can be started', async () => {
    const world = await at('drained', (one) => hang(one, purple));
    expect(await say(world)).toMatchObject({
      code: 'rollback_possible',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [pink] });
  });

  test.each(['promoted', 'drained', 'destroying'] as const)(
    'at %s and the old one is dead as well: it is taken away, and built anew',
    async (place) => {
      const world = await at(place, (one) => {
        end(one, pink);
        end(one, purple);
      });
      const { code, commands } = await say(world);
      expect({ code, commands }).toEqual({
        code: 'nothing_serves',
        commands: takenAway,
      });
      for (const command of commands)
        expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'done' });
      expect(servingShards(world, stackOf(world))).toEqual([pink]);
    },
  );

  test('of an old one that is half removed there is no way back either', async () => {
    const world = await at('destroying', (one) => end(one, purple));
    expect((await say(world)).commands[0]).toContain('--although-nothing-serves');
    expect((await help(world)).kind).toBe('done');
  });

  test('one that is only paused is opened instead', async () => {
    const world = await at('drained', (one) => pause(one, purple));
    expect((await say(world)).commands).toEqual([activate('purple'), finalize]);
    expect(await help(world)).toEqual({ kind: 'done', serving: [purple] });
  });
});

test('after two openings a person decides, and is not sent where that is refused', async () => {
  const world = await at('promoted', (one) =>
    editRecord(one, ({ deployment }) => {
      deployment['reopened'] = { times: 2, at: '2026-11-02T08:00:00.000Z', why: 'purple hung' };
    }),
  );
  expect(await type(world, finalize)).toMatchObject({ error: { code: 'OpenedAgainTwice' } });
  expect(await say(world)).toEqual({
    code: 'opened_twice',
    commands: [rollback, finalize],
    byHand:
      'Decide which one is to serve: the commands go back to pink; activate --shard purple, and then finalize, stay with purple, proven anew',
  });
  expect(await help(world)).toMatchObject({ kind: 'done' });
});
