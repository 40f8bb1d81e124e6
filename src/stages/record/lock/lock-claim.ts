import {
  extendLock,
  type LockEntry,
  type LockReference,
  type LockState,
  nonceOf,
  toLockReference,
} from '../../../domain/deployment/lock/lock-log.ts';
import type { LockOwner } from '../../../domain/deployment/lock/lock-owner.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import { formatLockEntry, parseVersion } from './lock-entry.ts';
import { type LockPorts, readLock } from './lock-reading.ts';

/** How often the own nonce is looked for after an answer was lost. */
const ownEntryChecks = 10;
const checkPauseMs = 500;
const releaseAttempts = 3;
/** AWS keeps the name of a deleted parameter back for longer: within it no other log can have begun. */
const sameLogForMs = 20_000;
const nothingSeen: LockReference = { version: 0, last: '', owner: undefined, record: 0 };

export interface Claim {
  readonly ports: LockPorts;
  /** Not cancelled with the process: for the release of who gives up. */
  readonly uncancelled: LockPorts;
  readonly parameter: string;
  readonly nonce: string;
  readonly owner: LockOwner;
  readonly nextNonce: () => string;
}

export type Claimed =
  | { readonly kind: 'owned'; readonly state: LockState }
  /** Somebody else was first; the log is known up to here, and our release stands in it. */
  | { readonly kind: 'lost'; readonly state: LockState }
  /** The log cannot be read up to what we wrote, which is released. */
  | { readonly kind: 'undecided' }
  /** The name exists, or AWS keeps it back after it was deleted. */
  | { readonly kind: 'taken' };

/** Creates the log: no second first entry can be written, however late it arrives. */
export async function beginLog(claim: Claim): Promise<Claimed> {
  const { ports, parameter: name, nonce, owner } = claim;
  const entry: LockEntry = { kind: 'acquire', log: nonce, nonce, owner, seen: nothingSeen };
  return sendAndSettle(claim, undefined, async () => {
    const created = await ports.parameters.create({ name, value: formatLockEntry(entry) });
    if (created.kind === 'created') return created.version;
    // The request may have arrived twice, and the second one was told that the name is taken.
    return (await findOwn(claim, 1)) ?? 'taken';
  });
}

/**
 * Appends an acquire or a takeover, and reads the log until it says whether that one counts. The version
 * after the one that showed the lock free needs no reading: no entry can lie between.
 */
export async function claimLock(
  claim: Claim,
  state: LockState,
  from: string | undefined,
): Promise<Claimed> {
  const { ports, parameter: name, nonce, owner } = claim;
  const common = { log: state.log, nonce, owner, seen: toLockReference(state) };
  const entry: LockEntry =
    from === undefined ? { kind: 'acquire', ...common } : { kind: 'takeover', from, ...common };
  const startedAt = ports.clock.elapsed();
  return sendAndSettle(claim, state, async () => {
    const { version } = await ports.parameters.overwrite({ name, value: formatLockEntry(entry) });
    const isSameLog = ports.clock.elapsed() - startedAt < sameLogForMs;
    const owned = from === undefined && isSameLog && extendLock(state, { version, entry });
    return owned || version;
  });
}

async function sendAndSettle(
  claim: Claim,
  known: LockState | undefined,
  send: () => Promise<number | 'taken' | LockState>,
): Promise<Claimed> {
  let mayBeThere = true;
  try {
    const sent = await send().catch((error: unknown) => {
      mayBeThere = !isPortFailure(error) || error.effect !== 'none';
      return afterLostAnswer(claim, error);
    });
    if (sent === 'taken') return { kind: 'taken' };
    return typeof sent === 'number'
      ? await settle(claim, sent, known)
      : { kind: 'owned', state: sent };
  } catch (error) {
    if (mayBeThere) await giveUp(claim, known);
    throw error;
  }
}

/** @returns the version of our write; rejects if it is not to be seen, and may still arrive */
async function afterLostAnswer(claim: Claim, error: unknown): Promise<number> {
  if (!isPortFailure(error) || error.effect === 'none') throw error;
  const version = await findOwn(claim, ownEntryChecks);
  if (version === undefined) throw error;
  return version;
}

async function findOwn({ ports, parameter, nonce }: Claim, most: number) {
  return pollUntil({ clock: ports.clock, cadence: { pollMs: checkPauseMs } }, async (looks) => {
    const found = (await ports.parameters.listVersions(parameter)) ?? [];
    const own = found.map(parseVersion).find((one) => nonceOf(one) === nonce);
    return own !== undefined || looks >= most ? done(own?.version) : pending();
  });
}

async function settle(
  claim: Claim,
  atLeast: number,
  known: LockState | undefined,
): Promise<Claimed> {
  const { ports, parameter, nonce } = claim;
  const upTo = { parameter, atLeast };
  const read = await readLock(ports, known === undefined ? upTo : { ...upTo, known });
  if (read.kind === 'folded' && read.state.owner?.nonce === nonce)
    return { kind: 'owned', state: read.state };
  const state = read.kind === 'folded' ? read.state : undefined;
  // Says who owns it, so that a hundred who lost push out nothing that anybody needs.
  await giveUp(claim, state ?? known);
  return state === undefined ? { kind: 'undecided' } : { kind: 'lost', state };
}

/**
 * Whoever leaves after a write that may have arrived, or may still arrive, releases it. Where that
 * fails as well it is a dead holder's at worst, and is judged like one.
 */
async function giveUp(claim: Claim, state: LockState | undefined): Promise<void> {
  const { uncancelled, parameter, nonce, nextNonce } = claim;
  const read = state === undefined ? nothingSeen : toLockReference(state);
  const common = { kind: 'release', nonce: nextNonce(), from: nonce, seen: read } as const;
  const entry = { ...common, log: state?.log ?? nonce };
  await writeRelease(uncancelled, parameter, entry).catch((error: unknown) => {
    if (!isPortFailure(error)) throw error;
  });
}

/** Sent again where its answer is lost: the second one names nobody who owns any more. */
export async function writeRelease(
  { parameters }: LockPorts,
  name: string,
  entry: LockEntry & { readonly kind: 'release' },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await parameters.overwrite({ name, value: formatLockEntry(entry) });
      return;
    } catch (error) {
      const isNone = isPortFailure(error) && error.effect === 'none';
      if (!isPortFailure(error) || isNone || attempt >= releaseAttempts) throw error;
    }
  }
}
