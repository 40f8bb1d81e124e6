import type { LockOwner } from './lock-owner.ts';

/**
 * The lock is an ordered log: every version of its parameter is an entry, and who owns it is what
 * they fold to. AWS numbers the versions without a gap and never changes one, so that who has read
 * every entry up to a version knows who owned it then, however old that read is (decision 2).
 */
export type LockEntry = Acquire | Release | LockTakeover;

interface Common {
  /** The first entry's nonce; a deleted name begins another log. Absent in what an old program wrote. */
  readonly log?: string;
  /** This entry's own, never used again; of an acquire or a takeover it is the owner's name. */
  readonly nonce: string;
  /** What its writer had read. Absent in what an old program wrote. */
  readonly seen?: LockReference;
}

export interface Acquire extends Common {
  readonly kind: 'acquire';
  readonly owner: LockOwner;
}

export interface Release extends Common {
  readonly kind: 'release';
  /** The nonce of whom it releases. */
  readonly from: string;
}

export interface LockTakeover extends Common {
  readonly kind: 'takeover';
  readonly from: string;
  readonly owner: LockOwner;
}

/** By which an entry stands for all before it: AWS keeps the newest hundred. */
export interface LockReference {
  readonly version: number;
  /** The nonce of that version, which proves that it was read in this very log. */
  readonly last: string;
  readonly owner: Holder | undefined;
  /** The version of the record that the last owner had seen. */
  readonly record: number;
}

export interface Holder {
  readonly nonce: string;
  /** Absent where nobody can read who it is. */
  readonly owner: LockOwner | undefined;
}

/** One version of the parameter; without an entry where it cannot be read. */
export interface LockVersion {
  readonly version: number;
  readonly entry: LockEntry | undefined;
}

export interface LockState extends LockReference {
  readonly log: string;
  /** Nonces that were seen and never own again: a write may arrive late, or twice. */
  readonly spent: ReadonlySet<string>;
}

export type FoldedLock =
  | { readonly kind: 'folded'; readonly state: LockState }
  /** An entry is missing between two others: the read was no snapshot, and is made again. */
  | { readonly kind: 'gap' }
  /** Nothing that is kept says who owned it before. */
  | { readonly kind: 'baseless' };

/** @param versions in any order; @param known what was folded before, where it was */
export function foldLock(versions: readonly LockVersion[], known?: LockState): FoldedLock {
  const ordered = versions.toSorted((one, other) => one.version - other.version);
  const [oldest] = ordered;
  if (oldest === undefined || hasGap(ordered)) return { kind: 'gap' };
  const base = knownBase(ordered, known) ?? firstBase(oldest) ?? carriedBase(ordered);
  if (base === undefined) return { kind: 'baseless' };
  const later = ordered.filter(({ version }) => version > base.version);
  return { kind: 'folded', state: later.reduce(step, base) };
}

/** The state after the next version; undefined if another version lies between. */
export function extendLock(state: LockState, next: LockVersion): LockState | undefined {
  return next.version === state.version + 1 ? step(state, next) : undefined;
}

/** What stands for a log of which nobody can say who owns it: a person may take it over. */
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

/** An entry that cannot be read has no nonce; its place is one. */
export function nonceOf({ version, entry }: LockVersion): string {
  return entry?.nonce ?? `illegible@${version}`;
}

function hasGap(ordered: readonly LockVersion[]): boolean {
  return ordered.some(({ version }, index) => version !== (ordered[0]?.version ?? 0) + index);
}

/** What was folded before goes on, if it is this log's: the same number may stand in a newer one. */
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

/** An entry whose writer had read one that is still kept, in this log and no other. */
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
  // Somebody's, and nobody can ask whose: neither an owner nor who comes next may go on.
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
