import { describe, expect, test } from '@jest/globals';
import { sampleOf, shareOf } from '../../support/sample.ts';
import { readParameters, whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { atRequest, type Dice, seededDice } from '../by-hand/world/interruptions.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { type ActionEnd, type GitHub, openGitHub } from './github.ts';

/** `ACTION_CANCELS=3 ACTION_SEED=7`: a smaller number of cancels per stage, at other requests. */
const cancels = Number(process.env['ACTION_CANCELS'] ?? shareOf(20));
const seed = Number(process.env['ACTION_SEED'] ?? 1);

/** https://github.com/actions/runner, ProcessInvoker: SIGINT, after 7.5 s SIGTERM, 2.5 s later SIGKILL. */
const termAfterMs = 7500;
const killAfterMs = 2500;

/**
 * Approximate number of requests per stage, to draw each of its requests with the same probability.
 */
const requestsOf: Record<string, number> = {
  prepare: 12,
  onboard: 14,
  provision: 60,
  shutdown: 30,
  cleanup: 40,
  finalize: 60,
};

interface Place {
  readonly world: World;
  readonly github: GitHub;
  runId: string;
}

/** Opens a stack with an active shard and a GitHub that deploys it. */
async function openPlace(): Promise<Place> {
  const world = await openWorld();
  const github = await openGitHub(world);
  const place = { world, github, runId: github.createRun() };
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize']) await finish(place, stage);
  return place;
}

async function closePlace({ world, github }: Place): Promise<void> {
  await github.close();
  await world.close();
}

async function finish({ github, runId }: Place, stage: string): Promise<ActionEnd> {
  const end = await github.run({ runId, inputs: { stage, runner_name: 'linux' } });
  if (end.exitCode !== 0) throw new Error(`${stage}: ${end.exitCode}\n${end.text}`);
  return end;
}

/** Begins a new deployment and runs it up to the stage. */
async function begin(place: Place, before: readonly string[]): Promise<void> {
  place.github.setRun(place.runId, { status: 'completed', conclusion: 'success' });
  place.runId = place.github.createRun();
  for (const stage of before) await finish(place, stage);
}

/** Cancels the step like GitHub, at the n-th request that it sends. */
async function cancelAt({ github, world, runId }: Place, stage: string, nth: number) {
  const running = github.start({ runId, inputs: { stage, runner_name: 'linux' } });
  const timers: NodeJS.Timeout[] = [];
  let struck = false;
  const strike = () => {
    struck = true;
    running.kill('SIGINT');
    timers.push(setTimeout(() => running.kill('SIGTERM'), termAfterMs));
    timers.push(setTimeout(() => running.kill('SIGKILL'), termAfterMs + killAfterMs));
  };
  const restore = atRequest(world, { nth, moment: nth % 2 === 0 ? 'before' : 'after', strike });
  const end = await running.ended;
  restore();
  for (const timer of timers) clearTimeout(timer);
  return { end, struck };
}

/**
 * Cancels a stage at `cancels` random requests. A completed stage starts again in a new deployment.
 */
async function cancelOften(
  place: Place,
  { stage, before, dice }: { stage: string; before: readonly string[]; dice: Dice },
): Promise<number> {
  let strikes = 0;
  // An early cancel leaves most of the work, so late instants come last.
  const draw = () => 1 + dice(requestsOf[stage] ?? 20);
  const instants = Array.from({ length: cancels }, draw).sort((one, other) => one - other);
  let isComplete = true;
  while (strikes < cancels) {
    // An instant after the end of the stage is replaced by another one.
    const nth = instants.shift() ?? draw();
    if (isComplete) await begin(place, before);
    const { end, struck } = await cancelAt(place, stage, nth);
    const lock = readParameters(place.world.sandbox)['deployment_lock'];
    const what = `${stage}, cancelled at request ${nth}: ${end.exitCode} ${end.signal}\n${end.text}`;
    isComplete = end.exitCode === 0;
    if (struck) strikes += 1;
    // A loaded machine may be slower than the limit. test/transport checks the program's own speed
    // with a virtual clock.
    if (end.signal === 'SIGKILL') continue;
    expect({ what, lock }).toEqual({ what, lock: undefined });
    if (isComplete) continue;
    const ending = `${end.code} ${end.outputs['outcome']}`;
    // The struck request fails too, and its error may arrive before the signal.
    const isBrokenOff = nth % 2 === 0 && ending === 'Unreachable failed';
    if (ending !== 'Cancelled cancelled' && !isBrokenOff) throw new Error(`${ending}: ${what}`);
  }
  await finish(place, stage);
  return strikes;
}

const stages = [
  { stage: 'prepare', before: [], after: ['onboard', 'provision', 'finalize'] },
  { stage: 'onboard', before: ['prepare'], after: ['provision', 'finalize'] },
  { stage: 'provision', before: ['finalize', 'prepare', 'onboard'], after: ['finalize'] },
  {
    stage: 'shutdown',
    before: ['finalize', 'prepare', 'onboard', 'provision'],
    after: ['cleanup'],
  },
  { stage: 'cleanup', before: ['prepare', 'onboard', 'provision', 'shutdown'], after: [] },
  { stage: 'finalize', before: ['prepare', 'onboard', 'provision'], after: [] },
];

describe(`a step that GitHub cancels (seed ${seed}, ${cancels} instants in each stage)`, () => {
  test.concurrent.each(sampleOf(stages, ({ stage }) => `cancelled ${stage}`))(
    'ends unlocked, and the next run completes: $stage',
    async ({ stage, before, after }) => {
      const place = await openPlace();
      try {
        const dice = seededDice(seed + stage.length);
        const struck = await cancelOften(place, { stage, before, dice });
        for (const later of after) await finish(place, later);
        const wrong = whatIsWrongAtRest(place.world);
        expect({ struck, wrong }).toEqual({ struck: cancels, wrong: [] });
      } finally {
        await closePlace(place);
      }
    },
  );
});

test('a step that is killed leaves its lock to the next attempt, which completes', async () => {
  const place = await openPlace();
  const { world, github } = place;
  await begin(place, ['prepare']);
  const { runId } = place;
  const running = github.start({ runId, inputs: { stage: 'onboard', runner_name: 'linux' } });
  const restore = atRequest(world, {
    nth: 8,
    moment: 'after',
    strike: () => running.kill('SIGKILL'),
  });
  expect((await running.ended).signal).toBe('SIGKILL');
  restore();
  expect(readParameters(world.sandbox)['deployment_lock']).toBeDefined();
  for (const stage of ['onboard', 'provision', 'finalize']) await finish(place, stage);
  expect(whatIsWrongAtRest(world)).toEqual([]);
  await closePlace(place);
});
