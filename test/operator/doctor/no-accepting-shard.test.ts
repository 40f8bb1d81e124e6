import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { at, endPipelines, rested } from '../../broken-stacks/state.ts';
import { addShard, emptyWorld, pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { isProductionRouting, killAt } from '../../stages/reach.ts';
import { examine, stackOf } from './examine.ts';
import { end, help, pause, readFinding } from './first-finding.ts';

const activate = (shard: string) => `hosted-runner activate --runner linux --shard ${shard}`;
const on = (command: string) => `hosted-runner ${command} --runner linux`;

const lose = (world: World, what: 'status' | 'record') =>
  removeParameter(world, parametersOf(stackOf(world))[what]);

const setStatus = (world: World, value: string) => {
  const name = parametersOf(stackOf(world)).status;
  delete world.parameters[name]?.allowedPattern;
  putParameter(world, { name, value });
};

describe('a status that is lost while a deployment promotes', () => {
  test('leads to a resumed deployment if that is the first one and has written no status yet', async () => {
    const world = emptyWorld();
    const simulation = createSimulation({ world, intercept: killAt(isProductionRouting) });
    for (const stage of ['prepare', 'onboard', 'provision'] as const)
      await drive(simulation, stage, { deploymentId: '1-200', jobId: stage });
    endPipelines(world);
    removeParameter(world, parametersOf(stackOf(world)).lock);
    await createSimulation({ world }).advance(60_000);
    expect(await readFinding(world)).toEqual({
      code: 'provision_unfinished',
      commands: [on('provision'), on('finalize')],
      byHand: undefined,
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
  });

  test.each([
    ['both accept jobs', () => {}, pink],
    ['one accepts jobs', (world: World) => end(world, pink), purple],
  ])(
    'leads to the activation of a named shard if %s, never to an impossible repair',
    async (_, change, shard) => {
      const world = await at('promoting', (one) => {
        lose(one, 'status');
        change(one);
      });
      expect(await readFinding(world)).toMatchObject({
        code: 'status_lost',
        commands: [activate(shard), on('finalize')],
      });
      expect((await help(world)).accepting).toContain(shard);
    },
  );
});

describe('a changed status or record while no shard accepts jobs', () => {
  test.each<[string, (world: World) => void]>([
    ['status_illegible', (world) => setStatus(world, '{"active_shard":"blue"}')],
    ['status_lost', (world) => lose(world, 'status')],
    ['status_edited', (world) => setStatus(world, formatStatus(stackOf(world).shards, pink))],
    ['record_lost', (world) => lose(world, 'record')],
    [
      'nothing_known',
      (world) => {
        lose(world, 'record');
        lose(world, 'status');
      },
    ],
  ])('leads by %s to the activation of a shard that is merely paused', async (code, change) => {
    const world = await rested((one) => {
      change(one);
      pause(one, purple);
    });
    expect(await readFinding(world)).toMatchObject({
      code,
      commands: [activate('purple'), on('finalize')],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [purple] });
  });

  const name = '/gitlab/dedicated/runner/linux/deployment_status';
  const value = `'{"active_shard":"purple","inactive_shard":"pink"}'`;
  test.each<[string, string, (world: World) => void]>([
    [
      'status_illegible',
      `Undo the edit: aws ssm put-parameter --overwrite --name ${name} --value ${value}`,
      (world) => setStatus(world, '{"active_shard":"blue"}'),
    ],
    [
      'status_lost',
      `Write the status again: aws ssm put-parameter --type String --name ${name} --value ${value}`,
      (world) => lose(world, 'status'),
    ],
    [
      'status_edited',
      `Undo the edit: aws ssm put-parameter --overwrite --name ${name} --value ${value}`,
      (world) => setStatus(world, formatStatus(stackOf(world).shards, pink)),
    ],
    [
      'nothing_known',
      `Write the shard that was active, for example purple: aws ssm put-parameter --type String --name ${name} --value ${value}`,
      (world) => {
        lose(world, 'record');
        lose(world, 'status');
      },
    ],
  ])(
    'leads by %s to the text for a manual edit if all machines are dead',
    async (code, byHand, change) => {
      const world = await rested((one) => {
        change(one);
        end(one, purple);
      });
      expect(await readFinding(world)).toEqual({ code, commands: [], byHand });
      setStatus(world, formatStatus(stackOf(world).shards, purple));
      absorb(world);
      await createSimulation({ world }).advance(60_000);
      expect((await readFinding(world)).commands).toEqual([on('deploy')]);
      expect((await help(world)).kind).toBe('done');
    },
  );

  test('leads by record_lost to a deployment if nothing of the other shard is left', async () => {
    const world = await rested((one) => {
      lose(one, 'record');
      end(one, purple);
    });
    expect(await readFinding(world)).toMatchObject({
      code: 'record_lost',
      commands: [on('deploy')],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
  });

  test('leads by record_lost to instructions if a part of the other shard blocks a deployment', async () => {
    const world = await rested((one) => {
      lose(one, 'record');
      end(one, purple);
      addShard(one, { shard: pink, paused: true, contacted: false });
      end(one, pink);
    });
    expect(await readFinding(world)).toEqual({
      code: 'record_lost',
      commands: [],
      byHand:
        'Start a runner process of purple or of pink again; or, if pink is no longer used, remove its runner in GitLab and run doctor again',
    });
  });
});

describe('a source that names no active shard', () => {
  const disputed = async (world: World) =>
    (await examine(world)).contradictions.filter(({ about }) => about === 'which shard is active');

  test.each<[string, (world: World) => void]>([
    ['no shard accepts jobs', (world) => end(world, purple)],
    ['the active one is paused', (world) => pause(world, purple)],
    ['the status is gone', (world) => lose(world, 'status')],
    [
      'status and record are gone',
      (world) => {
        lose(world, 'status');
        lose(world, 'record');
      },
    ],
  ])('contradicts no other source if %s', async (_, change) => {
    expect(await disputed(await rested(change))).toEqual([]);
  });

  test('stays out of the list of contradicting sources', async () => {
    const world = await rested((one) => {
      setStatus(one, formatStatus(stackOf(one).shards, pink));
      end(one, purple);
    });
    const [found] = await disputed(world);
    expect(found?.says).toEqual([
      { who: 'deployment_status', what: 'pink' },
      { who: 'deployment_record', what: 'purple' },
    ]);
  });
});
