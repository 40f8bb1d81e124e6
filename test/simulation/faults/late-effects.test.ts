import { expect, test } from '@jest/globals';
import { sampleOf } from '../../support/sample.ts';
import { parseScenario } from '../beginnings/scenario.ts';
import { simulate } from '../simulate.ts';
import { lateModesOf } from './late-faults.ts';

/** Lists effects of the runs from a beginning as run, call and mode. */
async function effectsFrom(beginning: string, of = ''): Promise<readonly string[]> {
  const runs: string[] = [];
  const found: string[] = [];
  await simulate(parseScenario(beginning), {
    onCall(call) {
      const { incarnation, own } = call;
      if (!runs.includes(incarnation)) runs.push(incarnation);
      if (!call.port.startsWith(of)) return;
      for (const mode of lateModesOf(call))
        found.push(`${runs.indexOf(incarnation)}:${own}:${mode}`);
    },
  });
  return found;
}

async function violationsOf(beginning: string, effects: readonly string[]) {
  const found: string[] = [];
  for (const effect of sampleOf(effects, (one) => `${beginning} ${one}`)) {
    const scenario = `${beginning} ${effect}`;
    const { verdict, struck } = await simulate(parseScenario(scenario));
    if (verdict.length > 0) found.push(`${scenario}: ${verdict.join('; ')}`);
    if (struck !== 1) found.push(`${scenario}: struck ${struck} times`);
  }
  return found;
}

test.each(['none/pink/fresh', 'rollback@draining/pink/fresh'])(
  'an effect that arrives a minute late, even after its run, leads to the same rest: %s',
  async (beginning) => {
    const effects = await effectsFrom(beginning);
    expect(effects.length).toBeGreaterThan(40);
    expect(await violationsOf(beginning, effects)).toEqual([]);
  },
);

test.each([
  'applying/pink/adopted',
  'applying/pink/edited',
  'recover auto@applying/pink/fresh',
  'recover cleanup@applied/pink/fresh',
  'recover rerun@healthy/purple/fresh',
  'recover replace@applied/pink/fresh',
  'recover terminate@healthy/pink/fresh',
  'cleanup@retreating/pink/fresh',
  'destroying/pink/adopted',
  'doctor --fix@destroying/pink/fresh',
])(
  'a tool that continues without its run and holds the state lock leads to the same rest: %s',
  async (beginning) => {
    const effects = await effectsFrom(beginning, 'infrastructure');
    expect(effects.length).toBeGreaterThan(2);
    expect(await violationsOf(beginning, effects)).toEqual([]);
  },
);
