import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { countJobs } from '../../fakes/world/job-counts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

// The example policies in test/docs/permissions.test.ts allow writes to the parameters for
// deployers, and for no host. These tests show the effect of wrong values by any writer.
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

/** Writes false values into the record. */
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

/** False values in a world with purple promoted and a customer job of two hours on pink. */
const lies: readonly (readonly [string, (world: World) => void])[] = [
  ['a record that swaps the shards', (world) => forge(world, turned)],
  [
    'a record that marks the accepting shard as drained',
    (world) => forge(world, { ...turned, phase: 'drained' }),
  ],
  [
    'a record that is about to destroy the accepting shard',
    (world) => forge(world, { ...turned, phase: 'destroying' }),
  ],
  [
    'a record that marks a shard with a job as drained',
    (world) => forge(world, { phase: 'drained' }),
  ],
  [
    'a record that is about to destroy a shard with a job',
    (world) => forge(world, { phase: 'destroying' }),
  ],
  [
    'a record that marks an unfinished deployment as done',
    (world) => forge(world, { phase: 'done' }),
  ],
  [
    'a record that marks the runners of the accepting shard as removed',
    (world) =>
      forge(world, { ...turned, phase: 'destroying' }, (shards) => ({
        ...shards,
        purple: { ...(shards['purple'] as Json), removal, production_tag: false },
      })),
  ],
  [
    'a record that denies the customer tags of a candidate',
    (world) =>
      forge(world, { phase: 'applied' }, (shards) => ({
        ...shards,
        purple: { ...(shards['purple'] as Json), production_tag: false, unhealthy_in_a_row: 9 },
      })),
  ],
  [
    'a record with swapped runners',
    (world) =>
      forge(world, { phase: 'drained' }, ({ pink, purple }) => ({ pink: purple, purple: pink })),
  ],
  [
    'a record with the keys of every object',
    (world) =>
      putParameter(world, {
        name: namesIn(world).record,
        value: '{"__proto__":{"schema":1},"constructor":{"prototype":{"schema":1}}}',
      }),
  ],
  [
    'a status that names the retiring shard',
    (world) =>
      putParameter(world, {
        name: namesIn(world).status,
        value: '{"active_shard":"pink","inactive_shard":"purple"}',
      }),
  ],
];

describe('a forged record or status', () => {
  test.each(lies)(
    'never makes hosted-runner destroy the accepting shard or end a job: %s',
    async (_, lie) => {
      const world = await reach('promoted');
      submitJob(world, { name: 'long build', tags: ['linux'], durationMs: 7_200_000 });
      await openScene(world).simulation.advance(10_000);
      lie(world);
      world.violations.length = 0;
      for (const command of commands) {
        const deadline = world.now + 900_000;
        await openScene(world).type(command, { deadline, jobId: `after a lie ${command}` });
        // No outage occurs, no run ends a job, and nothing with a job is removed.
        expect(world.violations.filter((text) => /^S(?:1|2|3|7|17):/.test(text))).toEqual([]);
      }
      expect(countJobs(world)).toMatchObject({ interrupted: 0, lost: 0 });
    },
  );
});

const garbage: readonly (readonly [string, string])[] = [
  ['words', 'please wait'],
  ['the keys of every object', '{"__proto__":{"entry":"release"},"entry":"constructor"}'],
  ['depth', `${'['.repeat(2000)}${']'.repeat(2000)}`],
  [
    'a release without an owner',
    '{"entry":"release","log":"x","nonce":"y","from":"z","seen":{"version":0,"last":"","owner":null,"record":0}}',
  ],
  ['a text of the maximum length', 'x'.repeat(4096)],
];

describe('a lock with a foreign value', () => {
  test.each(garbage.filter(([what]) => what !== 'a release without an owner'))(
    'keeps every stage from an effect: %s',
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

test('Parameter Store refuses a status with an unknown shard by its pattern', async () => {
  const world = await reach('promoted');
  const value = '{"active_shard":"__proto__","inactive_shard":"purple"}';
  expect(() => putParameter(world, { name: namesIn(world).status, value })).toThrow(
    'ParameterPatternMismatchException',
  );
});

test('a record that names the runner of the other shard stops the drain before a pause', async () => {
  const world = await reach('promoted');
  forge(world, { phase: 'drained' }, ({ pink, purple }) => ({ pink: purple, purple: pink }));
  expect(await openScene(world).type('cleanup')).toMatchObject({
    error: { code: 'FactsContradict', exitCode: 3 },
  });
  expect(world.violations).toEqual([]);
});

describe('a hold with any value', () => {
  test.each(garbage)('holds the stack: %s', async (_, value) => {
    const world = await reach('promoted');
    putParameter(world, { name: namesIn(world).hold, value });
    const ending = await openScene(world).type('shutdown');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held', exitCode: 3 } });
  });
});
