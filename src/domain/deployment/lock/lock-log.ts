import type { LockOwner } from './lock-owner.ts';

/**
 * Entry of the lock's ordered log. Every version of the parameter is an entry, and the fold of all
 * entries is the owner. AWS numbers versions without a gap and never changes one. A run that has
 * read every entry up to a version therefore knows the owner at that version, however old the read
 * is (decision 2).
 */
export type LockEntry = Acquire | Release | LockTakeover;

interface Common {
  /** Nonce of the first entry; a deleted name starts another log. Absent from an old version. */
  readonly log?: string;
  /** Nonce of this entry, never reused; for an acquire or a takeover it identifies the owner. */
  readonly nonce: string;
  /** State that its writer had read. Absent from an old version. */
  readonly seen?: LockReference;
}

export interface Acquire extends Common {
  readonly kind: 'acquire';
  readonly owner: LockOwner;
}

export interface Release extends Common {
  readonly kind: 'release';
  /** Nonce of the owner that it releases. */
  readonly from: string;
}

export interface LockTakeover extends Common {
  readonly kind: 'takeover';
  readonly from: string;
  readonly owner: LockOwner;
}

/** Summary of all previous entries, because AWS keeps only the newest hundred. */
export interface LockReference {
  readonly version: number;
  /** Nonce of that version, which proves that it was read in this log. */
  readonly last: string;
  readonly owner: Holder | undefined;
  /** Version of the record that the last owner had read. */
  readonly record: number;
}

export interface Holder {
  readonly nonce: string;
  /** Absent if the entry that names the owner is unreadable. */
  readonly owner: LockOwner | undefined;
}

/** One version of the parameter; `entry` is absent if it is unreadable. */
export interface LockVersion {
  readonly version: number;
  readonly entry: LockEntry | undefined;
}

export interface LockState extends LockReference {
  readonly log: string;
  /** Nonces that never own the lock again: a write may arrive late, or twice. */
  readonly spent: ReadonlySet<string>;
}

export type FoldedLock =
  | { readonly kind: 'folded'; readonly state: LockState }
  /** An entry between two others is missing: the read was not atomic and is repeated. */
  | { readonly kind: 'gap' }
  /** The remaining entries do not show the earlier owner. */
  | { readonly kind: 'baseless' };

/** @param versions in any order; @param known the previously folded state, if any */
export function foldLock(versions: readonly LockVersion[], known?: LockState): FoldedLock {
  const ordered = versions.toSorted((one, other) => one.version - other.version);
  const [oldest] = ordered;
  if (oldest === undefined || hasGap(ordered)) return { kind: 'gap' };
  const base = knownBase(ordered, known) ?? firstBase(oldest) ?? carriedBase(ordered);
  if (base === undefined) return { kind: 'baseless' };
  const later = ordered.filter(({ version }) => version > base.version);
  return { kind: 'folded', state: later.reduce(step, base) };
}

/** Adds the next version; undefined if another version lies between. */
export function extendLock(state: LockState, next: LockVersion): LockState | undefined {
  return next.version === state.version + 1 ? step(state, next) : undefined;
}

/** Returns a state for a log whose owner is unknown: an operator may take it over. */
export function unknownOwner(versions: readonly LockVersion[], nonce: string): LockState {
  const newest = versions.reduce((one, other) => (other.version > one.version ? other : one));
  return {
    log: nonce,
    version: newest.version,
    last: nonceOf(newest),
    owner: { nonce: `unknown@${newest.version}`, owner: undefined },
    record: 0,
    spent: new Set(),
  };
}

export function toLockReference({ version, last, owner, record }: LockState): LockReference {
  return { version, last, owner, record };
}

/** Returns the entry's nonce; an unreadable entry is identified by its version. */
export function nonceOf({ version, entry }: LockVersion): string {
  return entry?.nonce ?? `illegible@${version}`;
}

function hasGap(ordered: readonly LockVersion[]): boolean {
  return ordered.some(({ version }, index) => version !== (ordered[0]?.version ?? 0) + index);
}

/** Returns the known state if it belongs to this log: a newer log may have the same version. */
function knownBase(
  ordered: readonly LockVersion[],
  known: LockState | undefined,
): LockState | undefined {
  const same = ordered.find(({ version }) => version === known?.version);
  return same !== undefined && nonceOf(same) === known?.last ? known : undefined;
}

function firstBase(oldest: LockVersion): LockState | undefined {
  if (oldest.version !== 1) return undefined;
  const log = nonceOf(oldest);
  return { log, version: 0, last: '', owner: undefined, record: 0, spent: new Set() };
}

/** Finds an entry whose writer had read a version that is still kept, in this log. */
function carriedBase(ordered: readonly LockVersion[]): LockState | undefined {
  for (const { version, entry } of ordered) {
    if (entry?.log === undefined || entry.seen === undefined) continue;
    const { log, seen } = entry;
    const read = ordered.find((one) => one.version === seen.version);
    if (read === undefined || seen.version >= version || nonceOf(read) !== seen.last) continue;
    const before = ordered.filter((one) => one.version <= seen.version);
    return { ...seen, log, spent: new Set(before.flatMap(noncesIn)) };
  }
  return undefined;
}

function step(state: LockState, one: LockVersion): LockState {
  const { entry, version } = one;
  const last = nonceOf(one);
  const moved = { ...state, version, last, spent: new Set([...state.spent, ...noncesIn(one)]) };
  // The entry's owner is unknown: neither the owner nor the next run may continue.
  if (entry === undefined) return { ...moved, owner: { nonce: last, owner: undefined } };
  if (!counts(state, entry)) return moved;
  const owner = entry.kind === 'release' ? undefined : { nonce: entry.nonce, owner: entry.owner };
  return { ...moved, owner, record: entry.seen?.record ?? state.record };
}

function counts({ log, owner, spent }: LockState, entry: LockEntry): boolean {
  if (entry.log !== undefined && entry.log !== log) return false;
  if (entry.kind === 'release') return owner?.nonce === entry.from;
  if (spent.has(entry.nonce)) return false;
  return entry.kind === 'acquire' ? owner === undefined : owner?.nonce === entry.from;
}

function noncesIn(one: LockVersion): string[] {
  const { entry } = one;
  const named = entry === undefined || entry.kind === 'acquire' ? [] : [entry.from];
  return [nonceOf(one), ...named];
}
