import {
  foldLock,
  type LockState,
  type LockVersion,
} from '../../../domain/deployment/lock/lock-log.ts';
import type { Cadence } from '../../../domain/deployment/pace.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Ports } from '../../../ports/ports.ts';
import { parseVersion } from './lock-entry.ts';

/** Ports for the lock. A variant that ignores a cancel writes the release. */
export type LockPorts = Pick<Ports, 'parameters' | 'clock'>;

export type ReadLock =
  | { readonly kind: 'folded'; readonly state: LockState }
  /** The parameter does not exist, or a stale read does not show it yet. */
  | { readonly kind: 'absent' }
  /** The parameter exists, but its kept history does not name the owner. */
  | { readonly kind: 'baseless'; readonly versions: readonly LockVersion[] }
  /** The read does not show a version that is known to exist. */
  | { readonly kind: 'behind' };

const readCadence: Cadence = { pollMs: 1000, fineMs: 200 };
/** About a minute. AWS documents no limit for how long a read may lag behind a write. */
const mostChecks = 60;

export interface LockReading {
  readonly parameter: string;
  /** Minimum version; an older read is repeated. */
  readonly atLeast?: number;
  readonly known?: LockState;
  readonly polls?: number;
}

/** Folds the log from one read that holds every version up to the newest it shows. */
export async function readLock(
  { parameters, clock }: LockPorts,
  { parameter, atLeast = 0, known, polls: most = mostChecks }: LockReading,
): Promise<ReadLock> {
  return pollUntil<ReadLock>({ clock, cadence: readCadence }, async (polls) => {
    const again = polls < most;
    const hint = { kind: 'fresh', polls } as const;
    const found = await parameters.listVersions(parameter);
    if (found === undefined || found.length === 0) {
      if (atLeast > 0 && again) return pending(hint);
      return done({ kind: 'absent' });
    }
    const versions = found.map(parseVersion);
    const newest = Math.max(...versions.map(({ version }) => version));
    const folded = foldLock(versions, known);
    if (newest < atLeast || folded.kind === 'gap')
      return again ? pending(hint) : done({ kind: 'behind' });
    return done(folded.kind === 'baseless' ? { kind: 'baseless', versions } : folded);
  });
}
