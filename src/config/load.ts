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
import { readStacks } from './stacks.ts';

export const defaultPath = 'hosted-runners.yml';

export interface Configuration {
  /** Where it was read, as errors spell it. */
  readonly path: string;
  readonly stacks: ReadonlyMap<RunnerName, StackSettings>;
  /** Sentences for the log; nothing is wrong. */
  readonly warnings: readonly string[];
}

export interface ConfigurationFiles {
  /** The text of a file, or undefined if there is none; rejects if it cannot be read. */
  read(path: string): Promise<string | undefined>;
  /** The absolute path without links, or undefined if there is no such file. */
  realPath(path: string): Promise<string | undefined>;
}

export interface ConfigurationRequest {
  readonly files: ConfigurationFiles;
  /** Of `--config`; then `HOSTED_RUNNER_CONFIG`, then `hosted-runners.yml`. */
  readonly path?: string | undefined;
  readonly environment: Environment;
  /** `key=value` of each `--set`. */
  readonly overrides?: readonly string[];
}

/**
 * The whole configuration, every stack checked.
 * @throws DeployError `ConfigurationMissing` or `InvalidConfiguration`, the latter with every problem.
 */
export async function loadConfiguration(request: ConfigurationRequest): Promise<Configuration> {
  const { environment, files } = request;
  const given = request.path ?? (environment['HOSTED_RUNNER_CONFIG'] || defaultPath);
  const path = printable(given);
  const isNamedByVariable = request.path === undefined && given !== defaultPath;
  if (isNamedByVariable && (await isWrittenByVariable(given, files))) {
    const problem = `HOSTED_RUNNER_CONFIG: ${path} is the file of a CI variable; a variable may name a file of the repository, not be one`;
    throw invalidConfiguration(path, [problem], ['environment']);
  }
  const text = await readText({ given, path, files });
  const { configuration, problems } = read({ path, text, request });
  if (problems.length > 0) {
    const places = problems.map(({ place }) => place.kind);
    throw invalidConfiguration(path, renderProblems(path, problems), places);
  }
  return configuration;
}

/**
 * GitLab writes a variable of type file beside the project, into a folder whose name ends with `.tmp`:
 * an actor who can start a pipeline could supply a configuration. The path is checked as the system
 * resolves it, because `a.tmp//b`, `a.tmp/./b` and a link name the same file. The environment itself
 * is a file as well, below /proc.
 */
async function isWrittenByVariable(path: string, files: ConfigurationFiles): Promise<boolean> {
  const real = await files.realPath(path).catch(() => undefined);
  return [resolve(path), real ?? ''].some(
    (one) => basename(dirname(one)).endsWith('.tmp') || /^\/(?:proc|dev)\//.test(one),
  );
}

function read({
  path,
  text,
  request: { environment, overrides = [] },
}: {
  path: string;
  text: string;
  request: ConfigurationRequest;
}): { readonly configuration: Configuration; readonly problems: readonly Problem[] } {
  const fromEnvironment = readEnvironment(environment);
  const fromFlags = readAssignments(overrides);
  const problems: Problem[] = [...fromEnvironment.problems, ...fromFlags.problems];
  const source = parseSource(text);
  problems.push(...source.problems);
  const nothing = { path, stacks: new Map(), warnings: [] };
  if (!('document' in source)) return { configuration: nothing, problems };
  const {
    stacks,
    warnings,
    problems: found,
  } = readStacks({
    source,
    stronger: [fromEnvironment.layer, fromFlags.layer],
    environment,
  });
  return { configuration: { path, stacks, warnings }, problems: [...problems, ...found] };
}

async function readText({
  given,
  path,
  files,
}: {
  given: string;
  path: string;
  files: ConfigurationFiles;
}): Promise<string> {
  let text: string | undefined;
  try {
    text = await files.read(given);
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Not the file's fault: whoever reads was told to end.
    if (code === undefined) throw error;
    if (code === 'EISDIR') throw configurationIsFolder(path);
    throw invalidConfiguration(path, [`${path}: it cannot be read (${String(code)})`]);
  }
  if (text === undefined) throw configurationMissing(path);
  return text;
}

/** @throws DeployError `UnknownStack` */
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

/** The one that a person has typed. @throws DeployError `UnknownShard` */
export function selectShard({ runnerName, shards }: StackSettings, text: string): Shard {
  if (isShard(shards, text)) return text;
  throw unknownShard({
    shown: show(text),
    runner: runnerName,
    shards,
    suggestion: suggest(text.toLowerCase(), shards),
  });
}
