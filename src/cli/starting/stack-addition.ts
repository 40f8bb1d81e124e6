import { parseSource, type SourceDocument } from '../../config/layers/document.ts';
import { readConfigurationText } from '../../config/load.ts';
import { renderProblems } from '../../config/problem.ts';
import { findStackNames, insertStacks } from '../../config/stack-insertion.ts';
import { printable } from '../../domain/text/show.ts';
import { stackNotAdded } from '../../errors/component-errors.ts';
import { fileUnwritable, invalidConfiguration } from '../../errors/input-errors.ts';
import { systemReason } from '../../errors/system-reason.ts';
import type { Folder } from './folder.ts';
import { renderVariables, type WrittenFile } from './root-module-copy.ts';
import type { KnownValues } from './start-questions.ts';
import type { StartValues } from './start-values.ts';
import { renderStackEntry } from './starter.ts';

export interface AddedStacks {
  readonly values: StartValues;
  /** Whether the pipeline contains the canary job. */
  readonly isCanaryJob: boolean;
  /** Configuration, then the new variables files. */
  readonly filled: readonly WrittenFile[];
}

/**
 * Adds stacks to a configuration, and a variables file for each stack if the root module is a copy.
 * Existing variables files stay. After an error, every file is as before.
 * @throws DeployError `BadUsage`, `InvalidConfiguration`
 */
export async function addStacks({
  folder,
  path,
  known,
  hasModule,
  isCanaryOfCi,
  complete,
}: {
  readonly folder: Folder;
  readonly path: string;
  readonly known: KnownValues;
  readonly hasModule: boolean;
  /** Whether the CI can run the canary in the same pipeline. */
  readonly isCanaryOfCi: boolean;
  /** Completes the values; called after all checks that need no value. */
  readonly complete: (known: KnownValues) => Promise<StartValues>;
}): Promise<AddedStacks> {
  const shown = printable(path);
  const text = await readConfigurationText({ given: path, path: shown, files: folder });
  const source = readSource(text, shown);
  const names = findStackNames(source) ?? [];
  const existing = known.stacks?.find(({ name }) => names.includes(name));
  if (existing !== undefined)
    throw stackNotAdded(shown, `it already contains the stack ${existing.name}`);
  const kind: unknown = source.document.getIn(['defaults', 'canary', 'kind']);
  const isCanaryJob = isCanaryOfCi && (kind === undefined || kind === 'job');
  const extend = (values: StartValues) => {
    const added = values.stacks.map((stack) => ({
      name: stack.name,
      lines: renderStackEntry(stack, { isCanaryJob, isSingle: names.length === 0 }),
    }));
    const insertion = insertStacks(text, source, added);
    if (insertion.kind === 'refused')
      throw stackNotAdded(shown, `its key stacks ${insertion.reason}`);
    return insertion.text;
  };
  // A form that allows no insertion is refused before the first prompt.
  extend({ stacks: known.stacks ?? [] });
  const values = await complete({ ...known, gitlabUrl: gitlabUrlOf(source) ?? known.gitlabUrl });
  const config = { path, text: extend(values) };
  const variables = hasModule ? values.stacks.map(({ name }) => renderVariables(name, values)) : [];
  const written = await writeTogether(folder, config, variables);
  return { values, isCanaryJob, filled: [config, ...written] };
}

function readSource(text: string, shown: string): SourceDocument {
  const source = parseSource(text);
  if ('document' in source && source.problems.length === 0) return source;
  throw invalidConfiguration(shown, renderProblems(shown, source.problems));
}

function gitlabUrlOf({ document }: SourceDocument): string | undefined {
  const url: unknown = document.getIn(['defaults', 'gitlab', 'url']);
  return typeof url === 'string' && /^https?:\/\/[^\s"$%{}]+$/.test(url) ? url : undefined;
}

/** Writes the new files, then replaces the configuration. Returns the new files. */
async function writeTogether(
  folder: Folder,
  config: WrittenFile,
  added: readonly WrittenFile[],
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = [];
  let current = config.path;
  try {
    for (const file of added) {
      current = file.path;
      if (await folder.write({ ...file, overwrite: false })) written.push(file);
    }
    current = config.path;
    await folder.replace(config);
    return written;
  } catch (error) {
    for (const { path } of written) await folder.remove(path);
    throw fileUnwritable(printable(current), systemReason(error));
  }
}
