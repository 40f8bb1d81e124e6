import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readParameters, whatIsWrongAtRest } from '../world/at-rest.ts';
import { type Customers, openForBusiness } from '../world/customers.ts';
import { rounds, seed, seededDice, strikeSomewhere } from '../world/interruptions.ts';
import type { End } from '../world/running.ts';
import { openWorld, type World } from '../world/world.ts';

let world: World;
let customers: Customers;
beforeEach(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  customers = openForBusiness(world);
});
afterEach(async () => {
  customers.close();
  await world.close();
});

const plan: Record<string, number> = {
  prepare: 2,
  onboard: 3,
  provision: 6,
  shutdown: 4,
  cleanup: 4,
  finalize: 0,
};

describe.each(Array.from({ length: rounds }, (_, round) => seed + round))('seed %i', (own) => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s at any instant ends a stage, unlocked; run again it reaches the goal',
    async (signal) => {
      const dice = seededDice(own + (signal === 'SIGINT' ? 0 : 500));
      for (const [stage, strikes] of Object.entries(plan)) {
        for (let attempt = 0; attempt <= strikes; attempt += 1) {
          let struck = false;
          const running = world.start({ args: [stage, '--runner', 'linux'] });
          const strike = () => {
            // The very first milliseconds belong to Node: nobody listens for signals yet.
            if (running.text() === '') return;
            struck = true;
            running.kill(signal);
          };
          const { told, restore } =
            attempt === strikes
              ? { told: 'to its end', restore: () => {} }
              : strikeSomewhere(world, { dice, requests: 40, strike });
          const end = await running.ended;
          restore();
          const what = `${stage}, ${told}: ${end.exitCode} ${end.signal}\n${end.stdout}${end.stderr}`;
          expect({ what, lock: readParameters(world.sandbox)['deployment_lock'] }).toEqual({
            what,
            lock: undefined,
          });
          if (struck)
            expect({ what, ending: endings(signal, told) }).toEqual({
              what,
              ending: expect.arrayContaining([endingOf(end)]),
            });
          else expect({ what, ending: endingOf(end) }).toEqual({ what, ending: '0' });
          if (end.exitCode === 0) break;
        }
      }
      const { lost, unserved } = await customers.finish();
      expect({ lost, unserved, wrong: whatIsWrongAtRest(world) }).toEqual({
        lost: [],
        unserved: [],
        wrong: [],
      });
    },
  );
});

function endingOf({ exitCode, signal, code }: End): string {
  return [exitCode ?? signal, code].filter((word) => word !== undefined).join(' ');
}

/**
 * Each is true of a stage that was told to stop. How long it may take is told by a clock that tests
 * turn, in test/transport.
 */
function endings(signal: NodeJS.Signals, told: string): string[] {
  // It was over before it heard, to its last instant, in which Node listens no more.
  const tooLate = ['0', signal];
  // The request that was struck is broken off as well, and that may be heard before the signal is.
  const brokenOff = told.includes('before request') ? ['1 Unreachable'] : [];
  return ['130 Cancelled', ...tooLate, ...brokenOff];
}
