import { type LockState, unknownOwner } from '../../../domain/deployment/lock/lock-log.ts';
import type { LockOwner } from '../../../domain/deployment/lock/lock-owner.ts';
import { judgeLock, type LockVerdict } from '../../../domain/deployment/lock/lock-verdict.ts';
import {
  lastingAfterMs,
  type OwnerState,
  pipelineOf,
} from '../../../domain/deployment/lock/pipeline-state.ts';
import type { Cadence } from '../../../domain/deployment/pace.ts';
import { lockHeld, lockInvalid } from '../../../errors/lock-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { Log } from '../../../ports/log-event.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { Run } from '../../../ports/run.ts';
import { beginLog, type Claim, type Claimed, claimLock } from './lock-claim.ts';
import { type HeldLock, holdLock } from './lock-handle.ts';
import { type LockPorts, type ReadLock, readLock } from './lock-reading.ts';

/** Claims that may be lost to runs that have already released the lock. */
const mostClaims = 5;
/** A read may show a lock holder that has already released the lock. */
const holderChecks = 3;
const holderPauseMs = 400;
/** AWS reserves a deleted name for 30 s. The program itself never deletes this name. */
const nameCadence: Cadence = { pollMs: 6000, fineMs: 1000 };
/** Together 44 seconds. */
const mostChecks = 9;

export type OwnerPorts = LockPorts & Pick<Ports, 'pipelines' | 'processes'>;

export interface LockRequest {
  readonly ports: OwnerPorts & Pick<Ports, 'random'>;
  /** Ports that still work after a cancel. */
  readonly uncancelled: LockPorts;
  readonly parameter: string;
  readonly runner: string;
  readonly stage: string;
  readonly run: Run;
  readonly byHand: boolean;
  readonly log: Log;
}

/** Takes the lock for this stage, or rejects with exit code 75. */
export async function takeLock(request: LockRequest): Promise<HeldLock> {
  const { parameter, runner, stage, log } = request;
  const first = claimOf(request);
  let known: LockState | undefined;
  for (let claims = 1; claims <= mostClaims; claims += 1) {
    const read = await readLockSince(request, known);
    if (read.kind === 'absent') {
      const begun = await beginOnceFree(request, first);
      if (begun.kind === 'owned') return held(request, first, { tookOver: false, ...begun });
      continue;
    }
    const { state, takes } = await choose(request, read);
    // The owner is this run's first entry: its lost response reported the name as taken.
    if (state.owner?.nonce === first.nonce) return held(request, first, { tookOver: false, state });
    const claim = claimOf(request);
    const claimed: Claimed = await claimLock(claim, state, takes?.from);
    if (claimed.kind === 'owned') {
      if (takes !== undefined) log.act(`Took over the lock of ${takes.whose}.`);
      return held(request, claim, { ...claimed, tookOver: takes !== undefined });
    }
    if (claimed.kind === 'lost') known = claimed.state;
  }
  const reason = `other runs that take it at the same time (${parameter} lists them)`;
  // No single holder is proven: `--take-lock` was accepted but came too late each time.
  throw lockHeld({ runner, stage, reason, isAlive: true });
}

function readLockSince(
  { ports, parameter }: LockRequest,
  known: LockState | undefined,
): Promise<ReadLock> {
  if (known === undefined) return readLock(ports, { parameter });
  return readLock(ports, { parameter, known, atLeast: known.version });
}

interface Choice {
  readonly state: LockState;
  /** The entry to take over; absent if the lock is free. */
  readonly takes?: { readonly from: string; readonly whose: string };
}

/**
 * Chooses a lock that is free, or whose holder is proven to have ended or was declared ended by the
 * operator. Rejects otherwise.
 */
async function choose(
  request: LockRequest,
  read: Exclude<ReadLock, { kind: 'absent' }>,
): Promise<Choice> {
  const { ports, runner, stage, parameter, byHand } = request;
  if (read.kind === 'behind')
    throw lockHeld({
      runner,
      stage,
      reason: 'an unknown run, because the history of the lock has gaps',
      isAlive: true,
    });
  const state =
    read.kind === 'folded' ? read.state : unknownOwner(read.versions, ports.random.id());
  const { owner } = state;
  if (owner === undefined) return { state };
  if (owner.owner === undefined) {
    if (!byHand) throw lockInvalid({ runner, parameter, stage });
    const whose = `an unknown owner (version ${state.version}, taken over by hand)`;
    return { state, takes: { from: owner.nonce, whose } };
  }
  const verdict = await judgeOwner(request, owner.owner);
  if (verdict.kind === 'stale')
    return { state, takes: { from: owner.nonce, whose: verdict.reason } };
  const later = await checkLater(request, state);
  if (later !== undefined) return choose(request, { kind: 'folded', state: later });
  const { kind, reason } = verdict;
  const { stoppedPid } = verdict.kind === 'alive' ? verdict : {};
  const isOld = ports.clock.now() - Date.parse(owner.owner.since) >= lastingAfterMs;
  throw lockHeld({ runner, stage, reason, isAlive: kind === 'alive', byHand, stoppedPid, isOld });
}

/** Returns the log if it has grown since. A read may briefly show an old state. */
function checkLater(
  { ports, parameter }: LockRequest,
  known: LockState,
): Promise<LockState | undefined> {
  return pollUntil({ clock: ports.clock, cadence: { pollMs: holderPauseMs } }, async (polls) => {
    if (polls === 1) return pending();
    const read = await readLock(ports, { parameter, known });
    if (read.kind === 'folded' && read.state.version > known.version) return done(read.state);
    return polls >= holderChecks ? done(undefined) : pending();
  });
}

/** Decides whether the owner still runs: by this machine, or else by the CI. */
export async function judgeOwner(
  { ports, run, byHand }: { ports: OwnerPorts; run: Run; byHand: boolean },
  owner: LockOwner,
): Promise<LockVerdict> {
  const process = ports.processes.isAlive(owner.process);
  const found = ports.processes.find(owner.process);
  const facts = { owner, run, process, found, byHand };
  if (process !== 'unknown') return judgeLock(facts);
  return judgeLock({ ...facts, holder: await readHolder(ports, owner, byHand) });
}

/**
 * Reads the owner's state from the CI. A takeover by an operator treats a failed read as unknown,
 * and proceeds on the operator's decision.
 */
async function readHolder(
  { pipelines }: OwnerPorts,
  owner: LockOwner,
  byHand: boolean,
): Promise<OwnerState> {
  const deploymentId = pipelineOf(owner.deployment);
  try {
    return await pipelines.readLockHolder({ deploymentId, jobId: owner.job });
  } catch (error) {
    if (!byHand || !isPortFailure(error)) throw error;
    return { kind: 'unknown', reason: error.message };
  }
}

function claimOf(request: LockRequest): Claim {
  const { ports, uncancelled, parameter, run, stage } = request;
  const { self, host } = ports.processes;
  const nextNonce = () => ports.random.id();
  const owner: LockOwner = {
    deployment: run.deploymentId,
    job: run.jobId,
    since: new Date(ports.clock.now()).toISOString(),
    process: self,
    by: run.by,
    host,
    stage,
    ...(run.pipelineUrl === undefined ? {} : { pipeline: run.pipelineUrl }),
  };
  return { ports, uncancelled, parameter, owner, nonce: nextNonce(), nextNonce };
}

function held(
  { ports, parameter, runner, stage, log }: LockRequest,
  { nonce, nextNonce }: Claim,
  { state, tookOver }: { state: LockState; tookOver: boolean },
): HeldLock {
  return holdLock({ ports, parameter, runner, stage, log, nonce, nextNonce, state, tookOver });
}

/** Waits for a deleted name, for example after a manual deletion, and begins the log. */
async function beginOnceFree(request: LockRequest, claim: Claim): Promise<Claimed> {
  const { ports, runner, stage, parameter, log } = request;
  return pollUntil<Claimed>({ clock: ports.clock, cadence: nameCadence }, async (polls) => {
    const begun = await beginLog(claim);
    if (begun.kind !== 'taken') return done(begun);
    if ((await readLock(ports, { parameter })).kind !== 'absent') return done(begun);
    const reason = 'an unknown run, because the lock was deleted and AWS still reserves its name';
    if (polls > mostChecks) throw lockHeld({ runner, stage, reason, isAlive: true });
    log.wait('Waiting: the parameter of the lock was deleted, and AWS reserves its name for 30s.');
    return pending({ kind: 'fresh', polls });
  });
}
