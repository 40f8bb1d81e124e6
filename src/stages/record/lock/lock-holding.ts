import type { LockOwner } from '../../../domain/deployment/lock/lock-owner.ts';
import type { ParameterNames } from '../parameter-names.ts';
import { type LockPorts, readLock } from './lock-reading.ts';

/** Who looks has no patience for a read that stays behind. */
const lockChecks = 5;

/** Who has the lock; whether they are at work is asked of this machine and of their CI. */
export type LockHolding =
  /** `record`: the version of the record that its last owner had seen; 0 where nobody ever had it. */
  | { readonly kind: 'free'; readonly record: number }
  | { readonly kind: 'illegible'; readonly reason: string }
  | { readonly kind: 'owned'; readonly owner: LockOwner };

export async function readLockHolding({
  ports,
  names,
}: {
  readonly ports: LockPorts;
  readonly names: ParameterNames;
}): Promise<LockHolding> {
  const read = await readLock(ports, { parameter: names.lock, looks: lockChecks });
  if (read.kind === 'absent') return { kind: 'free', record: 0 };
  if (read.kind !== 'folded') return { kind: 'illegible', reason: 'its history cannot be read' };
  const holder = read.state.owner;
  if (holder === undefined) return { kind: 'free', record: read.state.record };
  if (holder.owner === undefined) return { kind: 'illegible', reason: 'it is none of ours' };
  return { kind: 'owned', owner: holder.owner };
}
