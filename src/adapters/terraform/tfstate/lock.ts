import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../ports/clock.ts';
import type { ProcessTable } from '../../../ports/run.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Workplace } from '../workplace.ts';

/** What Terraform tells of a lock that it did not get. */
export interface StateLock {
  readonly id: string;
  readonly who: string;
  /** As Terraform writes it: `2026-11-21 03:15:19.887006 +0000 UTC`. */
  readonly since: string;
  readonly operation: string;
}

export function findLock(diagnostics: readonly Diagnostic[]): StateLock | undefined {
  const found = diagnostics.find(({ summary }) => /Error acquiring the state lock/.test(summary));
  if (found === undefined) return undefined;
  const line = (name: string) =>
    new RegExp(`^\\s*${name}:[ \\t]*(.*?)\\s*$`, 'm').exec(found.detail)?.[1] || 'unknown';
  // The http backend describes the lock that it wanted, and names the one that is there.
  const other = /already locked: ID=(\S+)/.exec(found.detail)?.[1];
  if (other !== undefined) {
    return { id: other, who: 'somebody', since: 'a time it does not tell', operation: 'unknown' };
  }
  return {
    id: line('ID'),
    who: line('Who'),
    since: line('Created'),
    operation: line('Operation')
      .replace(/^OperationType/, '')
      .toLowerCase(),
  };
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
      await writeFile(file, JSON.stringify(holder), { mode: 0o600 });
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
  const since = Date.parse(
    lock.since.replace(/^(\S+) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* \+0000 UTC$/, '$1T$2Z'),
  );
  return since >= holder.startedAt - slackMs && since <= holder.heldAt;
}

async function readHolder(place: Workplace): Promise<Holder | undefined> {
  try {
    const value = JSON.parse(await readFile(fileOf(place), 'utf8')) as Partial<Holder>;
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
