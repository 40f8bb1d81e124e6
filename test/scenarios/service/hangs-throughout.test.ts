import { expect, test } from '@jest/globals';
import { phasesFrom } from '../../domain/samples.ts';
import { commandsIn } from '../../errors/commands-in.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { strikeMachines } from '../../fakes/faults/disturbance.ts';
import { activeShard, listAcceptingShards } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { type } from '../../operator/doctor/examine.ts';
import { openScene, withCustomers } from '../scene.ts';
import { hour, stackOf } from './promoted.ts';

const rollsBack = 'hosted-runner rollback --runner linux';
const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'] as const;

type Which = 'old' | 'new' | 'both';

/** Makes a shard hang forever, and every replacement too. */
function hang(world: World, which: Which): void {
  for (const shard of which === 'both' ? [pink, purple] : [which === 'old' ? pink : purple]) {
    const of = activeShard(world, stackOf(world)) === shard ? 'active' : 'other';
    strikeMachines(world, stackOf(world), { of, what: 'hangs' });
  }
}

/** Types every stage in turn, whatever the result of the one before. */
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
    // Phases between drain and removal count as drained.
    const isWhole = phasesFrom('drained', 'destroying').some((one) => one === ending.phase);
    typed.push(`${stage}: ${how}, ${isWhole ? 'drained' : ending.phase}`);
    if (ending.kind !== 'error') continue;
    const { code, fields } = ending.error;
    back = commandsIn(fields.fix ?? []).filter((line) => line === rollsBack);
    expect(code).not.toBe('Bug');
    expect({ stage, commands: commandsIn(fields.fix ?? []) }).not.toEqual({ stage, commands: [] });
  }
  return { world, scene, typed, back };
}

const built = ['provision: done, promoted'];
const drained = [...built, 'shutdown: done, drained'];
const done = [...drained, 'cleanup: done, done', 'finalize: nothing, done'];
/**
 * Expected endings if the candidate hangs before its promotion: it is not promoted, and no shard is
 * retired.
 */
const unbuilt = [
  'provision: HealthcheckTimedOut, applied',
  ...['shutdown', 'cleanup', 'finalize'].map((stage) => `${stage}: nothing, applied`),
];
/** Expected endings if a shard hangs after the promotion: the other shard is reopened or kept. */
const lost: Partial<Record<(typeof stages)[number], Record<'new' | 'both', readonly string[]>>> = {
  shutdown: {
    new: [...built, ...unretired('shutdown: ServiceLost'), 'serves: pink'],
    both: [...built, ...unretired('shutdown: ServiceLost'), 'serves: none'],
  },
  cleanup: {
    new: [
      ...drained,
      'cleanup: ServiceUnproven, drained',
      'finalize: ServiceUnproven, drained',
      'rollback: promoted',
      'serves: pink',
    ],
    both: [
      ...drained,
      'cleanup: ServiceLost, promoted',
      'finalize: ServiceUnproven, promoted',
      'serves: none',
    ],
  },
};

function unretired(first: string): readonly string[] {
  return [
    `${first}, promoted`,
    'cleanup: StageOutOfOrder, promoted',
    'finalize: ServiceUnproven, promoted',
  ];
}

function expected(which: Which, from: (typeof stages)[number]): readonly string[] {
  if (which === 'old') return [...done, 'serves: purple'];
  if (from === 'finalize') return [...done, 'serves: none'];
  return lost[from]?.[which] ?? [...unbuilt, which === 'new' ? 'serves: pink' : 'serves: none'];
}

const cases = stages.flatMap((from) =>
  (['old', 'new', 'both'] as const).map((which) => ({ which, from })),
);

test.each(cases)(
  'a shard that hangs from $from on ($which) ends every command clearly, and hosted-runner loses no job',
  async ({ which, from }) => {
    const { world, scene, typed, back } = await typeAll(which, from);
    await scene.simulation.advance(3 * hour);
    const isDone = typed.at(-1) === 'finalize: nothing, done';
    // Unless both shards hang, one accepts jobs at the latest after the printed command.
    if (which !== 'both' && !isDone && listAcceptingShards(world, stackOf(world)).length === 0) {
      expect({ from, back }).toEqual({ from, back: [rollsBack] });
      typed.push(`rollback: ${(await type(world, rollsBack)).phase}`);
    }
    await scene.simulation.advance(hour);
    const byUs = Object.values(world.jobs).filter(
      ({ kind, interruptedBy }) =>
        kind === 'customer' && interruptedBy !== undefined && interruptedBy !== 'world',
    );
    expect([...world.violations, ...byUs]).toEqual([]);
    const accepting = listAcceptingShards(world, stackOf(world)).join(', ') || 'none';
    expect([...typed.slice(2), `serves: ${accepting}`]).toEqual(expected(which, from));
  },
);
