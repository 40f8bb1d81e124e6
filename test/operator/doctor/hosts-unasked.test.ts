import { describe, expect, test } from '@jest/globals';
import { withoutHosts } from '../../broken-stacks/guarded/guarded-stack.ts';
import { endPipelines } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, servingShards } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach } from '../../stages/reach.ts';
import { stackOf, type } from './examine.ts';
import { activate, end, finalize, help, pause, rollback, say, takenAway } from './first-finding.ts';

describe('where no host may be asked', () => {
  async function draining(change: (world: World) => void): Promise<World> {
    const world = await reach('draining', { stack: withoutHosts });
    endPipelines(world);
    change(world);
    absorb(world);
    await createSimulation({ world }).advance(60_000);
    return world;
  }

  test('the old shard is opened at once where the machine of the new one is gone', async () => {
    const world = await draining((one) => end(one, purple));
    expect(await say(world)).toMatchObject({
      code: 'nothing_serves',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [pink] });
  });

  test('no way back is printed to one whose machine is gone as well', async () => {
    const world = await draining((one) => {
      end(one, pink);
      end(one, purple);
    });
    // GitLab has heard of both a moment ago: what may run is not taken away, nor is it activated.
    expect((await say(world)).commands).toEqual([finalize]);
    await createSimulation({ world }).advance(10 * 60_000);
    expect((await say(world)).commands).toEqual(takenAway);
    expect(await help(world)).toEqual({ kind: 'done', serving: [] });
  });

  test.each([
    ['both shards', [pink, purple]],
    ['the old shard', [pink]],
  ])('no way back is printed once EC2 has forgotten the machines of %s', async (_, dead) => {
    const world = await draining((one) => {
      end(one, purple);
      for (const shard of dead) {
        const gone = hostsOf(one, stackOf(one), shard);
        end(one, shard);
        for (const { id } of gone) delete one.hosts[id];
      }
    });
    await createSimulation({ world }).advance(3 * 3_600_000);
    expect(await type(world, rollback)).toMatchObject({ error: { code: 'NothingToRollBack' } });
    expect((await say(world)).commands).not.toContain(rollback);
    const { code, commands } = await say(world);
    expect({ code, commands }).toEqual({ code: 'nothing_serves', commands: takenAway });
    for (const command of commands)
      expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(servingShards(world, stackOf(world))).toEqual([pink]);
  });

  test('a way back is printed while a runner of the old shard is heard of, whatever EC2 lists', async () => {
    const world = await draining((one) => {
      end(one, purple);
      for (const host of hostsOf(one, stackOf(one), pink)) delete one.hosts[host.id];
    });
    expect((await say(world)).commands).toContain(rollback);
  });

  test('at rest a runner that is paused by hand is opened, and nothing new is deployed', async () => {
    const world = await reach('done', { stack: withoutHosts });
    endPipelines(world);
    pause(world, purple);
    await createSimulation({ world }).advance(60_000);
    expect(await say(world)).toMatchObject({
      code: 'nothing_serves',
      commands: [activate('purple'), finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', serving: [purple] });
  });
});
