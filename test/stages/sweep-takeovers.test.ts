import { describe, expect, test } from '@jest/globals';
import type { Place } from '../../src/domain/outcome.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { Shard } from '../../src/domain/shard.ts';
import { formatStatus } from '../../src/domain/status.ts';
import { atRest } from '../fakes/at-rest.ts';
import { pink, purple } from '../fakes/builders.ts';
import { absorb } from '../fakes/checker.ts';
import { putParameter } from '../fakes/parameters-fake.ts';
import type { Fault } from '../fakes/seam.ts';
import { parametersOf } from '../fakes/serving.ts';
import { createSimulation } from '../fakes/simulation.ts';
import type { World } from '../fakes/world.ts';
import type { Command } from './drive.ts';
import { reach } from './reach.ts';
import { runStageOf } from './sweep.ts';

type Step = readonly [Command, string];

interface Flow {
  readonly from: Place;
  /** What a person wrote into the status. */
  readonly edited?: Shard;
  readonly steps: readonly Step[];
}

const flows: Readonly<Record<string, Flow>> = {
  'going on with a retreat': {
    from: 'retreating',
    steps: [
      ['provision', '1-200'],
      ['finalize', '1-200'],
    ],
  },
  'a retreat finished by cleanup': {
    from: 'retreating',
    steps: [
      ['cleanup', '1-200'],
      ['provision', '1-200'],
      ['finalize', '1-200'],
    ],
  },
  'a rollback while the old shard drains': {
    from: 'draining',
    steps: [
      ['rollback', '1-200'],
      ['finalize', '1-200'],
    ],
  },
  'a rollback by a newer pipeline': {
    from: 'promoted',
    steps: [
      ['rollback', '1-300'],
      ['finalize', '1-300'],
    ],
  },
  'an activation back, after a hand edit': {
    from: 'draining',
    edited: pink,
    steps: [
      ['activate pink', '1-300'],
      ['finalize', '1-300'],
    ],
  },
  'an activation of the candidate, after a hand edit': {
    from: 'healthy',
    edited: purple,
    steps: [
      ['activate purple', '1-300'],
      ['finalize', '1-300'],
    ],
  },
};

const faults: readonly Fault[] = [
  { kind: 'crash_after' },
  { kind: 'lost_answer' },
  { kind: 'error_before', failure: 'unavailable', status: 503 },
];

describe.each(Object.entries(flows))('%s', (_, flow) => {
  test.each(faults)('survives $kind at every effect, each command run again', async (fault) => {
    const trouble: string[] = [];
    const world = await begin(flow);
    for (const [place, [command, deploymentId]] of flow.steps.entries()) {
      const before = structuredClone(world);
      const effects: number[] = [];
      await runStageOf(world, command, {
        deploymentId,
        intercept: ({ effect, own }) => {
          if (effect) effects.push(own);
          return undefined;
        },
      });
      for (const index of effects) {
        const struck = structuredClone(before);
        trouble.push(...(await strike(struck, flow.steps.slice(place), { index, fault })));
      }
    }
    await createSimulation({ world }).advance(3_600_000);
    expect([...trouble, ...world.violations, ...atRest(world)]).toEqual([]);
  });
});

async function begin({ from, edited }: Flow): Promise<World> {
  const world = await reach(from);
  const stack = world.stacks[0] as StackSettings;
  if (edited !== undefined) {
    const value = formatStatus(stack.shards, edited);
    putParameter(world, { name: parametersOf(stack).status, value });
    absorb(world);
  }
  return world;
}

async function strike(
  world: World,
  steps: readonly Step[],
  { index, fault }: { index: number; fault: Fault },
): Promise<string[]> {
  const [first] = steps;
  if (first === undefined) return [];
  const [command, deploymentId] = first;
  await runStageOf(world, command, {
    deploymentId,
    intercept: ({ own }) => (own === index ? fault : undefined),
  });
  const trouble: string[] = [];
  for (const [again, id] of steps) {
    const ending = await runStageOf(world, again, { deploymentId: id });
    if (ending.kind === 'error')
      trouble.push(`${again}: ${ending.error.code} ${ending.error.fields.why?.join(' ')}`);
  }
  await createSimulation({ world }).advance(3_600_000);
  const found = [...trouble, ...world.violations, ...atRest(world)];
  return found.map((text) => `${command} #${index}: ${text}`);
}
