import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastingAfterMs } from '../../../domain/deployment/lock/pipeline-state.ts';
import { parseJson } from '../../../domain/text/json.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ProcessTable } from '../../../ports/run.ts';
import { type Diagnostic, withoutAdvice } from '../diagnostics.ts';
import { causeOf, isLockRequest } from '../failure-patterns.ts';
import type { Workplace } from '../workplace.ts';

/** Lock of another run, as far as the backend reports it. */
export interface StateLock {
  /** Absent if the backend only reports that a lock exists. */
  readonly id?: string;
  /** Absent if Terraform describes its own request instead of the lock. */
  readonly owner?: {
    readonly who: string;
    /** Time in Terraform's format: `2026-11-21 03:15:19.887006 +0000 UTC`. */
    readonly since: string;
    readonly operation: string;
  };
  /** Reason from the backend, on one line. It may be empty. */
  readonly reason: string;
}

// The backends http, pg and remote describe the refused request, not the existing lock.
const ownRequest =
  /HTTP remote state already locked|Workspace is already locked|already locked for workspace creation|lock ID: "/i;

const lockWords = /^.*Error (?:acquiring the state lock|locking state):? ?/;

/**
 * Finds the lock that refused a request. A request that failed for another reason proves no lock.
 */
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
  // PostgreSQL's backend describes its request after every error. Only an existing lock has a path.
  if (!id || (field('Path') === '' && !/already locked/i.test(reason))) return undefined;
  // The request failed for a permanent cause, whether or not the lock exists.
  if (causeOf([{ summary: '', detail: reason }]) !== undefined) return undefined;
  if (ownRequest.test(reason)) return { reason };
  const owner = {
    who: field('Who') || 'unknown',
    since: field('Created') || 'unknown',
    operation: (field('Operation') || 'unknown').replace(/^OperationType/, '').toLowerCase(),
  };
  return { id, owner, reason };
}

/**
 * Note of a Terraform process that may hold the lock. The next run reads it to find the lock's
 * owner.
 */
interface Holder {
  readonly process: string;
  readonly startedAt: number;
  /**
   * Time at which the process certainly held the lock. A later lock belongs to another process.
   */
  readonly heldAt: number;
}

export interface HolderNote {
  started(pid: number | undefined): Promise<void>;
  /** Records the first message after the lock was taken. */
  held(): Promise<void>;
  /** Records that the process exited and released its lock. */
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
      // The file is removed by name and created again, so no link is followed.
      await rm(file, { force: true });
      await writeFile(file, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
    },
    ended: () => rm(file, { force: true }),
  };
}

/** Tolerance for the clock, which two programs of one machine read. */
const slackMs = 2000;

/**
 * Decides whether the lock belongs to a Terraform process that hosted-runner started on this
 * machine and that is proven dead.
 */
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

/** Returns milliseconds since 1970, or NaN if the backend reports no time. */
function readSince({ owner }: StateLock): number {
  const sinceText = owner?.since ?? '';
  return Date.parse(
    sinceText.replace(/^(\S+) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* \+0000 UTC$/, '$1T$2Z'),
  );
}

/** Decides whether the lock is older than any expected run. */
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
