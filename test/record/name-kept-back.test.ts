import { describe, expect, test } from '@jest/globals';
import { PortFailure } from '../../src/ports/failure.ts';
import type { Parameter, StateStore } from '../../src/ports/state-store.ts';
import { beginLog, writeRelease } from '../../src/stages/record/lock/lock-claim.ts';
import { formatLockEntry } from '../../src/stages/record/lock/lock-entry.ts';
import { readLock } from '../../src/stages/record/lock/lock-reading.ts';
import { createWhenNameIsFree } from '../../src/stages/record/parameter-creation.ts';
import { readAtLeast, writeVersioned } from '../../src/stages/record/parameter-write.ts';
import { failureOf } from '../support/failure-of.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const name = '/deployment_status';
const at = '2026-11-02T08:15:00.000Z';

/** Opens Parameter Store with these responses. Each function gets the number of the call. */
function storeWith(answers: Partial<Record<keyof StateStore, (call: number) => unknown>>) {
  const clock = createVirtualClock();
  const calls: string[] = [];
  const given: unknown[] = [];
  const methods = Object.entries(answers).map(([method, answer]) => [
    method,
    async (argument: unknown) => {
      calls.push(method);
      given.push(argument);
      return answer?.(calls.filter((one) => one === method).length);
    },
  ]);
  const parameters = Object.fromEntries(methods) as StateStore;
  return { ports: { parameters, clock }, calls, given, clock };
}

const lost = () => {
  throw new PortFailure({ kind: 'unreachable', effect: 'unknown', source: 'SSM', detail: 'lost' });
};
const denied = () => {
  throw new PortFailure({ kind: 'denied', effect: 'none', source: 'SSM', detail: 'no' });
};
const stored = (version: number, value = 'x'): Parameter => ({ version, value, modifiedAt: at });

describe('the name of a parameter', () => {
  const taken = { kind: 'taken' };
  const created = { kind: 'created', version: 1 };

  test('allows a creation at once if it is free', async () => {
    const { ports, calls } = storeWith({ create: () => created });
    expect(await createWhenNameIsFree(ports, { name, value: 'x' })).toBe(1);
    expect(calls).toEqual(['create']);
  });

  test('causes no wait if another owner has it', async () => {
    const { ports, clock } = storeWith({ create: () => taken, find: () => stored(1) });
    expect(await createWhenNameIsFree(ports, { name, value: 'x' })).toBeUndefined();
    expect(clock.elapsed()).toBe(0);
  });

  test('causes a reported wait while AWS reserves it', async () => {
    const { ports, clock } = storeWith({
      create: (call) => (call < 4 ? taken : created),
      find: () => undefined,
    });
    let reports = 0;
    const report = () => {
      reports += 1;
    };
    expect(await createWhenNameIsFree(ports, { name, value: 'x' }, report)).toBe(1);
    expect(reports).toBe(3);
    expect(clock.elapsed()).toBeGreaterThan(0);
  });

  test('causes a failure if it is not free after the 30 s that AWS states', async () => {
    const { ports, clock } = storeWith({ create: () => taken, find: () => undefined });
    expect(await createWhenNameIsFree(ports, { name, value: 'x' })).toBeUndefined();
    expect(clock.elapsed()).toBeGreaterThan(30_000);
    expect(clock.elapsed()).toBeLessThan(60_000);
  });
});

describe('a versioned write', () => {
  const write = { name, value: 'ours' };

  test('creates the parameter with the given pattern, or without one', async () => {
    const { ports, given } = storeWith({ create: () => ({ kind: 'created', version: 1 }) });
    expect(await writeVersioned({ ...ports, ...write, version: 0, allowedPattern: '^a$' })).toBe(1);
    expect(await writeVersioned({ ...ports, ...write, version: 0 })).toBe(1);
    expect(given).toStrictEqual([{ ...write, allowedPattern: '^a$' }, write]);
  });

  test('fails after three lost responses and never counts as done', async () => {
    const { ports, calls } = storeWith({ overwrite: lost, find: () => stored(3) });
    const ends = writeVersioned({ ...ports, ...write, version: 3 });
    expect(await failureOf(ends)).toMatchObject({ kind: 'unreachable', effect: 'unknown' });
    expect(calls.filter((one) => one === 'overwrite')).toHaveLength(3);
  });

  test('counts as done after a lost response if the next version has its value', async () => {
    const { ports } = storeWith({
      overwrite: lost,
      find: (call) => (call < 3 ? stored(3) : stored(4, 'ours')),
    });
    expect(await writeVersioned({ ...ports, ...write, version: 3 })).toBe(4);
  });

  test('stops after one attempt if it is denied', async () => {
    const { ports, calls } = storeWith({ overwrite: denied });
    const ends = writeVersioned({ ...ports, ...write, version: 3 });
    expect(await failureOf(ends)).toMatchObject({ kind: 'denied' });
    expect(calls).toEqual(['overwrite']);
  });

  test('reads again until the known version appears, and no longer', async () => {
    const behind = storeWith({ find: (call) => stored(call < 3 ? 6 : 7) });
    expect((await readAtLeast(behind.ports, name, 7))?.version).toBe(7);
    expect(behind.calls).toHaveLength(3);
    const fresh = storeWith({ find: () => stored(7) });
    expect((await readAtLeast(fresh.ports, name, 7))?.version).toBe(7);
    expect(fresh.calls).toHaveLength(1);
    const deleted = storeWith({ find: () => undefined });
    expect(await readAtLeast(deleted.ports, name, 7)).toBeUndefined();
    expect(deleted.calls).toHaveLength(20);
  });
});

describe('the log of the lock', () => {
  const owner = { deployment: '1-200', job: '77', since: at, process: 'host/1' } as never;
  const nothing = { version: 0, last: '', owner: undefined, record: 0 };
  const entry = (nonce: string) =>
    formatLockEntry({ kind: 'acquire', log: 'n1', nonce, owner, seen: nothing });
  const read = (versions: (call: number) => readonly Parameter[] | undefined, atLeast?: number) => {
    const { ports, calls } = storeWith({ listVersions: versions });
    const upTo = atLeast === undefined ? {} : { atLeast };
    return readLock(ports, { parameter: name, polls: 5, ...upTo }).then((seen) => ({
      kind: seen.kind,
      looks: calls.length,
    }));
  };
  const one = stored(1, entry('n1'));

  test.each<
    [string, (call: number) => readonly Parameter[] | undefined, number | undefined, object]
  >([
    ['is absent without a parameter', () => undefined, undefined, { kind: 'absent', looks: 1 }],
    ['is absent with an empty list', () => [], undefined, { kind: 'absent', looks: 1 }],
    ['is folded if it is complete', () => [one], 1, { kind: 'folded', looks: 1 }],
    ['is read again if it is known to exist', () => undefined, 1, { kind: 'absent', looks: 5 }],
    [
      'is read until it is as new as known',
      (call) => (call < 3 ? [one] : [one, stored(2, entry('n2'))]),
      2,
      { kind: 'folded', looks: 3 },
    ],
    ['is behind if it never becomes as new', () => [one], 2, { kind: 'behind', looks: 5 }],
    [
      'is behind with a gap',
      () => [one, stored(3, entry('n3'))],
      undefined,
      { kind: 'behind', looks: 5 },
    ],
    [
      'has no base without its beginning',
      () => [stored(7, 'odd')],
      undefined,
      { kind: 'baseless', looks: 1 },
    ],
  ])('%s', async (_, versions, atLeast, expected) => {
    expect(await read(versions, atLeast)).toEqual(expected);
  });

  const release = { kind: 'release', log: 'n1', nonce: 'n2', from: 'n1', seen: nothing } as const;

  test('gets a release again after a lost response, three times in total', async () => {
    const once = storeWith({ overwrite: (call) => (call === 1 ? lost() : { version: 2 }) });
    await writeRelease(once.ports, name, release);
    expect(once.calls).toHaveLength(2);
    const never = storeWith({ overwrite: lost });
    expect(await failureOf(writeRelease(never.ports, name, release))).toMatchObject({
      kind: 'unreachable',
    });
    expect(never.calls).toHaveLength(3);
  });

  test('gets no second release if the first one was refused', async () => {
    const { ports, calls } = storeWith({ overwrite: denied });
    expect(await failureOf(writeRelease(ports, name, release))).toMatchObject({ kind: 'denied' });
    expect(calls).toHaveLength(1);
  });
});

describe('a lock log', () => {
  const owner = { deployment: '1-200', job: 'prepare', since: at, process: 'p' };
  const seen = { version: 0, last: '', owner: undefined, record: 0 };
  const others = formatLockEntry({ kind: 'acquire', log: 'n-2', nonce: 'n-2', owner, seen });

  test.each([
    [{ kind: 'taken' }, 'taken'],
    [{ kind: 'created', version: 1 }, 'lost'],
  ])(
    'cannot be claimed by a creation that returns %j if another owner has begun it',
    async (answer, kind) => {
      const { ports } = storeWith({
        create: () => answer,
        listVersions: () => [stored(1, others)],
        find: () => stored(1, others),
        overwrite: () => ({ version: 2 }),
      });
      const claim = { ports, uncancelled: ports, parameter: name, nonce: 'n-1', owner };
      expect(await beginLog({ ...claim, nextNonce: () => 'n-3' })).toMatchObject({ kind });
    },
  );
});
