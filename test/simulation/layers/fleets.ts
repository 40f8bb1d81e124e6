import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { startStream } from '../../fakes/world/jobs.ts';
import type { World } from '../../fakes/world/world.ts';
import { formatScenario, type PlannedFault, type Scenario } from '../beginnings/scenario.ts';
import { allModes, type FaultMode } from '../faults/fault-modes.ts';
import { simulate } from '../simulate.ts';

export interface FleetRollouts {
  readonly struck: number;
  readonly failures: readonly { readonly seed: number; readonly found: readonly string[] }[];
}

const kinds = ['github_persistent', 'github_ephemeral'] as const;
/**
 * Modes that are no fault of a single call, but an operator's act or hours of the clock. Other
 * layers play them.
 */
const leftOut: ReadonlySet<FaultMode> = new Set(['lock_stale', 'foreign_write']);
const modes = allModes.filter((mode) => !leftOut.has(mode));

/**
 * Plays whole rollouts of a fleet of GitHub's runners, each with up to three faults at random
 * calls.
 */
export async function playFleets(from: number, count: number): Promise<FleetRollouts> {
  const failures: { seed: number; found: readonly string[] }[] = [];
  let struck = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const played = await playFleet(seed);
    struck += played.struck;
    if (played.found.length > 0) failures.push({ seed, found: played.found });
  }
  return { struck, failures };
}

async function playFleet(seed: number) {
  const chance = chanceOf(seed);
  const scenario: Scenario = {
    place: 'none',
    active: 'pink',
    record: 'fresh',
    faults: faultsOf(chance),
  };
  const world = await fleetWorld(chance);
  try {
    const { verdict, struck } = await simulate(scenario, { seed, world });
    return { struck, found: verdict.map((line) => `${formatScenario(scenario)}: ${line}`) };
  } catch (error) {
    return { struck: 0, found: [`${formatScenario(scenario)}: ${String(error).slice(0, 400)}`] };
  }
}

function faultsOf(chance: Chance): PlannedFault[] {
  return Array.from({ length: 1 + chance(3) }, () => ({
    run: chance(7),
    call: chance(110),
    mode: modes[chance(modes.length)] as FaultMode,
  }));
}

async function fleetWorld(chance: Chance): Promise<World> {
  const { healthcheck, ...rest } = stackSettings();
  const stack: StackSettings = { ...rest, healthcheck: { ...healthcheck, timeoutMs: 240_000 } };
  const runners = kinds[chance(kinds.length)] as (typeof kinds)[number];
  // GitHub assigns jobs by the old labels for some seconds.
  const lateAssignmentMs = 500 + 1000 * chance(12);
  const behaviour = { runners, concurrent: 1, lateAssignmentMs };
  const world = worldWithActive(pink, { stacks: [stack], behaviour });
  startStream(world, {
    everyMs: 20_000 + 1000 * chance(60),
    durationsMs: [20_000, 1000 * (60 + chance(1200)), 5000],
    tags: ['linux'],
    visible: true,
    project: 'customers/shop',
    count: 4,
  });
  await createSimulation({ world }).advance(1000 * chance(90));
  world.history = [];
  absorb(world);
  return world;
}

/** Returns a random integer from 0 up to `limit`, exclusive. */
type Chance = (limit: number) => number;

function chanceOf(seed: number): Chance {
  let state = (seed * 0x9e3779b1) >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
