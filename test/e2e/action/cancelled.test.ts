import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { atRequest, type Dice, seededDice } from '../by-hand/interruptions.ts';
import { readParameters, whatIsWrongAtRest } from '../by-hand/rest.ts';
import { openWorld, type World } from '../by-hand/world.ts';
import { type ActionEnd, type GitHub, openGitHub } from './github.ts';

/** `ACTION_CANCELS=20 ACTION_SEED=7`: more instants in each stage, and other ones. */
const cancels = Number(process.env['ACTION_CANCELS'] ?? 3);
const seed = Number(process.env['ACTION_SEED'] ?? 1);

/** https://github.com/actions/runner, ProcessInvoker: SIGINT, after 7.5 s SIGTERM, 2.5 s later SIGKILL. */
const termAfterMs = 7500;
const killAfterMs = 2500;

/** How many requests a stage sends about, so that every instant of it is as likely as another. */
const requestsOf: Record<string, number> = {
  prepare: 12,
  onboard: 14,
  provision: 60,
  shutdown: 30,
  cleanup: 40,
  finalize: 60,
};

let world: World;
let github: GitHub;
beforeAll(async () => {
  world = await openWorld();
  github = await openGitHub(world);
  const runId = github.createRun();
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize']) await finish(runId, stage);
}, 60_000);
afterAll(async () => {
  await github.close();
  await world.close();
});

async function finish(runId: string, stage: string): Promise<ActionEnd> {
  const end = await github.run({ runId, inputs: { stage, runner: 'linux' } });
  if (end.exitCode !== 0) throw new Error(`${stage}: ${end.exitCode}\n${end.text}`);
  return end;
}

/** GitHub cancels the step at the n-th request that it sends. */
async function cancelAt(call: { runId: string; stage: string }, nth: number): Promise<ActionEnd> {
  const { runId, stage } = call;
  const running = github.start({ runId, inputs: { stage, runner: 'linux' } });
  const timers: NodeJS.Timeout[] = [];
  const strike = () => {
    running.kill('SIGINT');
    timers.push(setTimeout(() => running.kill('SIGTERM'), termAfterMs));
    timers.push(setTimeout(() => running.kill('SIGKILL'), termAfterMs + killAfterMs));
  };
  const restore = atRequest(world, { nth, moment: nth % 2 === 0 ? 'before' : 'after', strike });
  const end = await running.ended;
  restore();
  for (const timer of timers) clearTimeout(timer);
  return end;
}

async function cancelOften(runId: string, stage: string, dice: Dice): Promise<number> {
  let struck = 0;
  // An early cancel leaves most to do, so instants that come late are drawn after them.
  const instants = Array.from({ length: cancels }, () => 1 + dice(requestsOf[stage] ?? 20));
  for (const nth of instants.sort((one, other) => one - other)) {
    const end = await cancelAt({ runId, stage }, nth);
    const lock = readParameters(world.sandbox)['deployment_lock'];
    const what = `${stage}, cancelled at request ${nth}: ${end.exitCode} ${end.signal}\n${end.text}`;
    expect({ what, lock, killed: end.signal }).toEqual({ what, lock: undefined, killed: null });
    if (end.exitCode === 0) break;
    expect({ what, code: end.code, outcome: end.outputs['outcome'] }).toEqual({
      what,
      code: 'Cancelled',
      outcome: 'cancelled',
    });
    struck += 1;
  }
  return struck;
}

describe(`a step that GitHub cancels (seed ${seed}, ${cancels} instants in each stage)`, () => {
  test.each([
    ['the stages of a deployment', ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup']],
    ['finalize in the place of the last two', ['prepare', 'onboard', 'provision', 'finalize']],
  ])(
    'ends unlocked before it is killed, and the next run completes: %s',
    async (name, stages) => {
      const dice = seededDice(seed + name.length);
      const runId = github.createRun();
      let struck = 0;
      for (const stage of stages) {
        struck += await cancelOften(runId, stage, dice);
        await finish(runId, stage);
      }
      expect(struck).toBeGreaterThan(stages.length);
      expect(whatIsWrongAtRest(world)).toEqual([]);
    },
    cancels * 60_000,
  );
});

test('one that is killed without a word is taken over by the next attempt', async () => {
  const runId = github.createRun();
  await finish(runId, 'prepare');
  const running = github.start({ runId, inputs: { stage: 'onboard', runner: 'linux' } });
  const restore = atRequest(world, {
    nth: 8,
    moment: 'after',
    strike: () => running.kill('SIGKILL'),
  });
  expect((await running.ended).signal).toBe('SIGKILL');
  restore();
  expect(readParameters(world.sandbox)['deployment_lock']).toBeDefined();
  for (const stage of ['onboard', 'provision', 'finalize']) await finish(runId, stage);
  expect(whatIsWrongAtRest(world)).toEqual([]);
}, 60_000);
