import type { HostReading } from '../../drain/drain-check.ts';
import type { Worker } from '../../registration.ts';
import { formatDuration } from '../../text/duration.ts';

/** Facts about the processes of a shard's workers. */
export interface ProcessFacts {
  readonly hosts: readonly HostReading[];
  /** EC2's report on hosts that do not report that their process has ended. */
  readonly machines: ReadonlyMap<string, 'dead' | 'alive' | 'not_found' | 'unknown'>;
  /** Time since the last apply; a host that it created may still be about to register. */
  readonly sinceApplyMs: number;
  /** Shortest possible time since the process of a host ended, if it has. */
  readonly endedForMs: (host: string | undefined) => number;
  /** Time within which an assigned job that no worker started goes to another worker. */
  readonly redeliveryMs: number;
}

export interface RemovalPlan {
  /** Workers whose process has ended and is not started again. */
  readonly ended: readonly Worker[];
  /** Workers that may still have a job, with the missing proof. */
  readonly held: readonly HeldWorker[];
  /** Workers whose process has ended, but which may still own a job that they had not read. */
  readonly resting: readonly Worker[];
}

export interface HeldWorker {
  readonly worker: Worker;
  readonly why: string;
}

/** Results of one attempt to remove the workers whose process has ended. */
export interface RemovalObservation extends ProcessFacts {
  readonly held: readonly HeldWorker[];
  readonly resting: readonly Worker[];
  readonly removals: readonly {
    readonly worker: Worker;
    readonly outcome: 'removed' | 'busy' | 'absent' | 'unknown';
    readonly detail?: string;
  }[];
  /** Hosts whose worker this run has seen, and which no longer exists. */
  readonly seenHosts: readonly string[];
}

export type RemovalResult =
  /** `leftOver`: workers that the registry reports as busy although their processes have ended. */
  | { readonly kind: 'gone'; readonly leftOver: readonly Worker[] }
  | { readonly kind: 'wait'; readonly reason: string; readonly forMs: number };

/** Limit from ARC: a machine that has not registered by then never will. */
export const registrationGraceMs = 600_000;
const unknownPauseMs = 30_000;
const notYetPauseMs = 10_000;

/**
 * Selects the workers that may be removed: those whose host reports an ended process, or whose
 * machine EC2 reports as dead. Neither `busy` nor 204 nor 404 proves that a running listener has no
 * job. A job that arrived at the moment of its end goes to another worker while its runner is
 * registered. GitHub does not document its fate without that runner.
 */
export function planRemoval(workers: readonly Worker[], facts: ProcessFacts): RemovalPlan {
  const ended: Worker[] = [];
  const held: HeldWorker[] = [];
  const resting: Worker[] = [];
  for (const worker of workers) {
    const why = whyHeld(worker, facts);
    if (why !== undefined) held.push({ worker, why });
    else if (facts.endedForMs(worker.hostId) < facts.redeliveryMs) resting.push(worker);
    else ended.push(worker);
  }
  return { ended, held, resting };
}

function whyHeld(worker: Worker, { hosts, machines, sinceApplyMs }: ProcessFacts) {
  const { hostId } = worker;
  if (hostId === undefined) return 'its name does not contain the host that it runs on';
  const word = hosts.find(({ host }) => host === hostId);
  if (word?.kind === 'stopped') return undefined;
  const machine = machines.get(hostId) ?? 'unknown';
  if (machine === 'dead') return undefined;
  if (word?.kind === 'jobs') {
    return word.count > 0
      ? `its host ${hostId} runs a job`
      : `its listener on ${hostId} still runs`;
  }
  const isOffline = worker.contactedAt === undefined;
  const isUnlisted = hosts.some(({ kind, host }) => kind === 'silent' && host === '(all)');
  // EC2 forgets a machine an hour after its end, and may not list a new one yet.
  const isLongGone = machine === 'not_found' && isOffline && sinceApplyMs >= registrationGraceMs;
  if (isLongGone && word === undefined && !isUnlisted) return undefined;
  const state = word?.kind === 'silent' ? `does not respond (${word.reason})` : 'is not queried';
  return `its host ${hostId} ${state} and may still run`;
}

/**
 * Decides whether all workers are removed. Time alone never removes a worker whose process may run.
 */
export function judgeRemoval(observation: RemovalObservation): RemovalResult {
  const unknown = observation.removals.find(({ outcome }) => outcome === 'unknown');
  if (unknown !== undefined) {
    const reason = `it is unknown whether ${nameOf(unknown.worker)} still exists: ${unknown.detail ?? 'no response'}`;
    return { kind: 'wait', reason, forMs: unknownPauseMs };
  }
  const [held] = observation.held;
  if (held !== undefined) {
    const others = observation.held.length > 1 ? ` and ${observation.held.length - 1} more` : '';
    const reason = `${nameOf(held.worker)}${others} may still run a job: ${held.why}`;
    return { kind: 'wait', reason, forMs: notYetPauseMs };
  }
  const [resting] = observation.resting;
  if (resting !== undefined) {
    const others =
      observation.resting.length > 1 ? ` and ${observation.resting.length - 1} more` : '';
    const reason = `a job that ${nameOf(resting)}${others} had not read before it ended goes to another runner within ${formatDuration(observation.redeliveryMs)}`;
    const forMs = observation.redeliveryMs - observation.endedForMs(resting.hostId);
    return { kind: 'wait', reason, forMs };
  }
  const absent = observation.removals.find(({ outcome }) => outcome === 'absent');
  if (absent !== undefined) {
    const reason = `${nameOf(absent.worker)} left the list by itself; the list is read again`;
    return { kind: 'wait', reason, forMs: notYetPauseMs };
  }
  const awaited = notYetThere(observation);
  if (awaited !== undefined) {
    const reason = `host ${awaited} runs and has not registered its runner yet`;
    return { kind: 'wait', reason, forMs: notYetPauseMs };
  }
  const leftOver = observation.removals.filter(({ outcome }) => outcome === 'busy');
  return { kind: 'gone', leftOver: leftOver.map(({ worker }) => worker) };
}

/**
 * Finds a host that has not registered yet. A worker that was removed or never existed needs no
 * wait.
 */
function notYetThere({ removals, hosts, seenHosts, sinceApplyMs }: RemovalObservation) {
  if (sinceApplyMs >= registrationGraceMs) return undefined;
  const known = new Set([...seenHosts, ...removals.map(({ worker }) => worker.hostId)]);
  return hosts.find(({ kind, host }) => kind === 'jobs' && !known.has(host))?.host;
}

function nameOf({ systemId, id }: Worker): string {
  return `runner ${id} "${systemId}"`;
}
