import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessTable } from '../../ports/run.ts';

export interface SavedPlan {
  readonly bytes: Buffer;
  readonly digest: string;
}

interface ShardFolder {
  /** Folder of this shard, readable only by its owner. */
  readonly dataDirectory: string;
}

const prefix = 'saved-plan.';

/**
 * Creates a private folder for a saved plan, which contains every value in clear text. The plan is
 * on disk only while Terraform writes or reads it, and in memory otherwise.
 */
export async function createPlanFolder(
  { dataDirectory }: ShardFolder,
  { self }: ProcessTable,
): Promise<string> {
  const name = `${prefix}${Buffer.from(self).toString('base64url')}.`;
  return join(await mkdtemp(join(dataDirectory, name)), 'plan');
}

export async function removePlanFolder(path: string): Promise<void> {
  await rm(join(path, '..'), { recursive: true, force: true });
}

/** Removes leftovers of runs that were killed on this machine. */
export async function sweepPlanFiles(
  { dataDirectory }: ShardFolder,
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
