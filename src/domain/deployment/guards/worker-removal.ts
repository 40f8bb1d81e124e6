import type { HostReading } from '../../drain/drain-check.ts';
import type { Worker } from '../../registration.ts';
import { formatDuration } from '../../text/duration.ts';

/** What is known of the processes behind the workers of a shard. */
export interface ProcessFacts {
  readonly hosts: readonly HostReading[];
  /** EC2's word on hosts that do not say by themselves that their process has ended. */
  readonly machines: ReadonlyMap<string, 'dead' | 'alive' | 'not_found' | 'unknown'>;
  /** How long ago the last apply was; a host that it made may still be about to register. */
  readonly sinceApplyMs: number;
  /** For how long at least the process of each host has ended, if it has. */
  readonly endedForMs: (host: string | undefined) => number;
  /** Within it a job that a worker was given and has not taken up goes to another one. */
  readonly redeliveryMs: number;
}

export interface RemovalPlan {
  /** Their process has ended, and nothing starts it again. */
  readonly ended: readonly Worker[];
  /** Those that may still have a job, with why nobody can say that they have not. */
  readonly held: readonly HeldWorker[];
  /** Their process has ended, but a job that it had not read may still be theirs. */
  readonly resting: readonly Worker[];
}

export interface HeldWorker {
  readonly worker: Worker;
  readonly why: string;
}

/** What became of one try to remove the workers whose process has ended. */
export interface RemovalObservation extends ProcessFacts {
  readonly held: readonly HeldWorker[];
  readonly resting: readonly Worker[];
  readonly removals: readonly {
    readonly worker: Worker;
    readonly outcome: 'removed' | 'busy' | 'absent' | 'unknown';
    readonly detail?: string;
  }[];
  /** Hosts whose worker was seen before in this run, and is gone since. */
  readonly seenHosts: readonly string[];
}

export type RemovalResult =
  /** `leftOver`: workers that the registry holds for busy, though nothing runs any more. */
  | { readonly kind: 'gone'; readonly leftOver: readonly Worker[] }
  | { readonly kind: 'wait'; readonly reason: string; readonly forMs: number };

/** ARC's: a machine that has not registered by then never will. */
export const registrationGraceMs = 600_000;
const unknownPauseMs = 30_000;
const notYetPauseMs = 10_000;

/**
 * Who may be removed: a worker whose process has ended by its host's own word, or whose machine is dead
 * by EC2's. Neither `busy`, nor 204, nor 404 says that a running listener has no job. A job that came in
 * the moment of its end was not read: it is given to another one as long as its runner is registered, and
 * nobody says what becomes of it otherwise.
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
  if (hostId === undefined) return 'its name does not say which host it runs on';
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
  // Terminated an hour ago, EC2 has forgotten it; one that was just made it may not know yet.
  const isLongGone = machine === 'not_found' && isOffline && sinceApplyMs >= registrationGraceMs;
  if (isLongGone && word === undefined && !isUnlisted) return undefined;
  const state = word?.kind === 'silent' ? `is silent (${word.reason})` : 'is not asked';
  return `its host ${hostId} ${state} and is not proven dead`;
}

/** No time that passes removes a worker whose process may run. */
export function judgeRemoval(look: RemovalObservation): RemovalResult {
  const unknown = look.removals.find(({ outcome }) => outcome === 'unknown');
  if (unknown !== undefined) {
    const reason = `whether ${nameOf(unknown.worker)} is gone is not known: ${unknown.detail ?? 'no answer'}`;
    return { kind: 'wait', reason, forMs: unknownPauseMs };
  }
  const [held] = look.held;
  if (held !== undefined) {
    const others = look.held.length > 1 ? ` and ${look.held.length - 1} more` : '';
    const reason = `${nameOf(held.worker)}${others} may still run a job: ${held.why}`;
    return { kind: 'wait', reason, forMs: notYetPauseMs };
  }
  const [resting] = look.resting;
  if (resting !== undefined) {
    const others = look.resting.length > 1 ? ` and ${look.resting.length - 1} more` : '';
    const reason = `a job that ${nameOf(resting)}${others} had not read before it ended goes to another one within ${formatDuration(look.redeliveryMs)}`;
    const forMs = look.redeliveryMs - look.endedForMs(resting.hostId);
    return { kind: 'wait', reason, forMs };
  }
  const absent = look.removals.find(({ outcome }) => outcome === 'absent');
  if (absent !== undefined) {
    const reason = `${nameOf(absent.worker)} left the list by itself; the list is read once more`;
    return { kind: 'wait', reason, forMs: notYetPauseMs };
  }
  const awaited = notYetThere(look);
  if (awaited !== undefined) {
    const reason = `host ${awaited} runs and has not registered its runner yet`;
    return { kind: 'wait', reason, forMs: notYetPauseMs };
  }
  const leftOver = look.removals.filter(({ outcome }) => outcome === 'busy');
  return { kind: 'gone', leftOver: leftOver.map(({ worker }) => worker) };
}

/** Of the three that a missing worker can be (gone, never there, not yet there) the one that passes. */
function notYetThere({ removals, hosts, seenHosts, sinceApplyMs }: RemovalObservation) {
  if (sinceApplyMs >= registrationGraceMs) return undefined;
  const known = new Set([...seenHosts, ...removals.map(({ worker }) => worker.hostId)]);
  return hosts.find(({ kind, host }) => kind === 'jobs' && !known.has(host))?.host;
}

function nameOf({ systemId, id }: Worker): string {
  return `runner ${id} "${systemId}"`;
}
