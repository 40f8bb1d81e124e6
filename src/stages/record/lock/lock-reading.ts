import {
  foldLock,
  type LockState,
  type LockVersion,
} from '../../../domain/deployment/lock/lock-log.ts';
import type { Cadence } from '../../../domain/deployment/pace.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Ports } from '../../../ports/ports.ts';
import { parseVersion } from './lock-entry.ts';

/** Writing an entry has to work also after a cancel, which ends all else. */
export type LockPorts = Pick<Ports, 'parameters' | 'clock'>;

export type ReadLock =
  | { readonly kind: 'folded'; readonly state: LockState }
  /** There is no such parameter, or none yet by the look of it. */
  | { readonly kind: 'absent' }
  /** It is there, and nothing that is kept says who owns it. */
  | { readonly kind: 'baseless'; readonly versions: readonly LockVersion[] }
  /** The read stays behind what is known to be there. */
  | { readonly kind: 'behind' };

const readCadence: Cadence = { pollMs: 1000, fineMs: 200 };
/** About a minute: nobody documents how long a read of AWS may lag behind a write. */
const mostChecks = 60;

export interface LockReading {
  readonly parameter: string;
  /** At least up to this version; a read that is older is repeated. */
  readonly atLeast?: number;
  readonly known?: LockState;
  readonly looks?: number;
}

/** Folds the log as it stands, from one read that holds every version up to the newest it shows. */
export async function readLock(
  { parameters, clock }: LockPorts,
  { parameter, atLeast = 0, known, looks: most = mostChecks }: LockReading,
): Promise<ReadLock> {
  return pollUntil<ReadLock>({ clock, cadence: readCadence }, async (looks) => {
    const again = looks < most;
    const hint = { kind: 'fresh', looks } as const;
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
