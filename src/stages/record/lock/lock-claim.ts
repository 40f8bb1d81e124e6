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

/** Number of searches for this run's nonce after a lost response. */
const ownEntryChecks = 10;
const checkPauseMs = 500;
const releaseAttempts = 3;
/** Shorter than AWS's reservation of a deleted name, so no other log can begin within it. */
const sameLogForMs = 20_000;
const nothingSeen: LockReference = { version: 0, last: '', owner: undefined, record: 0 };

export interface Claim {
  readonly ports: LockPorts;
  /** Ports that work after a cancel, for the release by a run that gives up. */
  readonly uncancelled: LockPorts;
  readonly parameter: string;
  readonly nonce: string;
  readonly owner: LockOwner;
  readonly nextNonce: () => string;
}

export type Claimed =
  | { readonly kind: 'owned'; readonly state: LockState }
  /** Another run was first. `state` covers the log, which now has this run's release. */
  | { readonly kind: 'lost'; readonly state: LockState }
  /** The log cannot be read up to this run's entry, which is released. */
  | { readonly kind: 'undecided' }
  /** The name exists, or AWS still reserves it after a deletion. */
  | { readonly kind: 'taken' };

/** Creates the log. A second first entry is impossible, even if a request arrives late. */
export async function beginLog(claim: Claim): Promise<Claimed> {
  const { ports, parameter: name, nonce, owner } = claim;
  const entry: LockEntry = { kind: 'acquire', log: nonce, nonce, owner, seen: nothingSeen };
  return sendAndSettle(claim, undefined, async () => {
    const created = await ports.parameters.create({ name, value: formatLockEntry(entry) });
    if (created.kind === 'created') return created.version;
    // The request may have arrived twice. The response to the second one reports the name as taken.
    return (await findOwn(claim, 1)) ?? 'taken';
  });
}

/**
 * Appends an acquire or a takeover, and reads the log until it shows whether that entry counts. If
 * the entry directly follows the version that showed a free lock, no read is needed.
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

/**
 * @returns the version of this run's write; rejects if no read shows the write, which may still
 * arrive
 */
async function afterLostAnswer(claim: Claim, error: unknown): Promise<number> {
  if (!isPortFailure(error) || error.effect === 'none') throw error;
  const version = await findOwn(claim, ownEntryChecks);
  if (version === undefined) throw error;
  return version;
}

async function findOwn({ ports, parameter, nonce }: Claim, most: number) {
  return pollUntil({ clock: ports.clock, cadence: { pollMs: checkPauseMs } }, async (polls) => {
    const found = (await ports.parameters.listVersions(parameter)) ?? [];
    const own = found.map(parseVersion).find((one) => nonceOf(one) === nonce);
    return own !== undefined || polls >= most ? done(own?.version) : pending();
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
  // The release names the owner it has seen. Many losing claims therefore cannot push the owner's
  // entry out of the history.
  await giveUp(claim, state ?? known);
  return state === undefined ? { kind: 'undecided' } : { kind: 'lost', state };
}

/**
 * Releases after a write that may have arrived or may still arrive. If the release fails too, the
 * entry counts as one of a dead lock holder.
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

/** Writes a release, again after a lost response. A second release has no effect. */
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
