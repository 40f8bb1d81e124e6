import { join } from 'node:path';
import type { StackSettings } from '../domain/settings.ts';
import { fill, fillAll } from '../domain/text/placeholders.ts';
import { printable } from '../domain/text/show.ts';
import { invalidConfiguration } from '../errors/input-errors.ts';
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
    places.push(...unfilledPlaces(printable(file), text ?? ''));
  }
  if (places.length > 0) throw invalidConfiguration(path, places);
}

/** Returns a warning for each variable file that does not exist: an earlier job may create it. */
export async function findMissingFiles(
  stacks: Iterable<StackSettings>,
  readFile: ConfigurationFiles['read'],
): Promise<readonly string[]> {
  const warnings = new Set<string>();
  for (const stack of stacks)
    for (const file of variableFiles(stack)) {
      // An unreadable file exists.
      if ((await readFile(file).catch(asEmpty)) !== undefined) continue;
      warnings.add(
        `${stack.runnerName}: ${printable(file)} does not exist (infrastructure.var_files). An earlier job has to create it.`,
      );
    }
  return [...warnings];
}

function asEmpty(error: unknown): string {
  return unreadable(error) ?? '';
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

function unfilledPlaces(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const column = withoutComment(line).indexOf(mark);
    if (column < 0) return [];
    const name = /^\s*"?([\w-]+)"?\s*[=:]/.exec(line)?.[1];
    const whose = name === undefined ? '' : `${name}: `;
    return [`${file}:${index + 1}:${column + 1}: ${whose}replace FILL_IN by a value`];
  });
}

/** Removes a comment; a comment sign within quotes is text. */
function withoutComment(line: string): string {
  return line.replace(/("(?:[^"\\]|\\.)*")|(?:#|\/\/).*$/g, '$1');
}

/**
 * Ignores an unreadable file. An error without a code is no error of the file: the reader was
 * cancelled.
 */
function unreadable(error: unknown): undefined {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return undefined;
}
