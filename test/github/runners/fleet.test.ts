import { describe, expect, test } from '@jest/globals';
import { createFleets } from '../../../src/adapters/github/runners/fleet.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { StateStore } from '../../../src/ports/state-store.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

const id = 'pink-linux' as RegistrationId;
const fleet = { schema: 1, labels: ['canary'], intake: 'open', note: '' } as const;

/** Opens a store in which a fleet was just removed. AWS blocks its name for `forMs`. */
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
  } as unknown as StateStore;
  const fleets = createFleets({ parameters, nameOf: (one) => `/${one}/runner_fleet` }, clock);
  return { fleets, clock, stored: () => stored };
}

test('a fleet that is written right after its removal waits for the name', async () => {
  const { fleets, clock, stored } = resting(30_000);
  await fleets.write(id, fleet);
  expect(stored()).toBe(JSON.stringify(fleet));
  expect(clock.elapsed()).toBeGreaterThanOrEqual(30_000);
});

test('an existing fleet is overwritten at once', async () => {
  const { fleets, clock, stored } = resting(0);
  await fleets.write(id, fleet);
  await fleets.write(id, { ...fleet, intake: 'closed' });
  expect(stored()).toBe(JSON.stringify({ ...fleet, intake: 'closed' }));
  expect(clock.slept).toEqual([]);
});

test('a name that never becomes free ends in the response of AWS', async () => {
  const { fleets } = resting(600_000);
  await expect(fleets.write(id, fleet)).rejects.toThrow('ParameterAlreadyExists');
});

/** Opens a store whose reads show the values at a time that the test sets. */
function lagging() {
  const clock = createVirtualClock();
  const versions: string[] = [];
  const shown = { upTo: undefined as number | undefined };
  const parameters = {
    find: async () => {
      const version = Math.min(shown.upTo ?? versions.length, versions.length);
      const value = versions[version - 1];
      return value === undefined ? undefined : { version, value };
    },
    create: async ({ value }: { value: string }) =>
      versions.length > 0 ? { kind: 'taken' } : { kind: 'created', version: versions.push(value) },
    overwrite: async ({ value }: { value: string }) => ({ version: versions.push(value) }),
    remove: async () => {
      versions.length = 0;
      return 'removed';
    },
  } as unknown as StateStore;
  const open = () => createFleets({ parameters, nameOf: (one) => `/${one}/runner_fleet` }, clock);
  return { fleets: open(), another: open(), clock, shown };
}

describe('a fleet parameter that this process has written', () => {
  const closed = { ...fleet, intake: 'closed' } as const;

  test('counts as existing, although a read reports none', async () => {
    const { fleets, shown } = lagging();
    shown.upTo = 0;
    await fleets.write(id, fleet);
    expect(await fleets.find(id)).toEqual(fleet);
  });

  test('counts as paused right after it was paused', async () => {
    const { fleets, shown } = lagging();
    await fleets.write(id, fleet);
    shown.upTo = 1;
    await fleets.write(id, closed);
    expect(await fleets.find(id)).toEqual(closed);
  });

  test('yields to a later write by another process', async () => {
    const { fleets, another } = lagging();
    await fleets.write(id, fleet);
    await another.write(id, closed);
    expect(await fleets.find(id)).toEqual(closed);
  });

  test('yields to reads after half a minute', async () => {
    const { fleets, clock, shown } = lagging();
    await fleets.write(id, fleet);
    shown.upTo = 0;
    await clock.sleep(30_000);
    expect(await fleets.find(id)).toBeUndefined();
  });

  test('counts as absent after this process has removed it', async () => {
    const { fleets } = lagging();
    await fleets.write(id, fleet);
    expect(await fleets.remove(id)).toBe('removed');
    expect(await fleets.find(id)).toBeUndefined();
  });
});
