import { allBeginnings } from '../beginnings/beginnings.ts';
import { formatScenario, type Scenario } from '../beginnings/scenario.ts';
import { createChance } from '../chance.ts';
import { allModes } from '../faults/fault-modes.ts';
import { simulate } from '../simulate.ts';
import type { LayerReport } from './layers.ts';

/** Chooses a random scenario with at most two faults by its seed alone. */
function chooseScenario(seed: number): Scenario {
  const chance = createChance(seed);
  const beginning = chance.pick(allBeginnings());
  const faults = [0, 1].slice(0, chance.below(3)).map((run) => ({
    run,
    call: chance.below(90),
    mode: chance.pick(allModes),
  }));
  return { ...beginning, faults };
}

/** Plays random scenarios twice. Trace and world must be identical to the last byte. */
export async function repeatSample(samples: number): Promise<LayerReport> {
  const failures: { found: string; again: string }[] = [];
  for (let seed = 1; seed <= samples; seed += 1) {
    const scenario = chooseScenario(seed);
    const text = formatScenario(scenario);
    const one = await simulate(scenario, { seed });
    const two = await simulate(scenario, { seed });
    const again = `npm run simulate -- --scenario '${text}'`;
    if (one.worldHash !== two.worldHash || one.traceHash !== two.traceHash)
      failures.push({ found: `not the same twice: ${one.worldHash} and ${two.worldHash}`, again });
  }
  return {
    name: 'the same twice',
    schedules: samples * 2,
    lines: [`scenarios played twice, trace and world compared: ${samples}`],
    failures,
  };
}
