import type { HostWord } from './drain.ts';
import type { Worker } from './registration.ts';

/** What became of one try to remove each worker of a shard, and what their hosts say. */
export interface RemovalLook {
  readonly removals: readonly {
    readonly worker: Worker;
    readonly outcome: 'removed' | 'busy' | 'absent' | 'spared' | 'unknown';
    readonly detail?: string;
  }[];
  readonly hosts: readonly HostWord[];
  /** Hosts that are terminated, by the cloud's own word. */
  readonly deadHosts: readonly string[];
  /** Hosts whose worker was seen before in this run, and is gone since. */
  readonly seenHosts: readonly string[];
  /** How long ago the last apply was; a host that it made may still be about to register. */
  readonly sinceApplyMs: number;
}

export type RemovalJudgement =
  /** `leftOver`: workers that the registry holds for busy, though nothing runs any more. */
  | { readonly kind: 'gone'; readonly leftOver: readonly Worker[] }
  | { readonly kind: 'wait'; readonly reason: string; readonly forMs: number };

/** ARC's: a machine that has not registered by then never will. */
export const registrationGraceMs = 600_000;
/** A refused removal is not asked again before; GitHub counts every one of them. */
const busyPauseMs = 60_000;
const unknownPauseMs = 30_000;
const notYetPauseMs = 10_000;

/**
 * No time that passes removes a busy worker. A refusal ends in one of two ways: the removal succeeds,
 * or the process that should run the job is proven to be dead.
 */
export function judgeRemoval(look: RemovalLook): RemovalJudgement {
  const unknown = look.removals.find(({ outcome }) => outcome === 'unknown');
  if (unknown !== undefined) {
    const reason = `whether ${nameOf(unknown.worker)} is gone is not known: ${unknown.detail ?? 'no answer'}`;
    return { kind: 'wait', reason, forMs: unknownPauseMs };
  }
  const refused = look.removals
    .filter(({ outcome }) => outcome === 'busy' || outcome === 'spared')
    .map(({ worker }) => worker);
  const busy = refused.filter((worker) => !isDead(worker, look));
  if (busy[0] !== undefined) return { kind: 'wait', reason: whyBusy(busy), forMs: busyPauseMs };
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
  return { kind: 'gone', leftOver: refused };
}

function whyBusy(busy: readonly Worker[]): string {
  const [first] = busy;
  const others = busy.length > 1 ? ` and ${busy.length - 1} more` : '';
  const how =
    first?.ephemeral === true ? 'it leaves by itself after it' : 'its removal was refused';
  return `${first === undefined ? '' : nameOf(first)}${others} still runs a job; ${how}`;
}

/** Nothing that could run the job is left, by the host's own word or by the cloud's. */
function isDead({ hostId }: Worker, { hosts, deadHosts }: RemovalLook): boolean {
  if (hostId === undefined) return false;
  return (
    deadHosts.includes(hostId) ||
    hosts.some(({ kind, host }) => kind === 'stopped' && host === hostId)
  );
}

/** Of the three that a missing worker can be (gone, never there, not yet there) the one that passes. */
function notYetThere({
  removals,
  hosts,
  seenHosts,
  sinceApplyMs,
}: RemovalLook): string | undefined {
  if (sinceApplyMs >= registrationGraceMs) return undefined;
  const known = new Set([...seenHosts, ...removals.map(({ worker }) => worker.hostId)]);
  return hosts.find(({ kind, host }) => kind === 'jobs' && !known.has(host))?.host;
}

function nameOf({ systemId, id }: Worker): string {
  return `runner ${id} "${systemId}"`;
}
