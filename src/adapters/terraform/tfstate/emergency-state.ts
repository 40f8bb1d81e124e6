import { chmod, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../../../domain/text/json.ts';
import type { Workplace } from '../workplace.ts';

/**
 * File that Terraform leaves beside the configuration, readable by all users, if it cannot store
 * its state. This happens for example if credentials expire during an apply.
 */
const name = 'errored.tfstate';

/**
 * Returns the time of a file from before the apply, to distinguish it from a file that the apply
 * leaves.
 */
export async function markUnsaved({ directory }: Workplace): Promise<number | undefined> {
  const found = await ifThere(stat(join(directory, name)));
  return found?.mtimeMs;
}

/** Moves the file of this apply to the shard's own folder and returns its path. */
export async function keepUnsaved(
  place: Workplace,
  mark: number | undefined,
): Promise<string | undefined> {
  const found = await markUnsaved(place);
  if (found === undefined || found === mark) return undefined;
  const file = unsavedFile(place);
  await rename(join(place.directory, name), file);
  await chmod(file, 0o600);
  return file;
}

/** Reads the shard's state that is not stored yet. */
export function readUnsaved(place: Workplace): Promise<string | undefined> {
  return ifThere(readFile(unsavedFile(place), 'utf8'));
}

/** Detects OpenTofu's state encryption, which hides the resources. */
export function isEncrypted(text: string): boolean {
  const state = parseJson(text);
  return typeof state === 'object' && state !== null && 'encrypted_data' in state;
}

export async function dropUnsaved(place: Workplace): Promise<void> {
  await rm(unsavedFile(place), { force: true });
}

export function unsavedFile({ dataDirectory }: Workplace): string {
  return join(dataDirectory, name);
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
