import { chmod, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../../../domain/text/json.ts';
import type { Workplace } from '../workplace.ts';

/**
 * Where Terraform cannot write its state, as with credentials that end in the middle of an apply, it
 * leaves it beside the configuration under this name, readable by all.
 */
const name = 'errored.tfstate';

/** Tells the file that was there before an apply, whosever it is, from what the apply leaves. */
export async function markUnsaved({ directory }: Workplace): Promise<number | undefined> {
  const found = await ifThere(stat(join(directory, name)));
  return found?.mtimeMs;
}

/** Takes what this apply has left there to the shard's own folder; where it is now. */
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

/** The state of the shard that could not be written yet. */
export function readUnsaved(place: Workplace): Promise<string | undefined> {
  return ifThere(readFile(unsavedFile(place), 'utf8'));
}

/** By OpenTofu's state encryption: its resources cannot be read here. */
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

async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
