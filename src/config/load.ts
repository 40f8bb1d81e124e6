import type { StackSettings } from '../domain/settings.ts';
import { isShard, type RunnerName, type Shard } from '../domain/shard.ts';
import {
  configurationIsFolder,
  configurationMissing,
  invalidConfiguration,
  unknownShard,
  unknownStack,
} from '../errors/input.ts';
import { parseSource } from './layers/document.ts';
import { type Environment, readAssignments, readCi, readEnvironment } from './layers/overrides.ts';
import { type Problem, renderProblems } from './problem.ts';
import { printable, show } from './show.ts';
import { readStacks } from './stacks.ts';
import { suggest } from './suggestion.ts';

export const defaultPath = 'hosted-runners.yml';

export interface Configuration {
  /** Where it was read, as errors spell it. */
  readonly path: string;
  readonly stacks: ReadonlyMap<RunnerName, StackSettings>;
  /** Sentences for the log; nothing is wrong. */
  readonly warnings: readonly string[];
}

export interface ConfigurationRequest {
  /** The text of a file, or undefined where there is none; rejects where it cannot be read. */
  readonly readFile: (path: string) => Promise<string | undefined>;
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
  const { environment } = request;
  const given = request.path ?? (environment['HOSTED_RUNNER_CONFIG'] || defaultPath);
  const path = printable(given);
  if (request.path === undefined && isFileOfVariable(given)) {
    const problem = `HOSTED_RUNNER_CONFIG: ${path} is the file of a CI variable; a variable may name a file of the repository, not be one`;
    throw invalidConfiguration(path, [problem], ['environment']);
  }
  const text = await readText({ given, path, readFile: request.readFile });
  const { configuration, problems } = read({ path, text, request });
  if (problems.length > 0) {
    const places = problems.map(({ place }) => place.kind);
    throw invalidConfiguration(path, renderProblems(path, problems), places);
  }
  return configuration;
}

/**
 * GitLab puts a variable of type file beside the project, in a folder with this end: whoever starts a
 * pipeline could bring a configuration of their own along.
 */
function isFileOfVariable(path: string): boolean {
  return /(?:^|[\\/])[^\\/]*\.tmp[\\/][^\\/]+$/.test(path);
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
    weaker: readCi(environment),
    stronger: [fromEnvironment.layer, fromFlags.layer],
  });
  return { configuration: { path, stacks, warnings }, problems: [...problems, ...found] };
}

async function readText({
  given,
  path,
  readFile,
}: {
  given: string;
  path: string;
  readFile: ConfigurationRequest['readFile'];
}): Promise<string> {
  let text: string | undefined;
  try {
    text = await readFile(given);
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
