import {
  type LockState,
  nonceOf,
  toLockReference,
} from '../../../domain/deployment/lock/lock-log.ts';
import { describeOwner } from '../../../domain/deployment/lock/lock-owner.ts';
import { lockLost } from '../../../errors/lock-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { Log } from '../../../ports/log-event.ts';
import { findInSnapshot, type ParameterSnapshot } from '../parameter-snapshot.ts';
import { writeRelease } from './lock-claim.ts';
import { parseVersion } from './lock-entry.ts';
import { type LockPorts, readLock } from './lock-reading.ts';

export interface HeldLock {
  /** Whether this run took the lock from a run that had not released it. */
  readonly tookOver: boolean;
  /** Version of the record that earlier lock holders had seen. Any older read is stale. */
  readonly record: number;
  /**
   * Reads the log up to its newest entry, which the snapshot may show; rejects unless this run owns
   * the lock. Uses the ports of the lock by default.
   */
  confirm(using?: LockPorts, snapshot?: ParameterSnapshot): Promise<void>;
  /** Releases the lock through the given ports, which must work after a cancel. */
  release(ports: LockPorts, record: number): Promise<void>;
}

export interface Holding {
  readonly ports: LockPorts;
  readonly parameter: string;
  readonly runner: string;
  readonly stage: string;
  readonly log: Log;
  readonly nonce: string;
  readonly nextNonce: () => string;
  readonly tookOver: boolean;
  readonly state: LockState;
}

interface Loss {
  readonly reason: string;
  /** Whether a read proved the loss. Otherwise the log could not be read. */
  readonly isKnown: boolean;
}

const lossChecks = 20;
/** Right after a check, a release needs no further check of the lock. */
const checkedForMs = 1000;

export function holdLock(holding: Holding): HeldLock {
  const { ports, parameter, runner, stage, log, nonce, nextNonce, tookOver } = holding;
  let { state } = holding;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Returns why this run does not own the lock, or cannot find out; undefined if it does. */
  async function findLoss(
    using: LockPorts,
    snapshot?: ParameterSnapshot,
  ): Promise<Loss | undefined> {
    const newest = await findInSnapshot(using, parameter, snapshot);
    if (newest?.version === state.version && nonceOf(parseVersion(newest)) === state.last)
      return lossIn(state);
    // The read is stale, or another run wrote. Only the whole log shows which.
    const atLeast = Math.max(state.version, newest?.version ?? 0);
    const read = await readLock(using, { parameter, atLeast, known: state, polls: lossChecks });
    if (read.kind === 'absent') return { reason: 'its parameter is gone', isKnown: true };
    if (read.kind !== 'folded')
      return { reason: 'its history cannot be read up to the newest entry', isKnown: false };
    state = read.state;
    return lossIn(state);
  }

  function lossIn(folded: LockState): Loss | undefined {
    if (folded.owner?.nonce === nonce) return undefined;
    return { reason: readCurrentOwner(folded), isKnown: true };
  }

  return {
    tookOver,
    record: state.record,
    async confirm(using = ports, snapshot) {
      const loss = await findLoss(using, snapshot);
      if (loss !== undefined) throw lockLost({ runner, stage, reason: loss.reason });
      checkedAt = using.clock.elapsed();
    },
    async release(using, record) {
      // A release that names no current owner changes nothing, so it is written in doubt too.
      const isChecked = using.clock.elapsed() - checkedAt < checkedForMs;
      const loss = isChecked ? undefined : await findLoss(using).catch(unlessKnown);
      if (loss?.isKnown === true) {
        log.warn(`The lock ${parameter} has another owner and was left unchanged: ${loss.reason}.`);
        return;
      }
      const seen = { ...toLockReference(state), record };
      const common = { kind: 'release', log: state.log, nonce: nextNonce() } as const;
      await writeRelease(using, parameter, { ...common, from: nonce, seen });
    },
  };
}

function unlessKnown(error: unknown): undefined {
  if (!isPortFailure(error)) throw error;
  return undefined;
}

function readCurrentOwner({ owner, version }: LockState): string {
  if (owner === undefined) return 'the lock was released, or a new log has started';
  return owner.owner === undefined
    ? `hosted-runner did not write version ${version}`
    : `the lock now belongs to ${describeOwner(owner.owner)}`;
}
