import { basename, dirname, resolve } from 'node:path';
import type { StackSettings } from '../domain/settings.ts';
import { isShard, type RunnerName, type Shard } from '../domain/shard.ts';
import { printable, show } from '../domain/text/show.ts';
import { suggest } from '../domain/text/suggestion.ts';
import {
  configurationIsFolder,
  configurationMissing,
  invalidConfiguration,
  unknownShard,
  unknownStack,
} from '../errors/input-errors.ts';
import { parseSource } from './layers/document.ts';
import { type Environment, readAssignments, readEnvironment } from './layers/overrides.ts';
import { type Problem, renderProblems } from './problem.ts';
import { type ReadStacks, readStacks } from './stacks.ts';

export const defaultPath = 'hosted-runners.yml';

export interface Configuration {
  /** Path of the file, as in errors. */
  readonly path: string;
  readonly stacks: ReadonlyMap<RunnerName, StackSettings>;
  /** Sentences for the log about valid settings. */
  readonly warnings: readonly string[];
}

export interface ConfigurationFiles {
  /** Reads the text of a file; undefined if there is none. Rejects if it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** Resolves a path without links; undefined if there is no such file. */
  realPath(path: string): Promise<string | undefined>;
}

export interface ConfigurationRequest {
  readonly files: ConfigurationFiles;
  /** Path from `--config`; default: `HOSTED_RUNNER_CONFIG`, then `hosted-runners.yml`. */
  readonly path?: string | undefined;
  readonly environment: Environment;
  /** One `key=value` per `--set`. */
  readonly overrides?: readonly string[];
}

/**
 * Loads the whole configuration and checks every stack.
 * @throws DeployError `ConfigurationMissing`, or `InvalidConfiguration` with every problem.
 */
export async function loadConfiguration(request: ConfigurationRequest): Promise<Configuration> {
  const { path, problems, stacks, warnings } = await readConfiguration(request);
  if (problems.length > 0) {
    const places = problems.map(({ place }) => place.kind);
    throw invalidConfiguration(path, renderProblems(path, problems), places);
  }
  return { path, stacks, warnings };
}

/**
 * Reads the whole configuration, also with problems. `stacks` contains the stacks without one.
 * @throws DeployError `ConfigurationMissing`, or `InvalidConfiguration` for an unreadable file
 */
export async function readConfiguration(
  request: ConfigurationRequest,
): Promise<ReadStacks & { readonly path: string }> {
  const { environment, files } = request;
  const given = request.path ?? (environment['HOSTED_RUNNER_CONFIG'] || defaultPath);
  const path = printable(given);
  const isNamedByVariable = request.path === undefined && given !== defaultPath;
  if (isNamedByVariable && (await isWrittenByVariable(given, files))) {
    const problem = `HOSTED_RUNNER_CONFIG: ${path} is the file of a CI variable; the variable must contain the path of a file in the repository`;
    throw invalidConfiguration(path, [problem], ['environment']);
  }
  const text = await readConfigurationText({ given, path, files });
  return { path, ...read(text, request) };
}

/**
 * Returns whether the path is a CI variable of type file. GitLab writes it beside the project, into
 * a folder whose name ends with `.tmp`: an actor who can start a pipeline could supply a
 * configuration. The system's resolved path is checked, because `a.tmp//b`, `a.tmp/./b` and a link
 * name the same file. The environment itself is a file below /proc as well.
 */
async function isWrittenByVariable(path: string, files: ConfigurationFiles): Promise<boolean> {
  const real = await files.realPath(path).catch(() => undefined);
  return [resolve(path), real ?? ''].some(
    (one) => basename(dirname(one)).endsWith('.tmp') || /^\/(?:proc|dev)\//.test(one),
  );
}

function read(text: string, { environment, overrides = [] }: ConfigurationRequest): ReadStacks {
  const fromEnvironment = readEnvironment(environment);
  const fromFlags = readAssignments(overrides);
  const problems: Problem[] = [...fromEnvironment.problems, ...fromFlags.problems];
  const source = parseSource(text);
  problems.push(...source.problems);
  if (!('document' in source))
    return { stacks: new Map(), warnings: [], names: [], rootModules: [], problems };
  const found = readStacks({
    source,
    stronger: [fromEnvironment.layer, fromFlags.layer],
    environment,
  });
  return { ...found, problems: [...problems, ...found.problems] };
}

/**
 * Reads the text of the file.
 * @throws DeployError `ConfigurationMissing` or `InvalidConfiguration`
 */
export async function readConfigurationText({
  given,
  path,
  files,
}: {
  given: string;
  /** Path in errors. */
  path: string;
  files: Pick<ConfigurationFiles, 'read'>;
}): Promise<string> {
  let text: string | undefined;
  try {
    text = await files.read(given);
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Not an error of the file: the reader was cancelled.
    if (code === undefined) throw error;
    if (code === 'EISDIR') throw configurationIsFolder(path);
    throw invalidConfiguration(path, [`${path}: the file cannot be read (${String(code)})`]);
  }
  if (text === undefined) throw configurationMissing(path);
  return text;
}

/** Returns the named stack. @throws DeployError `UnknownStack` */
export function selectStack(configuration: Configuration, runnerName: string): StackSettings {
  const found = configuration.stacks.get(runnerName as RunnerName);
  if (found !== undefined) return found;
  const names = [...configuration.stacks.keys()];
  throw unknownStack({
    shown: show(runnerName),
    path: configuration.path,
    names,
    suggestion: suggest(runnerName, names),
  });
}

/** Returns the typed shard. @throws DeployError `UnknownShard` */
export function selectShard({ runnerName, shards }: StackSettings, text: string): Shard {
  if (isShard(shards, text)) return text;
  throw unknownShard({
    shown: show(text),
    runner: runnerName,
    shards,
    suggestion: suggest(text.toLowerCase(), shards),
  });
}
