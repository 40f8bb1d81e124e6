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

/** The versions that these writes make, from the first or a later number on. */
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

describe('the lock is owned by', () => {
  test.each<[string, readonly Written[], string | undefined]>([
    ['who began the log', [acquire('a')], 'a'],
    ['nobody once its owner has released it', [acquire('a'), release('a')], undefined],
    ['who acquired it first', [acquire('a'), release('a'), acquire('b'), acquire('c')], 'b'],
    [
      'nobody after a winner’s release, though a loser wrote behind it',
      [acquire('a'), acquire('b'), release('a')],
      undefined,
    ],
    ['who took it over from its owner', [acquire('a'), takeover('b', 'a')], 'b'],
    [
      'the first of two who took it over from the same owner',
      [acquire('a'), takeover('b', 'a'), takeover('c', 'a')],
      'b',
    ],
    [
      'its new owner, though the old one releases it',
      [acquire('a'), takeover('b', 'a'), release('a')],
      'b',
    ],
    [
      'its owner, though a takeover of the owner before arrives late',
      [acquire('a'), release('a'), acquire('b'), takeover('c', 'a')],
      'b',
    ],
    [
      'nobody by a takeover of who has released',
      [acquire('a'), release('a'), takeover('b', 'a')],
      undefined,
    ],
    ['nobody when an acquire arrives twice', [acquire('a'), release('a'), acquire('a')], undefined],
    [
      'nobody when the acquire of a loser arrives once more after the release',
      [acquire('a'), acquire('b'), release('a'), acquire('b')],
      undefined,
    ],
    [
      'nobody when an acquire arrives that was given up before',
      [acquire('a'), release('a'), release('b'), acquire('b')],
      undefined,
    ],
    [
      'nobody when a takeover arrives that was given up before',
      [acquire('a'), release('b'), takeover('b', 'a'), release('a')],
      undefined,
    ],
    [
      'its owner, though a takeover arrives that was given up before',
      [acquire('a'), release('b'), takeover('b', 'a')],
      'a',
    ],
    [
      'nobody by an entry of a log that was deleted',
      [acquire('a'), release('a'), acquire('z', { log: 'before' })],
      undefined,
    ],
    [
      'nobody by the first entry of a log that was deleted',
      [acquire('z', { log: 'before' })],
      undefined,
    ],
    [
      'its owner, though a log that was deleted releases it',
      [acquire('a'), release('a', { log: 'before' })],
      'a',
    ],
    ['the old program that began the log', [old('a')], 'a'],
    ['the old program that found it free', [acquire('a'), release('a'), old('b')], 'b'],
    ['its owner, though an old program overwrote it', [acquire('a'), old('b')], 'a'],
    ['who took it over from an old program', [old('a'), takeover('b', 'a')], 'b'],
    ['nobody readable after an edit by hand', [acquire('a'), 'illegible'], 'illegible@2'],
    [
      'nobody readable after an edit by hand while it is free',
      [acquire('a'), release('a'), 'illegible'],
      'illegible@3',
    ],
    [
      'who took an edit by hand over',
      [acquire('a'), 'illegible', takeover('b', 'illegible@2')],
      'b',
    ],
  ])('%s', (_, entries, expected) => {
    const versions = written(entries);
    expect(ownerOf(versions)).toBe(expected);
    expect(ownerOf(versions.toReversed())).toBe(expected);
  });
});

describe('of a log whose beginning is not kept any more', () => {
  const holder = { nonce: 'a', owner };

  test('the owner is whom an entry has seen that was written in this log', () => {
    const loser = acquire('c', { seen: { version: 8, last: 'b', owner: holder, record: 5 } });
    const folded = foldLock(written([acquire('b'), loser], 8));
    expect(folded).toMatchObject({ kind: 'folded', state: { owner: holder, record: 5, log: 'a' } });
  });

  test('what comes after that is folded on', () => {
    const loser = acquire('c', { seen: { version: 8, last: 'b', owner: holder, record: 5 } });
    const later = { seen: { version: 9, last: 'c', owner: holder, record: 7 } };
    const folded = foldLock(written([acquire('b'), loser, release('a', later)], 8));
    expect(folded).toMatchObject({ kind: 'folded', state: { owner: undefined, record: 7 } });
  });

  test('a nonce that stands before what was seen is spent', () => {
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

  test('an entry of another log that names the same number proves nothing', () => {
    const stranger = acquire('z', {
      log: 'before',
      seen: { version: 8, last: 'y', owner: holder, record: 9 },
    });
    expect(foldLock(written([acquire('b'), stranger], 8))).toEqual({ kind: 'baseless' });
  });

  test('a person takes over from whoever it is', () => {
    const versions = written([acquire('b'), acquire('c')], 8);
    expect(foldLock(versions)).toEqual({ kind: 'baseless' });
    const state = unknownOwner(versions, 'new');
    const taken = takeover('d', 'unknown@9', { log: 'new', seen: toLockReference(state) });
    expect(ownerOf([...versions, ...written([taken], 10)])).toBe('d');
    expect(ownerOf([...versions, ...written([taken], 10)], state)).toBe('d');
  });

  test('who has folded it before needs no beginning', () => {
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

test('an entry that is missing between two others is not passed over', () => {
  const versions = written([acquire('a'), release('a'), acquire('b')]);
  expect(foldLock(versions.filter(({ version }) => version !== 2))).toEqual({ kind: 'gap' });
  expect(foldLock([])).toEqual({ kind: 'gap' });
});

test('the same number in a newer log is not gone on with', () => {
  const before = foldLock(written([acquire('a'), release('a')]));
  if (before.kind !== 'folded') throw new Error('not folded');
  const newer = written([acquire('n', { log: 'n' }), acquire('m', { log: 'n' })]);
  expect(ownerOf(newer, before.state)).toBe('n');
});

test('the version of the record is the one that the last owner had seen', () => {
  const seen = (record: number) => ({ seen: { ...nothing, record } });
  const state = (entries: readonly Written[]) => {
    const folded = foldLock(written(entries));
    return folded.kind === 'folded' ? folded.state.record : undefined;
  };
  expect(state([acquire('a'), release('a', seen(7))])).toBe(7);
  expect(state([acquire('a'), release('a', seen(7)), release('b', seen(99))])).toBe(7);
  // A record that was deleted counts from one again.
  expect(
    state([acquire('a'), release('a', seen(7)), acquire('b', seen(7)), release('b', seen(1))]),
  ).toBe(1);
});

test('a version without an entry has a nonce of its own', () => {
  expect(nonceOf({ version: 4, entry: undefined })).toBe('illegible@4');
});
