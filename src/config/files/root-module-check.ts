import { join } from 'node:path';
import type { RunnerName, Shard } from '../../domain/shard.ts';
import { fill, fillAll } from '../../domain/text/placeholders.ts';
import { printable } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';
import { listUnfilled } from '../placeholder-values.ts';
import { type Place, renderProblems } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';
import { driverOf } from '../rules/infrastructure-rules.ts';
import { type DeclaredVariable, listAssigned, listDeclared } from './terraform-names.ts';

/** Root module of a stack with the values that hosted-runner gives it. */
export interface RootModule {
  readonly runnerName: RunnerName;
  readonly shards: readonly Shard[];
  readonly directory: string;
  readonly varFiles: readonly string[];
  /** Assignments `name=value`. */
  readonly variables: readonly string[];
  /** Places of the two keys, for problems. */
  readonly directoryPlace: Place;
  readonly variablesPlace: Place;
}

/** Files below the current directory. */
export interface CheckedFiles {
  read(path: string): Promise<string | undefined>;
  list(path: string): Promise<readonly { readonly name: string }[]>;
}

/** Lines for an operator, each with its file. */
export interface FileFindings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Returns the stack's root module; undefined for another driver, or if a key of it is refused. */
export function readRootModule(runnerName: RunnerName, keys: ResolvedKeys): RootModule | undefined {
  const directory = keys.get('infrastructure.directory');
  const shards = keys.get('shards');
  const varFiles = keys.get('infrastructure.var_files');
  const variables = keys.get('infrastructure.variables');
  if (driverOf(keys) !== 'terraform' || !directory || !shards || !varFiles || !variables)
    return undefined;
  const directoryPlace = keys.placeOf('infrastructure.directory');
  const variablesPlace = keys.placeOf('infrastructure.variables');
  const all = shards as readonly Shard[];
  return {
    runnerName,
    shards: all,
    directory,
    varFiles,
    variables,
    directoryPlace,
    variablesPlace,
  };
}

/**
 * Compares the variables that root modules declare with the values that they get. A file that does
 * not exist is a warning, because an earlier job may create it.
 */
export async function checkRootModules(
  modules: readonly RootModule[],
  of: {
    readonly files: CheckedFiles;
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** Path of the configuration. */
    readonly path: string;
  },
): Promise<FileFindings> {
  const problems = new Set<string>();
  const warnings = new Set<string>();
  for (const module of modules)
    for (const shard of module.shards) {
      const found = await checkShard(filledIn(module, shard), of);
      for (const problem of found.problems) problems.add(problem);
      for (const warning of found.warnings) warnings.add(warning);
    }
  return { problems: [...problems], warnings: [...warnings] };
}

/** Fills in the names of a shard. Files of values are relative to the root module. */
function filledIn(module: RootModule, shard: Shard): RootModule {
  const place = { shard, runnerName: module.runnerName };
  const directory = fill(module.directory, place);
  const varFiles = fillAll(module.varFiles, place).map((file) =>
    file.startsWith('/') ? file : join(directory, file),
  );
  return { ...module, directory, varFiles, variables: fillAll(module.variables, place) };
}

interface ReadFile {
  readonly path: string;
  /** Undefined: the file does not exist. Null: it cannot be read. */
  readonly text: string | null | undefined;
}

/** Files of a root module for one shard. */
interface ModuleFiles {
  readonly code: readonly ReadFile[];
  /** Files of values that Terraform reads by itself. */
  readonly usual: readonly ReadFile[];
  /** Files of `infrastructure.var_files`. */
  readonly named: readonly ReadFile[];
  readonly isAbsent: boolean;
}

async function readModule(module: RootModule, files: CheckedFiles): Promise<ModuleFiles> {
  const names = (await files.list(module.directory)).map(({ name }) => name);
  const matching = (pattern: RegExp) =>
    names.filter((name) => pattern.test(name)).map((name) => join(module.directory, name));
  const [code, usual, named] = await Promise.all([
    readAll(matching(/\.(?:tf|tofu)(?:\.json)?$/), files),
    readAll(matching(/^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$/), files),
    readAll(module.varFiles, files),
  ]);
  return { code, usual, named, isAbsent: names.length === 0 };
}

async function checkShard(
  module: RootModule,
  { files, environment, path }: Parameters<typeof checkRootModules>[1],
): Promise<FileFindings> {
  const { code, usual, named, isAbsent } = await readModule(module, files);
  const problems = named.flatMap(({ path, text }) => listUnfilled(printable(path), text ?? ''));
  const warnings = named
    .filter(({ text }) => text === undefined)
    .map((file) => missing(module, file.path, 'infrastructure.var_files'));
  const at = (place: Place, text: string) => renderProblems(path, [{ place, text }]);
  if (code.length === 0) {
    const what = isAbsent ? module.directory : join(module.directory, '*.tf');
    const own = missing(module, what, 'infrastructure.directory');
    return { problems, warnings: [own, ...warnings] };
  }
  // The variables of an unreadable file are unknown.
  if (code.some(({ text }) => text === null)) return { problems, warnings };
  const declared = new Map(
    code.flatMap(({ path, text }) =>
      listDeclared(path, text ?? '').map((one) => [one.name, { ...one, path }] as const),
    ),
  );
  const set = module.variables.map((pair) => pair.split('=')[0] ?? '');
  const undeclared = set
    .filter((name) => !declared.has(name))
    .map(
      (name) =>
        `infrastructure.variables: the root module in ${printable(module.directory)} does not declare ${printable(name)}`,
    );
  const given = [
    ...set,
    ...[...named, ...usual].flatMap(({ path, text }) =>
      listAssigned(path, text ?? '').map(({ name }) => name),
    ),
  ];
  const isWhole = [...named, ...usual].every(({ text }) => typeof text === 'string');
  const lacking = [...declared.values()].filter(
    ({ name, isRequired }) =>
      isRequired && !given.includes(name) && environment[`TF_VAR_${name}`] === undefined,
  );
  return {
    problems: [
      ...undeclared.flatMap((text) => at(module.variablesPlace, text)),
      ...problems,
      ...named.flatMap(findRepeated),
      ...(isWhole ? lacking.flatMap((one) => without(module, one, at)) : []),
    ],
    warnings: [...warnings, ...named.flatMap((file) => findUnknown(file, declared))],
  };
}

/** Describes a variable without a value, at the last file that could set it. */
function without(
  { varFiles, directoryPlace }: RootModule,
  { name, path, line }: DeclaredVariable & { readonly path: string },
  at: (place: Place, text: string) => string[],
): string[] {
  const last = varFiles.at(-1);
  const where = last === undefined ? 'in infrastructure.var_files' : 'here';
  const text = `${printable(name)} has no value; ${printable(path)}:${line} declares it without a default (set it ${where}, or TF_VAR_${printable(name)} in the environment)`;
  return last === undefined ? at(directoryPlace, text) : [`${printable(last)}:1:1: ${text}`];
}

function missing({ runnerName }: RootModule, path: string, key: string): string {
  return `${runnerName}: ${printable(path)} does not exist (${key}). An earlier job has to create it.`;
}

async function readAll(paths: readonly string[], files: CheckedFiles): Promise<ReadFile[]> {
  return Promise.all(
    paths.map(async (path) => ({ path, text: await files.read(path).catch(unreadable) })),
  );
}

/** Ignores the error of an unreadable file. An error without a code is a cancelled read. */
function unreadable(error: unknown): null {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return null;
}

/** Finds variables that a file sets twice, which Terraform refuses. */
function findRepeated({ path, text }: ReadFile): string[] {
  const names = new Set<string>();
  return listAssigned(path, text ?? '').flatMap(({ name, line }) => {
    const isRepeated = names.has(name);
    names.add(name);
    return isRepeated ? [`${printable(path)}:${line}:1: ${name}: this variable is set twice`] : [];
  });
}

/** Finds variables that the root module does not declare. Terraform ignores them with a warning. */
function findUnknown(
  { path, text }: ReadFile,
  declared: ReadonlyMap<string, DeclaredVariable>,
): string[] {
  return listAssigned(path, text ?? '')
    .filter(({ name }) => !declared.has(name))
    .map(
      ({ name, line }) =>
        `${printable(path)}:${line}:1: ${name}: the root module does not declare this variable, and Terraform ignores it${didYouMean(name, [...declared.keys()]) || '.'}`,
    );
}
