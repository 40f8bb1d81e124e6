import { describe, expect, test } from '@jest/globals';
import { withoutHosts } from '../../broken-stacks/guarded/guarded-stack.ts';
import { endPipelines } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, listAcceptingShards } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach } from '../../stages/reach.ts';
import { stackOf, type } from './examine.ts';
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

describe('doctor for a stack whose hosts may not be queried', () => {
  async function draining(change: (world: World) => void): Promise<World> {
    const world = await reach('draining', { stack: withoutHosts });
    endPipelines(world);
    change(world);
    absorb(world);
    await createSimulation({ world }).advance(60_000);
    return world;
  }

  test('reopens the old shard at once if the machine of the new shard is gone', async () => {
    const world = await draining((one) => end(one, purple));
    expect(await readFinding(world)).toMatchObject({
      code: 'nothing_serves',
      commands: [rollback, finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [pink] });
  });

  test('prints no rollback to a shard whose machine is gone as well', async () => {
    const world = await draining((one) => {
      end(one, pink);
      end(one, purple);
    });
    // GitLab had contact with both a moment ago. A shard that may still run is neither removed nor
    // activated.
    expect((await readFinding(world)).commands).toEqual([finalize]);
    await createSimulation({ world }).advance(10 * 60_000);
    expect((await readFinding(world)).commands).toEqual(takenAway);
    expect(await help(world)).toEqual({ kind: 'done', accepting: [] });
  });

  test.each([
    ['both shards', [pink, purple]],
    ['the old shard', [pink]],
  ])('prints no rollback once EC2 has forgotten the machines of %s', async (_, dead) => {
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
    expect((await readFinding(world)).commands).not.toContain(rollback);
    const { code, commands } = await readFinding(world);
    expect({ code, commands }).toEqual({ code: 'nothing_serves', commands: takenAway });
    for (const command of commands)
      expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(listAcceptingShards(world, stackOf(world))).toEqual([pink]);
  });

  test('prints a rollback while a runner of the old shard has contact, whatever EC2 lists', async () => {
    const world = await draining((one) => {
      end(one, purple);
      for (const host of hostsOf(one, stackOf(one), pink)) delete one.hosts[host.id];
    });
    expect((await readFinding(world)).commands).toContain(rollback);
  });

  test('reopens a manually paused runner at rest instead of a new deployment', async () => {
    const world = await reach('done', { stack: withoutHosts });
    endPipelines(world);
    pause(world, purple);
    await createSimulation({ world }).advance(60_000);
    expect(await readFinding(world)).toMatchObject({
      code: 'nothing_serves',
      commands: [activate('purple'), finalize],
    });
    expect(await help(world)).toEqual({ kind: 'done', accepting: [purple] });
  });
});
