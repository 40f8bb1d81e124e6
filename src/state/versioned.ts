import { foreignWrite } from '../errors/state.ts';
import type { Clock } from '../ports/clock.ts';
import { isPortFailure } from '../ports/failure.ts';
import { lookUntil, notYet, seen } from '../ports/look-until.ts';
import type { Parameter, ParameterStore } from '../ports/parameters.ts';

/** How often and how long a read that is older than what we know is asked again. */
const staleReads = 20;
const staleReadPauseMs = 500;
const lostWrites = 3;

export interface VersionedWrite {
  readonly parameters: ParameterStore;
  readonly clock: Clock;
  readonly name: string;
  /** Carries a fresh write id, so that a value read back can be told to be ours. */
  readonly value: string;
  /** The version that was read before; 0 to create. */
  readonly version: number;
  readonly allowedPattern?: string;
}

/**
 * Parameter Store has no compare-and-swap: write, compare the version afterwards, and if somebody
 * else wrote in between, stop and show both. Detects, cannot prevent (DESIGN section 3).
 */
export async function writeVersioned(write: VersionedWrite): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const version = await send(write);
      if (version === write.version + 1) return version;
      return await reportForeign(write, version);
    } catch (error) {
      if (!isPortFailure(error) || error.effect === 'none' || attempt >= lostWrites) throw error;
      const version = await readBack(write);
      if (version !== undefined) return version;
    }
  }
}

async function send({
  parameters,
  name,
  value,
  version,
  allowedPattern,
}: VersionedWrite): Promise<number> {
  if (version > 0) return (await parameters.overwrite({ name, value })).version;
  const pattern = allowedPattern === undefined ? {} : { allowedPattern };
  const created = await parameters.create({ name, value, ...pattern });
  return created.kind === 'created' ? created.version : -1;
}

/** The version of our own write, or undefined if it provably never arrived. */
async function readBack(write: VersionedWrite): Promise<number | undefined> {
  const { clock, parameters, name, value, version } = write;
  // A read right after a write may still show the older value, so one look proves nothing.
  return lookUntil({ clock, cadence: { pollMs: staleReadPauseMs } }, async (looks) => {
    if (looks > staleReads) return seen(undefined);
    const found = await parameters.find(name);
    if (found === undefined || found.version <= version) return notYet();
    if (found.value === value && found.version === version + 1) return seen(found.version);
    return await reportForeign(write, found.version);
  });
}

async function reportForeign(
  { parameters, name, value, version }: VersionedWrite,
  seen: number,
): Promise<never> {
  const theirs = await readOthers(() => parameters.findVersion(name, Math.max(version + 1, 1)));
  const latest =
    'found' in theirs && theirs.found?.value === value
      ? await readOthers(() => parameters.find(name))
      : theirs;
  const other = 'found' in latest ? latest.found : undefined;
  const unread = 'why' in latest ? `(it could not be read: ${latest.why})` : '(it is gone)';
  throw foreignWrite({
    parameter: name,
    ours: value,
    theirs: other?.value ?? unread,
    version: other?.version ?? seen,
  });
}

/** That somebody else wrote is worth more than what, so that no failure hides it. */
async function readOthers(
  read: () => Promise<Parameter | undefined>,
): Promise<{ readonly found: Parameter | undefined } | { readonly why: string }> {
  try {
    return { found: await read() };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { why: error.detail };
  }
}

/** Reads until the version is at least the one we know of; a lower one is only stale. */
export async function readAtLeast(
  { parameters, clock }: { parameters: ParameterStore; clock: Clock },
  name: string,
  version: number,
): Promise<{ value: string; version: number } | undefined> {
  return lookUntil({ clock, cadence: { pollMs: staleReadPauseMs } }, async (looks) => {
    const found = await parameters.find(name);
    return (found?.version ?? 0) >= version || looks >= staleReads ? seen(found) : notYet();
  });
}
