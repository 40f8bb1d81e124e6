import { describe, expect, test } from '@jest/globals';
import {
  foldLock,
  type LockEntry,
  type LockState,
  type LockVersion,
  nonceOf,
  toLockReference,
  unknownOwner,
} from '../../../src/domain/deployment/lock/lock-log.ts';

const owner = { deployment: '1-200', job: '7001', since: '2026-11-02T08:00:00.000Z', process: 'p' };
const nothing = { version: 0, last: '', owner: undefined, record: 0 };
type Written = LockEntry | 'illegible';

const acquire = (nonce: string, more: Partial<LockEntry> = {}): Written =>
  ({ kind: 'acquire', log: 'a', nonce, owner, seen: nothing, ...more }) as LockEntry;
const release = (from: string, more: Partial<LockEntry> = {}): Written =>
  ({ kind: 'release', log: 'a', nonce: `r-${from}`, from, seen: nothing, ...more }) as LockEntry;
const takeover = (nonce: string, from: string, more: Partial<LockEntry> = {}): Written =>
  ({ kind: 'takeover', log: 'a', nonce, from, owner, seen: nothing, ...more }) as LockEntry;
const old = (nonce: string): Written => ({ kind: 'acquire', nonce, owner });

/** Returns the versions that these writes create, from a number on. */
function written(entries: readonly Written[], first = 1): LockVersion[] {
  return entries.map((entry, index) => ({
    version: first + index,
    entry: entry === 'illegible' ? undefined : entry,
  }));
}

function ownerOf(versions: readonly LockVersion[], known?: LockState): string | undefined {
  const folded = foldLock(versions, known);
  if (folded.kind !== 'folded') throw new Error(folded.kind);
  return folded.state.owner?.nonce;
}

describe('the owner of the lock', () => {
  test.each<[string, readonly Written[], string | undefined]>([
    ['the run that began the log', [acquire('a')], 'a'],
    ['no run after its owner has released it', [acquire('a'), release('a')], undefined],
    [
      'the run that acquired it first',
      [acquire('a'), release('a'), acquire('b'), acquire('c')],
      'b',
    ],
    [
      'no run after the winner has released it, despite a later entry of another contender',
      [acquire('a'), acquire('b'), release('a')],
      undefined,
    ],
    ['the run that took it over from its owner', [acquire('a'), takeover('b', 'a')], 'b'],
    [
      'the first of two runs that took it over from the same owner',
      [acquire('a'), takeover('b', 'a'), takeover('c', 'a')],
      'b',
    ],
    [
      'its new owner although the old owner releases it',
      [acquire('a'), takeover('b', 'a'), release('a')],
      'b',
    ],
    [
      'its owner although a takeover of the previous owner arrives late',
      [acquire('a'), release('a'), acquire('b'), takeover('c', 'a')],
      'b',
    ],
    [
      'no run after a takeover of an owner that has released it',
      [acquire('a'), release('a'), takeover('b', 'a')],
      undefined,
    ],
    ['no run if an acquire arrives twice', [acquire('a'), release('a'), acquire('a')], undefined],
    [
      'no run if the acquire of an unsuccessful contender arrives again after the release',
      [acquire('a'), acquire('b'), release('a'), acquire('b')],
      undefined,
    ],
    [
      'no run if an abandoned acquire arrives late',
      [acquire('a'), release('a'), release('b'), acquire('b')],
      undefined,
    ],
    [
      'no run if an abandoned takeover arrives late',
      [acquire('a'), release('b'), takeover('b', 'a'), release('a')],
      undefined,
    ],
    [
      'its owner although an abandoned takeover arrives late',
      [acquire('a'), release('b'), takeover('b', 'a')],
      'a',
    ],
    [
      'no run by an entry of a deleted log',
      [acquire('a'), release('a'), acquire('z', { log: 'before' })],
      undefined,
    ],
    ['no run by the first entry of a deleted log', [acquire('z', { log: 'before' })], undefined],
    [
      'its owner although an entry of a deleted log releases it',
      [acquire('a'), release('a', { log: 'before' })],
      'a',
    ],
    ['the old program that began the log', [old('a')], 'a'],
    ['the old program that found it free', [acquire('a'), release('a'), old('b')], 'b'],
    ['its owner although an old program overwrote it', [acquire('a'), old('b')], 'a'],
    ['the run that took it over from an old program', [old('a'), takeover('b', 'a')], 'b'],
    ['no readable run after a manual edit', [acquire('a'), 'illegible'], 'illegible@2'],
    [
      'no readable run after a manual edit of a free lock',
      [acquire('a'), release('a'), 'illegible'],
      'illegible@3',
    ],
    [
      'the run that took over a manual edit',
      [acquire('a'), 'illegible', takeover('b', 'illegible@2')],
      'b',
    ],
  ])('the lock belongs to %s', (_, entries, expected) => {
    const versions = written(entries);
    expect(ownerOf(versions)).toBe(expected);
    expect(ownerOf(versions.toReversed())).toBe(expected);
  });
});

describe('a lock log without its beginning', () => {
  const holder = { nonce: 'a', owner };

  test('names the owner that an entry of the same log has recorded', () => {
    const rejected = acquire('c', { seen: { version: 8, last: 'b', owner: holder, record: 5 } });
    const folded = foldLock(written([acquire('b'), rejected], 8));
    expect(folded).toMatchObject({ kind: 'folded', state: { owner: holder, record: 5, log: 'a' } });
  });

  test('applies the entries after the recorded state', () => {
    const rejected = acquire('c', { seen: { version: 8, last: 'b', owner: holder, record: 5 } });
    const later = { seen: { version: 9, last: 'c', owner: holder, record: 7 } };
    const folded = foldLock(written([acquire('b'), rejected, release('a', later)], 8));
    expect(folded).toMatchObject({ kind: 'folded', state: { owner: undefined, record: 7 } });
  });

  test('counts a nonce from before the recorded state as spent', () => {
    const free = { version: 8, last: 'b', owner: undefined, record: 5 };
    const versions = written([acquire('b'), acquire('c', { seen: free }), acquire('b')], 8);
    expect(
      ownerOf([
        ...versions.slice(0, 1),
        ...written([release('x', { seen: free }), acquire('b')], 9),
      ]),
    ).toBeUndefined();
    expect(ownerOf(versions)).toBe('c');
  });

  test('ignores an entry of another log that names the same number', () => {
    const stranger = acquire('z', {
      log: 'before',
      seen: { version: 8, last: 'y', owner: holder, record: 9 },
    });
    expect(foldLock(written([acquire('b'), stranger], 8))).toEqual({ kind: 'baseless' });
  });

  test('lets an operator take over from an unknown owner', () => {
    const versions = written([acquire('b'), acquire('c')], 8);
    expect(foldLock(versions)).toEqual({ kind: 'baseless' });
    const state = unknownOwner(versions, 'new');
    const taken = takeover('d', 'unknown@9', { log: 'new', seen: toLockReference(state) });
    expect(ownerOf([...versions, ...written([taken], 10)])).toBe('d');
    expect(ownerOf([...versions, ...written([taken], 10)], state)).toBe('d');
  });

  test('needs no beginning for a run that has folded it before', () => {
    const before = foldLock(written([acquire('a'), acquire('b')]));
    if (before.kind !== 'folded') throw new Error('not folded');
    const later = written(
      Array.from({ length: 5 }, (_, index) => acquire(`l${index}`)),
      2,
    );
    later[0] = { version: 2, entry: acquire('b') as LockEntry };
    expect(foldLock(later)).toEqual({ kind: 'baseless' });
    expect(ownerOf(later, before.state)).toBe('a');
  });
});

test('refuses to skip a missing entry between two others', () => {
  const versions = written([acquire('a'), release('a'), acquire('b')]);
  expect(foldLock(versions.filter(({ version }) => version !== 2))).toEqual({ kind: 'gap' });
  expect(foldLock([])).toEqual({ kind: 'gap' });
});

test('does not continue from the same number in a newer log', () => {
  const before = foldLock(written([acquire('a'), release('a')]));
  if (before.kind !== 'folded') throw new Error('not folded');
  const newer = written([acquire('n', { log: 'n' }), acquire('m', { log: 'n' })]);
  expect(ownerOf(newer, before.state)).toBe('n');
});

test('takes the version of the record from the last owner', () => {
  const seen = (record: number) => ({ seen: { ...nothing, record } });
  const state = (entries: readonly Written[]) => {
    const folded = foldLock(written(entries));
    return folded.kind === 'folded' ? folded.state.record : undefined;
  };
  expect(state([acquire('a'), release('a', seen(7))])).toBe(7);
  expect(state([acquire('a'), release('a', seen(7)), release('b', seen(99))])).toBe(7);
  // A deleted record starts at version 1 again.
  expect(
    state([acquire('a'), release('a', seen(7)), acquire('b', seen(7)), release('b', seen(1))]),
  ).toBe(1);
});

test('gives a version without an entry a unique nonce', () => {
  expect(nonceOf({ version: 4, entry: undefined })).toBe('illegible@4');
});
