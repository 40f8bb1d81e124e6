import { foreignWrite } from '../../errors/state-errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { isPortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import type { Parameter, StateStore } from '../../ports/state-store.ts';
import { createWhenNameIsFree } from './parameter-creation.ts';
import { findInSnapshot, type ParameterSnapshot } from './parameter-snapshot.ts';

/** Number of retries, and the pause between them, for a read that is older than a known version. */
const staleReads = 20;
const staleReadPauseMs = 500;
const lostWrites = 3;
/** Reads without a known version. The longest observed delay of a read was two seconds. */
const unversionedReads = 5;

export interface VersionedWrite {
  readonly parameters: StateStore;
  readonly clock: Clock;
  readonly name: string;
  /** Contains a fresh write id, which identifies the value when it is read back. */
  readonly value: string;
  /** Version that was read before; 0 to create the parameter. */
  readonly version: number;
  /** Previous value, if it has its own write id: its request may arrive twice too. */
  readonly before?: string;
  readonly allowedPattern?: string;
  /** Called while AWS still reserves the name of a deleted parameter. */
  readonly warnWhenHeld?: () => void;
}

/**
 * Writes a value and then compares the version, because Parameter Store has no compare-and-swap.
 * After a foreign write it stops and shows both values. This detects a conflict but cannot prevent
 * it.
 */
export async function writeVersioned(write: VersionedWrite): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await sendOrReadBack(write, attempt);
    if (version !== undefined) return version;
  }
}

/** Returns the version of this write, or undefined if it provably never arrived. */
async function sendOrReadBack(write: VersionedWrite, attempt: number): Promise<number | undefined> {
  let version: number;
  try {
    version = await send(write);
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none' || attempt >= lostWrites) throw error;
    return readBack(write);
  }
  if (version === write.version + 1) return version;
  const latest = Math.max(version, write.version + 1);
  return confirm(write, await readOthers(() => readAtLeast(write, write.name, latest), latest));
}

async function send(write: VersionedWrite): Promise<number> {
  const { parameters, name, value, version, allowedPattern, warnWhenHeld } = write;
  if (version > 0) return (await parameters.overwrite({ name, value })).version;
  const pattern = allowedPattern === undefined ? {} : { allowedPattern };
  return (await createWhenNameIsFree(write, { name, value, ...pattern }, warnWhenHeld)) ?? -1;
}

async function readBack(write: VersionedWrite): Promise<number | undefined> {
  const { clock, parameters, name, version } = write;
  // A read right after a write may still show the older value, so one read proves nothing.
  return pollUntil({ clock, cadence: { pollMs: staleReadPauseMs } }, async (polls) => {
    if (polls > staleReads) return done(undefined);
    const found = await parameters.find(name);
    if (found === undefined || found.version <= version) return pending();
    return done(await confirm(write, found));
  });
}

/** Confirms that only this run's values were written. A request that arrives twice counts twice. */
async function confirm(write: VersionedWrite, found: Written): Promise<number> {
  const { parameters, name, value, version: since, before } = write;
  const between = before === undefined ? [value] : [value, before];
  const isOwnWrite = found.value === value;
  const written = { name, since, until: found.version, ownValues: between };
  const foreign = isOwnWrite ? await findForeign(parameters, written) : found;
  if (foreign === undefined) return found.version;
  throw foreignWrite({
    parameter: name,
    written: value,
    found: foreign.value,
    version: foreign.version,
  });
}

/** Finds a value that another run wrote between two versions. */
export async function findForeign(
  parameters: StateStore,
  written: { name: string; since: number; until: number; ownValues: readonly string[] },
): Promise<Written | undefined> {
  const { name, since, until, ownValues } = written;
  for (let version = since + 1; version < until; version += 1) {
    const between = await readOthers(() => parameters.findVersion(name, version), version);
    if (!ownValues.includes(between.value)) return between;
  }
  return undefined;
}

type Written = Pick<Parameter, 'value' | 'version'>;

/** The conflict matters more than the value, so a failed read does not hide it. */
async function readOthers(
  read: () => Promise<Parameter | undefined>,
  version: number,
): Promise<Written> {
  try {
    return (await read()) ?? { value: '(deleted)', version };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { value: `(unreadable: ${error.detail})`, version };
  }
}

/**
 * Reads until the version is at least the known one; a lower version is stale. The snapshot counts
 * as the first read.
 */
export async function readAtLeast(
  ports: { parameters: StateStore; clock: Clock },
  name: string,
  version: number,
  snapshot?: ParameterSnapshot,
): Promise<Parameter | undefined> {
  const wait = { clock: ports.clock, cadence: { pollMs: staleReadPauseMs } };
  return pollUntil(wait, async (polls) => {
    const found = await findInSnapshot(ports, name, polls === 1 ? snapshot : undefined);
    return (found?.version ?? 0) >= version || polls >= staleReads ? done(found) : pending();
  });
}

/**
 * Reads until `isExpected` accepts the value, or until a stale read is excluded, and returns the
 * last value. No run ends because of a single read.
 */
export function readUntil<T>(
  clock: Clock,
  read: (polls: number) => Promise<T>,
  isExpected: (value: T) => boolean,
): Promise<T> {
  return pollUntil({ clock, cadence: { pollMs: staleReadPauseMs } }, async (polls) => {
    const value = await read(polls);
    return isExpected(value) || polls >= unversionedReads ? done(value) : pending();
  });
}
