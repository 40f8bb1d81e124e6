import { describe, expect, test } from '@jest/globals';
import { cancelJob } from '../fakes/jobs.ts';
import type { Call, Fault } from '../fakes/seam.ts';
import { parametersOf, parameterValue } from '../fakes/serving.ts';
import type { World } from '../fakes/world.ts';
import { type Candidate, type Cause, candidateOf, spoiling, worldOf } from './causes.ts';
import { openScene } from './scene.ts';

/** The pipeline's own canary was cancelled, and GitLab lets this token start no other. */
const cause: Cause = {
  code: 'canary_not_startable',
  spoil: ({ world }) => {
    world.behaviour.canaryStart = 'denied';
    for (const job of Object.values(world.jobs))
      if (job.kind === 'canary' && job.finishedAt === undefined) cancelJob(world, job);
  },
  mend: ({ world }) => {
    world.behaviour.canaryStart = 'allowed';
  },
  mends: true,
};

async function provision(
  also: (call: Call, candidate: Candidate) => Fault | undefined = () => undefined,
  overAfterMs = Number.POSITIVE_INFINITY,
) {
  const world = worldOf(cause);
  const scene = openScene(world, spoiling(world, cause, { also, overAfterMs }));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  scene.story.length = 0;
  const ending = await scene.type('provision');
  return { scene, world, code: ending.kind === 'error' ? ending.error.code : ending.kind };
}

function expectUntouched(world: World): void {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  expect(parameterValue(world, parametersOf(stack).status)).toContain('"active_shard":"pink"');
  expect(candidateOf(world).registration?.tags ?? []).not.toContain('linux');
  expect(world.violations).toEqual([]);
}

const isRead = ({ port, effect }: Call) => ['host', 'registry', 'canary'].includes(port) && !effect;

describe('a canary that cannot be started', () => {
  test('is named at the deadline, with whom to ask to press it, and proves nothing against the shard', async () => {
    const { scene, world, code } = await provision();
    expect(code).toBe('HealthInconclusive');
    expect(scene.story).toMatchSnapshot();
    expectUntouched(world);
  });

  test('is started as soon as it may be', async () => {
    const { code } = await provision(undefined, 300_000);
    expect(code).toBe('done');
  });

  test.each<[string, Fault]>([
    ['missing', { kind: 'error_before', failure: 'unreachable' }],
    ['late by twenty seconds each', { kind: 'delay', beforeMs: 20_000 }],
    ['throttled', { kind: 'error_before', failure: 'throttled' }],
  ])('keeps the verdict open where answers are %s', async (_, fault) => {
    const { world, code } = await provision((call) => (isRead(call) ? fault : undefined));
    expect(code).toBe('HealthInconclusive');
    expectUntouched(world);
  });

  test('keeps the verdict open where answers are those of the moment before', async () => {
    let stale = 0;
    const { world, code } = await provision((call) => {
      if (!isRead(call) || stale >= 20) return undefined;
      stale += 1;
      return { kind: 'stale' };
    });
    expect(code).toBe('HealthInconclusive');
    expectUntouched(world);
  });
});
