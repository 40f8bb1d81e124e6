import type { LockOwner } from '../../../domain/deployment/lock/lock-owner.ts';
import type { ParameterNames } from '../parameter-names.ts';
import { type LockPorts, readLock } from './lock-reading.ts';

/** Reports do not wait long for a stale read. */
const lockChecks = 5;

/** Owner of the lock. This machine or the owner's CI decides whether the owner is still running. */
export type LockHolding =
  /** `record`: the record's version that the last owner had seen; 0 without any owner. */
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
  const read = await readLock(ports, { parameter: names.lock, polls: lockChecks });
  if (read.kind === 'absent') return { kind: 'free', record: 0 };
  if (read.kind !== 'folded') return { kind: 'illegible', reason: 'its history cannot be read' };
  const holder = read.state.owner;
  if (holder === undefined) return { kind: 'free', record: read.state.record };
  if (holder.owner === undefined)
    return { kind: 'illegible', reason: 'hosted-runner did not write it' };
  return { kind: 'owned', owner: holder.owner };
}
