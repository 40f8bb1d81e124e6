import { expect, test } from '@jest/globals';
import { commandsIn } from '../../errors/commands-in.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { strikeMachines } from '../../fakes/seam/disturbance.ts';
import { activeShard, servingShards } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { type } from '../../operator/doctor/examine.ts';
import { openScene, withCustomers } from '../scene.ts';
import { hour, stackOf } from './promoted.ts';

const goesBack = 'hosted-runner rollback --runner linux';
const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'] as const;

type Which = 'old' | 'new' | 'both';

/** Stands still for ever, and so does whatever is built in its place. */
function hang(world: World, which: Which): void {
  for (const shard of which === 'both' ? [pink, purple] : [which === 'old' ? pink : purple]) {
    const of = activeShard(world, stackOf(world)) === shard ? 'active' : 'other';
    strikeMachines(world, stackOf(world), { of, what: 'hangs' });
  }
}

/** Types every stage in turn, whatever came of the one before. */
async function typeAll(which: Which, from: (typeof stages)[number]) {
  const world: World = withCustomers(worldWithActive(pink), 30);
  const scene = openScene(world);
  await scene.simulation.advance(60_000);
  const typed: string[] = [];
  let back: string[] = [];
  let hangs = false;
  for (const stage of stages) {
    if (stage === from) hangs = true;
    if (hangs) hang(world, which);
    if (hangs)
      for (let inMs = 5000; inMs < hour / 2; inMs += 5000)
        scene.simulation.at(inMs, (then) => hang(then, which));
    const ending = await scene.type(stage, { deploymentId: '1-200' });
    const how = ending.kind === 'error' ? ending.error.code : ending.kind;
    typed.push(`${stage}: ${how}, ${ending.phase}`);
    if (ending.kind !== 'error') continue;
    const { code, fields } = ending.error;
    back = commandsIn(fields.fix ?? []).filter((line) => line === goesBack);
    expect(code).not.toBe('Bug');
    expect({ stage, commands: commandsIn(fields.fix ?? []) }).not.toEqual({ stage, commands: [] });
  }
  return { world, scene, typed, back };
}

const cases = stages.flatMap((from) =>
  (['old', 'new', 'both'] as const).map((which) => ({ which, from })),
);

test.each(cases)(
  'what hangs from $from on ($which): every command ends clearly, and no job is lost by us',
  async ({ which, from }) => {
    const { world, scene, typed, back } = await typeAll(which, from);
    await scene.simulation.advance(3 * hour);
    const isDone = typed.at(-1) === 'finalize: nothing, done';
    // Of the two that do not hang one serves, by what was printed at the latest.
    if (which !== 'both' && !isDone && servingShards(world, stackOf(world)).length === 0) {
      expect({ from, back }).toEqual({ from, back: [goesBack] });
      typed.push(`rollback: ${(await type(world, goesBack)).phase}`);
    }
    await scene.simulation.advance(hour);
    const byUs = Object.values(world.jobs).filter(
      ({ kind, interruptedBy }) =>
        kind === 'customer' && interruptedBy !== undefined && interruptedBy !== 'world',
    );
    expect([...world.violations, ...byUs]).toEqual([]);
    const serves = servingShards(world, stackOf(world)).join(', ') || 'none';
    expect([...typed, `serves: ${serves}`]).toMatchSnapshot();
  },
);
