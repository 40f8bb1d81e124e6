import { expect, test } from '@jest/globals';
import { writeFleet } from '../../src/adapters/github/runners/fleet.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { ParameterStore } from '../../src/ports/parameters.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const id = 'pink-linux' as RegistrationId;
const fleet = { schema: 1, labels: ['canary'], intake: 'open', note: '' } as const;

/** A fleet was removed right before; AWS gives its name out again after so long, and not before. */
function resting(forMs: number) {
  const clock = createVirtualClock();
  let stored: string | undefined;
  const put = (value: string) => {
    if (stored === undefined && clock.elapsed() < forMs) throw new Error('ParameterAlreadyExists');
    stored = value;
    return { version: 1 };
  };
  const parameters = {
    find: async () => (stored === undefined ? undefined : { version: 1, value: stored }),
    create: async ({ value }: { value: string }) => {
      if (stored !== undefined || clock.elapsed() < forMs) return { kind: 'taken' };
      return { kind: 'created', ...put(value) };
    },
    overwrite: async ({ value }: { value: string }) => put(value),
  } as unknown as ParameterStore;
  const fleets = { parameters, nameOf: (one: string) => `/${one}/runner_fleet` };
  return { fleets, clock, stored: () => stored };
}

test('a fleet that is written right after its removal waits for the name', async () => {
  const { fleets, clock, stored } = resting(30_000);
  await writeFleet(fleets, clock, { id, fleet });
  expect(stored()).toBe(JSON.stringify(fleet));
  expect(clock.elapsed()).toBeGreaterThanOrEqual(30_000);
});

test('one that is there is written over at once', async () => {
  const { fleets, clock, stored } = resting(0);
  await writeFleet(fleets, clock, { id, fleet });
  await writeFleet(fleets, clock, { id, fleet: { ...fleet, intake: 'closed' } });
  expect(stored()).toBe(JSON.stringify({ ...fleet, intake: 'closed' }));
  expect(clock.slept).toEqual([]);
});

test('a name that never becomes free ends in what AWS answers', async () => {
  const { fleets, clock } = resting(600_000);
  await expect(writeFleet(fleets, clock, { id, fleet })).rejects.toThrow('ParameterAlreadyExists');
});
