import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessTable } from '../../ports/run.ts';

export interface SavedPlan {
  readonly bytes: Buffer;
  readonly digest: string;
}

interface Room {
  /** Of the shard alone, readable by nobody else. */
  readonly dataDirectory: string;
}

const prefix = 'saved-plan.';

/**
 * A saved plan holds every value in clear. It lies in a folder of its own while Terraform writes or
 * reads it; in between it is kept in memory.
 */
export async function makeRoom({ dataDirectory }: Room, { self }: ProcessTable): Promise<string> {
  const name = `${prefix}${Buffer.from(self).toString('base64url')}.`;
  return join(await mkdtemp(join(dataDirectory, name)), 'plan');
}

export async function clearRoom(path: string): Promise<void> {
  await rm(join(path, '..'), { recursive: true, force: true });
}

/** Removes what runs have left that were killed on this machine. */
export async function sweepPlanFiles(
  { dataDirectory }: Room,
  processes: ProcessTable,
): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(prefix)) continue;
    const owner = Buffer.from(name.slice(prefix.length).split('.')[0] ?? '', 'base64url');
    if (processes.isAlive(owner.toString()) !== 'dead') continue;
    await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
}

export async function readPlanFile(path: string): Promise<SavedPlan> {
  const bytes = await readFile(path);
  return { bytes, digest: createHash('sha256').update(bytes).digest('hex') };
}

export async function writePlanFile(path: string, { bytes }: SavedPlan): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
}
