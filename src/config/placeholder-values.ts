import { join } from 'node:path';
import type { StackSettings } from '../domain/settings.ts';
import { fill, fillAll } from '../domain/text/placeholders.ts';
import { printable } from '../domain/text/show.ts';
import { invalidConfiguration } from '../errors/input-errors.ts';
import { blank } from './files/hcl-text.ts';
import type { Configuration, ConfigurationFiles } from './load.ts';

/** Mark that `hosted-runner init` writes for values that only an operator knows. */
const mark = 'FILL_IN';

export function isPlaceholder(value: unknown): boolean {
  return [value].flat().some((item) => typeof item === 'string' && item.includes(mark));
}

/**
 * Refuses variable files with the mark. Terraform accepts the mark as a value, and AWS refuses it
 * only when a shard is half built. Terraform itself reports a missing or unreadable file: an
 * earlier job may create it.
 * @throws DeployError `InvalidConfiguration`, with every place
 */
export async function requireFilledFiles(
  { path }: Pick<Configuration, 'path'>,
  stacks: Iterable<StackSettings>,
  readFile: ConfigurationFiles['read'],
): Promise<void> {
  const files = new Set([...stacks].flatMap(variableFiles));
  const places: string[] = [];
  for (const file of files) {
    const text = await readFile(file).catch(unreadable);
    places.push(...listUnfilled(printable(file), text ?? ''));
  }
  if (places.length > 0) throw invalidConfiguration(path, places);
}

/** Lists the variable files of both shards, relative to the current directory. */
function variableFiles({ infrastructure, runnerName, shards }: StackSettings): string[] {
  if (infrastructure.driver !== 'terraform') return [];
  const { directory, varFiles } = infrastructure;
  return shards.flatMap((shard) => {
    const place = { shard, runnerName };
    return fillAll(varFiles, place).map((file) =>
      file.startsWith('/') ? file : join(fill(directory, place), file),
    );
  });
}

/** Lists the places with the mark in a file of Terraform, outside comments. */
export function listUnfilled(file: string, text: string): string[] {
  const code = blank(text, 'comments');
  return code.split('\n').flatMap((line, index) => {
    const column = line.indexOf(mark);
    if (column < 0) return [];
    const name = /^\s*"?([\w-]+)"?\s*[=:]/.exec(line)?.[1];
    const whose = name === undefined ? '' : `${name}: `;
    return [`${file}:${index + 1}:${column + 1}: ${whose}replace FILL_IN by a value`];
  });
}

/**
 * Ignores an unreadable file. An error without a code is no error of the file: the reader was
 * cancelled.
 */
function unreadable(error: unknown): undefined {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return undefined;
}
