import { join } from 'node:path';
import type { StackSettings } from '../domain/settings.ts';
import { fill, fillAll } from '../domain/text/placeholders.ts';
import { printable } from '../domain/text/show.ts';
import { invalidConfiguration } from '../errors/input-errors.ts';
import type { Configuration, ConfigurationFiles } from './load.ts';

/** What `hosted-runner init` writes where only a person knows the value. */
const mark = 'FILL_IN';

export function isPlaceholder(value: unknown): boolean {
  return [value].flat().some((item) => typeof item === 'string' && item.includes(mark));
}

/**
 * Terraform takes the mark for a value, and AWS refuses it only when half of a shard is built. A file
 * that is not there, or that cannot be read, is told by Terraform: a job may write it before.
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
    places.push(...unfilledPlaces(printable(file), text ?? ''));
  }
  if (places.length > 0) throw invalidConfiguration(path, places);
}

/** Of both shards, as they are seen from where we run. */
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

function unfilledPlaces(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const column = withoutComment(line).indexOf(mark);
    if (column < 0) return [];
    const name = /^\s*"?([\w-]+)"?\s*[=:]/.exec(line)?.[1];
    const whose = name === undefined ? '' : `${name}: `;
    return [`${file}:${index + 1}:${column + 1}: ${whose}still to be filled in`];
  });
}

/** A mark of a comment inside of quotes is text. */
function withoutComment(line: string): string {
  return line.replace(/("(?:[^"\\]|\\.)*")|(?:#|\/\/).*$/g, '$1');
}

/** Without a code it is not the file's fault: whoever reads was told to end. */
function unreadable(error: unknown): undefined {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return undefined;
}
