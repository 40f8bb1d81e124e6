import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastingAfterMs } from '../../../domain/deployment/lock/pipeline-state.ts';
import { parseJson } from '../../../domain/text/json.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ProcessTable } from '../../../ports/run.ts';
import { type Diagnostic, withoutAdvice } from '../diagnostics.ts';
import { causeOf, isLockRequest } from '../failure-patterns.ts';
import type { Workplace } from '../workplace.ts';

/** A lock that another run holds, as far as the backend reports it. */
export interface StateLock {
  /** Absent if the backend reports only that there is a lock. */
  readonly id?: string;
  /** Absent if Terraform describes its own request in its place. */
  readonly owner?: {
    readonly who: string;
    /** As Terraform writes it: `2026-11-21 03:15:19.887006 +0000 UTC`. */
    readonly since: string;
    readonly operation: string;
  };
  /** The backend's reason, on one line; may be empty. */
  readonly reason: string;
}

// Terraform's backends http, pg and remote describe the request that was refused, not the lock that exists.
const ownRequest =
  /HTTP remote state already locked|Workspace is already locked|already locked for workspace creation|lock ID: "/i;

const lockWords = /^.*Error (?:acquiring the state lock|locking state):? ?/;

/** The lock that refused a request. A request that failed for another cause is no held lock. */
export function findLock(diagnostics: readonly Diagnostic[]): StateLock | undefined {
  const found = diagnostics.find(isLockRequest);
  if (found === undefined) return undefined;
  const [before = '', info] = `${found.summary}\n${withoutAdvice(found.detail)}`.split(
    'Lock Info:',
  );
  const reason = before.replace(/\s+/g, ' ').replace(lockWords, '').trim();
  const field = (name: string) =>
    new RegExp(`^\\s*${name}:[ \\t]*(.*?)\\s*$`, 'm').exec(info ?? found.detail)?.[1];
  const other = /already locked: ID=(\S+)|lock ID: "([^"]+)"/.exec(reason);
  const named = other?.[1] ?? other?.[2];
  if (named !== undefined) return { id: named, reason };
  const id = field('ID');
  // PostgreSQL's backend describes its request after every error, and only a lock that exists has a path.
  if (!id || (field('Path') === '' && !/already locked/i.test(reason))) return undefined;
  // The lock may exist, and yet the request failed for a cause that outlasts it.
  if (causeOf([{ summary: '', detail: reason }]) !== undefined) return undefined;
  if (ownRequest.test(reason)) return { reason };
  const owner = {
    who: field('Who') || 'unknown',
    since: field('Created') || 'unknown',
    operation: (field('Operation') || 'unknown').replace(/^OperationType/, '').toLowerCase(),
  };
  return { id, owner, reason };
}

/** Kept while a Terraform of ours may hold the lock, so that the next run knows whose it was. */
interface Holder {
  readonly process: string;
  readonly startedAt: number;
  /** When it surely held the lock; a lock that is younger is somebody else's. */
  readonly heldAt: number;
}

export interface HolderNote {
  started(pid: number | undefined): Promise<void>;
  /** Its first message after the lock was taken. */
  held(): Promise<void>;
  /** It has ended by itself, and so released its lock. */
  ended(): Promise<void>;
}

export function createHolderNote(
  place: Workplace,
  { clock, processes }: { clock: Clock; processes: ProcessTable },
): HolderNote {
  const file = fileOf(place);
  let process: string | undefined;
  let startedAt = 0;
  return {
    async started(pid) {
      process = pid === undefined ? undefined : processes.identify(pid);
      startedAt = clock.now();
    },
    async held() {
      if (process === undefined) return;
      const holder: Holder = { process, startedAt, heldAt: clock.now() };
      // Removed by its name and created: a link of that name is not followed.
      await rm(file, { force: true });
      await writeFile(file, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
    },
    ended: () => rm(file, { force: true }),
  };
}

/** Clocks are read in two programs of one machine. */
const slackMs = 2000;

/** Whether the lock was taken by a Terraform of ours on this machine that is dead, proven. */
export async function isProvenDead(
  place: Workplace,
  lock: StateLock,
  processes: ProcessTable,
): Promise<boolean> {
  const holder = await readHolder(place);
  if (holder === undefined || processes.isAlive(holder.process) !== 'dead') return false;
  const since = readSince(lock);
  return since >= holder.startedAt - slackMs && since <= holder.heldAt;
}

/** Milliseconds since 1970; not a number if the backend reports no time. */
function readSince({ owner }: StateLock): number {
  const sinceText = owner?.since ?? '';
  return Date.parse(
    sinceText.replace(/^(\S+) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* \+0000 UTC$/, '$1T$2Z'),
  );
}

/** Held for so long that no run is expected to hold it still. */
export function isLasting(lock: StateLock, nowMs: number): boolean {
  return nowMs - readSince(lock) >= lastingAfterMs;
}

async function readHolder(place: Workplace): Promise<Holder | undefined> {
  try {
    const value = (parseJson(await readFile(fileOf(place), 'utf8')) ?? {}) as Partial<Holder>;
    const { process, startedAt, heldAt } = value;
    return typeof process === 'string' &&
      typeof startedAt === 'number' &&
      typeof heldAt === 'number'
      ? { process, startedAt, heldAt }
      : undefined;
  } catch {
    return undefined;
  }
}

function fileOf({ dataDirectory }: Workplace): string {
  return join(dataDirectory, 'holder.json');
}
