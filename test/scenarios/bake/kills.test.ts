import { expect, test } from '@jest/globals';
import type { Shard } from '../../../src/domain/shard.ts';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import type { Call, Fault } from '../../fakes/seam/seam.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import {
  activeShard,
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { minute } from '../service/promoted.ts';
import { bad, breakJobs, openBaking, pink, purple, stackOf } from './baked.ts';

/** Drained, and found bad at the first look. */
async function badWorld(): Promise<World> {
  const { scene, world } = await openBaking();
  await scene.type('shutdown');
  breakJobs(world, purple, bad);
  return world;
}

function run(
  world: World,
  command: 'bake' | 'finalize',
  intercept?: (call: Call) => Fault | undefined,
) {
  const simulation = createSimulation({ world, ...(intercept === undefined ? {} : { intercept }) });
  return drive(simulation, command, { deploymentId: '1-200', jobId: `${command} ${world.now}` });
}

const recordOf = (world: World) => parameterValue(world, parametersOf(stackOf(world)).record);

test('killed at any effect or write of the way back, it is gone back once, and to its end', async () => {
  const world = await badWorld();
  let calls = 0;
  const counting = structuredClone(world);
  await run(counting, 'bake', (call) => {
    if (call.effect) calls += 1;
    return undefined;
  });
  expect(calls).toBeGreaterThan(5);
  const trouble: string[] = [];
  for (let at = 1; at <= calls; at += 1) {
    for (const kind of ['crash_before', 'crash_after'] as const) {
      const copy = structuredClone(world);
      let seen = 0;
      await run(copy, 'bake', (call) => {
        if (call.effect) seen += 1;
        return call.effect && seen === at ? { kind } : undefined;
      });
      await createSimulation({ world: copy }).advance(60_000);
      for (let runs = 0; runs < 5 && deploymentOf(recordOf(copy)).phase !== 'done'; runs += 1) {
        await run(copy, 'finalize');
        await createSimulation({ world: copy }).advance(60_000);
      }
      const { phase } = deploymentOf(recordOf(copy));
      const { deployment, history } = JSON.parse(recordOf(copy) ?? '{}');
      const how = deployment?.kind;
      const taken = history?.filter((line: string) => line.includes(' taken_back ')).length;
      const ended = `${phase} ${how} ${activeShard(copy, stackOf(copy))} ${taken}`;
      if (ended !== `done rollback ${pink} 1`) trouble.push(`${kind} ${at}: ${ended}`);
      trouble.push(...copy.violations.map((text) => `${kind} ${at}: ${text}`));
    }
  }
  expect(trouble).toEqual([]);
});

test('the old shard serves within five seconds of our own after its jobs were seen to be bad', async () => {
  const { scene, world } = await openBaking();
  await scene.type('shutdown');
  const brokenAt = world.now + 10 * minute;
  let seenAt: number | undefined;
  let servesAt: number | undefined;
  const simulation = createSimulation({
    world,
    intercept: ({ method, args }) => {
      const isJudged = method === 'readJobHistory' && args[0] === idOf(world, purple);
      if (isJudged && world.now >= brokenAt) seenAt ??= world.now;
      if (serves(world, pink)) servesAt ??= world.now;
      return undefined;
    },
  });
  simulation.at(10 * minute, () => breakJobs(world, purple, bad));
  expect(serves(world, pink)).toBe(false);
  await drive(simulation, 'bake', { deploymentId: '1-200', jobId: 'bake' });
  expect(seenAt).toBeGreaterThanOrEqual(brokenAt);
  expect((servesAt ?? Number.POSITIVE_INFINITY) - (seenAt ?? 0)).toBeLessThanOrEqual(5000);
});

const idOf = (world: World, shard: Shard) => registrationsOf(world, stackOf(world), shard)[0]?.id;

/** Un-paused, with the production tag, and a process that asks for jobs. */
function serves(world: World, shard: Shard): boolean {
  const [registration] = registrationsOf(world, stackOf(world), shard);
  const isOpen = registration?.paused === false && registration.tags.includes('linux');
  return isOpen && hostsOf(world, stackOf(world), shard).some((host) => host.process === 'running');
}
