import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workplace } from './workplace.ts';

/**
 * A saved plan holds every value in clear. It lies in a folder of ours alone while Terraform writes
 * or reads it; in between it is kept in memory. What a killed run left there, the next one removes.
 */
export async function withPlanFile<T>(
  place: Workplace,
  body: (path: string) => Promise<T>,
): Promise<T> {
  const path = await makeRoom(place);
  try {
    return await body(path);
  } finally {
    await removePlanFile(place);
  }
}

export async function makeRoom(place: Workplace): Promise<string> {
  const folder = folderOf(place);
  await removePlanFile(place);
  await mkdir(folder, { mode: 0o700 });
  return join(folder, 'plan');
}

export function removePlanFile(place: Workplace): Promise<void> {
  return rm(folderOf(place), { recursive: true, force: true });
}

export interface SavedPlan {
  readonly bytes: Buffer;
  readonly digest: string;
}

export async function readPlanFile(path: string): Promise<SavedPlan> {
  const bytes = await readFile(path);
  return { bytes, digest: digestOf(bytes) };
}

export async function writePlanFile(path: string, { bytes }: SavedPlan): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function folderOf({ dataDirectory }: Workplace): string {
  return join(dataDirectory, 'saved-plan');
}
