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

/** A lock that this run owns. */
export interface HeldLock {
  /** Whether somebody's who had not released it. */
  readonly tookOver: boolean;
  /** The version of the record that owners before us had seen: no older one is to be believed. */
  readonly record: number;
  /**
   * Reads the log up to its newest entry, which the snapshot may show; rejects unless we own it then. By
   * its own ports, if none are given.
   */
  confirm(using?: LockPorts, snapshot?: ParameterSnapshot): Promise<void>;
  /** Handed ports of its own: it has to work also after a cancel, which ends all else. */
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
  /** Whether it was read, and not only not to be read. */
  readonly isKnown: boolean;
}

const lossChecks = 20;
/** A release directly after a check of the lock needs no check of its own: it frees nobody else's. */
const checkedForMs = 1000;

export function holdLock(holding: Holding): HeldLock {
  const { ports, parameter, runner, stage, log, nonce, nextNonce, tookOver } = holding;
  let { state } = holding;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Why we do not own it, or cannot know; undefined while we do. */
  async function findLoss(
    using: LockPorts,
    snapshot?: ParameterSnapshot,
  ): Promise<Loss | undefined> {
    const newest = await findInSnapshot(using, parameter, snapshot);
    if (newest?.version === state.version && nonceOf(parseVersion(newest)) === state.last)
      return lossIn(state);
    // It is behind, or somebody wrote; only the whole log says which.
    const atLeast = Math.max(state.version, newest?.version ?? 0);
    const read = await readLock(using, { parameter, atLeast, known: state, looks: lossChecks });
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
      // A release that names nobody who owns it changes nothing, so that it is written in doubt.
      const isChecked = using.clock.elapsed() - checkedAt < checkedForMs;
      const loss = isChecked ? undefined : await findLoss(using).catch(unlessKnown);
      if (loss?.isKnown === true) {
        log.warn(`The lock ${parameter} is not ours any more and was left: ${loss.reason}.`);
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
  if (owner === undefined) return 'another log has begun, or it was released';
  return owner.owner === undefined
    ? `version ${version} is nothing that this program writes`
    : `it is taken by ${describeOwner(owner.owner)}`;
}
