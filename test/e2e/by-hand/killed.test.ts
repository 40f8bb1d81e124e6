import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openForBusiness } from './customers.ts';
import { atRequest, rounds, seed, seededDice } from './interruptions.ts';
import { whatIsWrongAtRest } from './rest.ts';
import type { End } from './running.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const dice = seededDice(seed);
const mostTries = 25;

/** Runs the stage until it ends by itself; every run before that is killed at another request. */
async function killUntilDone(stage: string, mostRequests: number): Promise<End[]> {
  const ends: End[] = [];
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const nth = 1 + dice(mostRequests);
    const moment = dice(2) === 0 ? 'before' : 'after';
    const running = world.start({ args: [stage, '--runner', 'linux'] });
    const restore = atRequest(world, { nth, moment, strike: () => running.kill('SIGKILL') });
    const end = await running.ended;
    const count = restore();
    ends.push({ ...end, text: `#${nth} ${moment} (of ${count})\n${end.text}` });
    if (end.signal === null) return ends;
  }
  throw new Error(`${stage} was not done after ${mostTries} runs`);
}

describe.each(Array.from({ length: rounds }, (_, round) => round + 1))('round %i', (round) => {
  test.each(['each stage', 'deploy'])(
    `%s, killed again and again at any request (seed ${seed}, round ${round}), reaches the goal`,
    async (how) => {
      expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
      const customers = openForBusiness(world);
      const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];
      const ends: End[] = [];
      for (const stage of how === 'deploy' ? ['deploy'] : stages) {
        ends.push(...(await killUntilDone(stage, how === 'deploy' ? 150 : 40)));
        if (ends.at(-1)?.exitCode !== 0) break;
      }
      const { lost, unserved } = await customers.finish();
      const report = ends.map(({ args, text, exitCode }) => `${args[0]} ${exitCode} ${text}`);
      if (ends.at(-1)?.exitCode !== 0) throw new Error(report.join('\n'));
      expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
        lost: [],
        unserved: [],
        wrong: [],
      });
    },
    120_000,
  );
});
