import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { countJobs } from '../../fakes/world/job-counts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { parametersOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

// Who may write what is asked of the example policies in test/docs/permissions.test.ts: whoever may
// deploy, and no host. What follows is what a wrong word can make us do, whoever wrote it.
const commands: readonly Command[] = [
  'prepare',
  'onboard',
  'provision',
  'shutdown',
  'cleanup',
  'finalize',
  'recover auto',
  'rollback',
  'doctor --fix',
];

type Json = Record<string, unknown>;

function namesIn(world: World) {
  return parametersOf(world.stacks[0] as StackSettings);
}

function textOf(world: World, name: string): string {
  return world.parameters[name]?.versions.at(-1)?.value ?? '';
}

/** The record with what somebody has written into it. */
function forge(world: World, deployment: Json, shards?: (shards: Json) => Json): void {
  const { record } = namesIn(world);
  const value = JSON.parse(textOf(world, record)) as { deployment: Json; shards: Json };
  putParameter(world, {
    name: record,
    value: JSON.stringify({
      ...value,
      deployment: { ...value.deployment, ...deployment },
      shards: shards === undefined ? value.shards : shards(value.shards),
    }),
  });
}

const turned = { candidate: 'pink', retiring: 'purple' };
const removal = { began: '2026-11-02T08:00:00.000Z', ended: '2026-11-02T08:01:00.000Z' };

/** Purple was promoted, and pink still has a customer's job of two hours. */
const lies: readonly (readonly [string, (world: World) => void])[] = [
  ['a record that turns the shards around', (world) => forge(world, turned)],
  [
    'a record that calls the shard that serves drained',
    (world) => forge(world, { ...turned, phase: 'drained' }),
  ],
  [
    'a record that is about to destroy the shard that serves',
    (world) => forge(world, { ...turned, phase: 'destroying' }),
  ],
  ['a record that calls a shard with a job drained', (world) => forge(world, { phase: 'drained' })],
  [
    'a record that is about to destroy a shard with a job',
    (world) => forge(world, { phase: 'destroying' }),
  ],
  ['a record that calls a deployment done that is not', (world) => forge(world, { phase: 'done' })],
  [
    'a record that says the runners of the shard that serves are removed',
    (world) =>
      forge(world, { ...turned, phase: 'destroying' }, (shards) => ({
        ...shards,
        purple: { ...(shards['purple'] as Json), removal, production_tag: false },
      })),
  ],
  [
    'a record that says a candidate never had a customer’s tag',
    (world) =>
      forge(world, { phase: 'applied' }, (shards) => ({
        ...shards,
        purple: { ...(shards['purple'] as Json), production_tag: false, unhealthy_in_a_row: 9 },
      })),
  ],
  [
    'a record that has the registrations swapped',
    (world) =>
      forge(world, { phase: 'drained' }, ({ pink, purple }) => ({ pink: purple, purple: pink })),
  ],
  [
    'a record with keys of every object',
    (world) =>
      putParameter(world, {
        name: namesIn(world).record,
        value: '{"__proto__":{"schema":1},"constructor":{"prototype":{"schema":1}}}',
      }),
  ],
  [
    'a status that names the shard that is to be retired',
    (world) =>
      putParameter(world, {
        name: namesIn(world).status,
        value: '{"active_shard":"pink","inactive_shard":"purple"}',
      }),
  ],
];

describe('no lie makes us destroy the shard that serves, or end a job', () => {
  test.each(lies)('%s', async (_, lie) => {
    const world = await reach('promoted');
    submitJob(world, { name: 'long build', tags: ['linux'], durationMs: 7_200_000 });
    await openScene(world).simulation.advance(10_000);
    lie(world);
    world.violations.length = 0;
    for (const command of commands) {
      const deadline = world.now + 900_000;
      await openScene(world).type(command, { deadline, jobId: `after a lie ${command}` });
      // Nobody serves no more, no job ends by us, and nothing with a job is removed.
      expect(world.violations.filter((text) => /^S(?:1|2|3|7|17):/.test(text))).toEqual([]);
    }
    expect(countJobs(world)).toMatchObject({ interrupted: 0, lost: 0 });
  });
});

const garbage: readonly (readonly [string, string])[] = [
  ['words', 'please wait'],
  ['keys of every object', '{"__proto__":{"entry":"release"},"entry":"constructor"}'],
  ['depth', `${'['.repeat(2000)}${']'.repeat(2000)}`],
  [
    'a release of nobody',
    '{"entry":"release","log":"x","nonce":"y","from":"z","seen":{"version":0,"last":"","owner":null,"record":0}}',
  ],
  ['all that a parameter holds', 'x'.repeat(4096)],
];

describe('whatever stands in the lock that is none of ours,', () => {
  test.each(garbage.filter(([what]) => what !== 'a release of nobody'))(
    '%s, keeps every stage from an effect',
    async (_, value) => {
      const world = await reach('promoted');
      putParameter(world, { name: namesIn(world).lock, value });
      const before = textOf(world, namesIn(world).record);
      const ending = await openScene(world).type('shutdown');
      expect(ending).toMatchObject({ kind: 'error', error: { code: 'LockInvalid' } });
      expect(textOf(world, namesIn(world).record)).toBe(before);
    },
  );
});

test('a shard that there is none of is no status, by Parameter Store’s own pattern', async () => {
  const world = await reach('promoted');
  const value = '{"active_shard":"__proto__","inactive_shard":"purple"}';
  expect(() => putParameter(world, { name: namesIn(world).status, value })).toThrow(
    'ParameterPatternMismatchException',
  );
});

test('a record that names the other shard’s runner stops the drain before that is closed', async () => {
  const world = await reach('promoted');
  forge(world, { phase: 'drained' }, ({ pink, purple }) => ({ pink: purple, purple: pink }));
  expect(await openScene(world).type('cleanup')).toMatchObject({
    error: { code: 'FactsContradict', exitCode: 3 },
  });
  expect(world.violations).toEqual([]);
});

describe('whatever stands in the hold', () => {
  test.each(garbage)('%s, holds', async (_, value) => {
    const world = await reach('promoted');
    putParameter(world, { name: namesIn(world).hold, value });
    const ending = await openScene(world).type('shutdown');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held', exitCode: 3 } });
  });
});
