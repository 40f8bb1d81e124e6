import { expect, test } from '@jest/globals';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { StackReport } from '../../src/operator/status-report.ts';
import { at, rested } from '../broken-stacks/state.ts';
import { pink, purple } from '../fakes/builders.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { parametersOf, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { examine, reportOf, type Surroundings, stackOf } from './doctor/examine.ts';

/** Change by another actor during a check of the stack. */
type Change = (world: World) => void;

const intake =
  (paused: boolean): Change =>
  (world) => {
    for (const one of registrationsOf(world, stackOf(world), purple)) one.paused = paused;
  };

const edited: Change = (world) => {
  putParameter(world, {
    name: parametersOf(stackOf(world)).status,
    value: formatStatus(stackOf(world).shards, pink),
  });
};

/** Repeats a check with the change before each of its calls in turn. */
async function atEachCall<T>(
  { before, change }: { before: Change; change: Change },
  check: (world: World, surroundings: Surroundings) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (let at = 0; ; at += 1) {
    const world = await rested(before);
    let calls = 0;
    const seen = await check(world, {
      intercept: () => {
        if (calls === at) change(world);
        calls += 1;
        return undefined;
      },
    });
    if (calls <= at) return results;
    results.push(seen);
  }
}

const isPaused = (text: string) => /\bis paused/.test(text);

function ofPurple({ shards }: StackReport): readonly boolean[] {
  const found = shards.find(({ shard }) => shard === purple);
  if (found === undefined || typeof found.registrations === 'string') throw new Error('not told');
  return [isPaused(found.service.reason), ...found.registrations.map(({ paused }) => paused)];
}

test.each([
  ['is paused', false],
  ['is reopened', true],
])('a runner that %s during a check by status is reported consistently', async (_, before) => {
  const change = { before: intake(before), change: intake(!before) };
  const results = await atEachCall(change, reportOf);
  const readings = results.map((report) => [...ofPurple(report), isPaused(report.now)]);
  expect(readings.map((words) => new Set(words).size)).toEqual(readings.map(() => 1));
  // Both values occur, depending on when the runner was read.
  expect(new Set(readings.map(([paused]) => paused))).toEqual(new Set([true, false]));
});

test('a runner that is paused during a check by doctor is reported consistently', async () => {
  const results = await atEachCall({ before: intake(false), change: intake(true) }, examine);
  const readings = results.map(({ view }) => {
    const found = view.facts.shards.find(({ shard }) => shard === purple);
    if (found?.registrations.kind !== 'read') throw new Error('not told');
    return [isPaused(found.service.reason), ...found.registrations.value.map((one) => one.paused)];
  });
  expect(readings.map((words) => new Set(words).size)).toEqual(readings.map(() => 1));
  expect(new Set(readings.map(([paused]) => paused))).toEqual(new Set([true, false]));
});

test('a status that is edited during a check by status is reported consistently', async () => {
  const results = await atEachCall({ before: () => {}, change: edited }, reportOf);
  const readings = results.map(({ deployment_status: status, now, shards }) => [
    status.kind === 'known' ? status.active : status.kind,
    shards.find(({ role }) => role.startsWith('active'))?.shard,
    /(\w+) is active/.exec(now)?.[1] ?? (now.startsWith('purple accepts') ? purple : now),
  ]);
  expect(readings.map((words) => [new Set(words).size, words])).toEqual(
    readings.map((words) => [1, words]),
  );
});

/** Lists the calls that a check makes more than once. */
async function repeats(
  check: (world: World, surroundings: Surroundings) => Promise<unknown>,
  place: Parameters<typeof at>[0],
) {
  const calls = new Set<string>();
  const again: string[] = [];
  const world = await at(place, () => {});
  await check(world, {
    intercept: ({ port, method, args }) => {
      const key = JSON.stringify([port, method, args]);
      if (calls.has(key)) again.push(`${port}.${method}`);
      calls.add(key);
      return undefined;
    },
  });
  return again;
}

test.each([
  ['applied', ['host.look']],
  ['promoted', ['host.look']],
  ['draining', []],
  ['done', []],
] as const)(
  'status queries no source twice at %s, and doctor only a host that counts its requests',
  async (place, counted) => {
    expect(await repeats(reportOf, place)).toEqual([]);
    expect(await repeats(examine, place)).toEqual(counted);
  },
);
