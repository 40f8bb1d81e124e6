import { expect, test } from '@jest/globals';
import { canArriveLate, lateModes } from './late-faults.ts';
import { parseScenario } from './scenario.ts';
import { simulate } from './simulate.ts';

/** Where the runs that go on from here ask for something, by run and call. */
async function effectsFrom(beginning: string): Promise<readonly string[]> {
  const runs: string[] = [];
  const found: string[] = [];
  await simulate(parseScenario(beginning), {
    onCall(call) {
      const { incarnation, own } = call;
      if (!runs.includes(incarnation)) runs.push(incarnation);
      if (canArriveLate(call)) found.push(`${runs.indexOf(incarnation)}:${own}`);
    },
  });
  return found;
}

test.each(['none/pink/fresh', 'rollback@draining/pink/fresh'])(
  'whatever arrives a minute late, after its run as well, comes to the same rest: %s',
  async (beginning) => {
    const found: string[] = [];
    const effects = await effectsFrom(beginning);
    for (const effect of effects)
      for (const mode of lateModes) {
        const scenario = `${beginning} ${effect}:${mode}`;
        const { verdict } = await simulate(parseScenario(scenario));
        if (verdict.length > 0) found.push(`${scenario}: ${verdict.join('; ')}`);
      }
    expect(effects.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
  },
);
