import { defaultPath } from '../../config/load.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import { printable } from '../../domain/text/show.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import {
  configurationExists,
  fileExists,
  fileUnwritable,
  moduleExists,
} from '../../errors/input-errors.ts';
import { systemReason } from '../../errors/system-reason.ts';
import type { CommandExit, InitOptions } from '../handler-types.ts';
import type { CommandSurroundings } from '../validate-command.ts';
import { renderBootstrapValues } from './bootstrap-values.ts';
import { ciPaths, findCiValues, renderAddedStacks, renderCiFile } from './ci-file.ts';
import type { Folder } from './folder.ts';
import {
  type PipelineOutcome,
  renderStartJson,
  renderStartReport,
  type StartReport,
} from './init-report.ts';
import { exploreRepository, type Repository } from './repository.ts';
import {
  bootstrapDirectory,
  copyRootModule,
  findCopiedModule,
  findOccupied,
  moduleDirectory,
  type WrittenFile,
} from './root-module-copy.ts';
import { addStacks } from './stack-addition.ts';
import {
  type Dialogue,
  type KnownValues,
  promptForValues,
  type QuestionScope,
} from './start-questions.ts';
import { findStartRegion, type StartValues } from './start-values.ts';
import { renderStarter } from './starter.ts';

export interface InitSurroundings extends CommandSurroundings {
  readonly show: (text: string) => void;
  /** Absent without a terminal: unknown values become placeholders. */
  readonly dialogue?: Dialogue;
}

/**
 * Writes an initial configuration, or adds stacks to an existing one, and prints the next steps:
 * with `show` for people, with `write` for text to paste. Prompts precede the first write, so a
 * cancelled prompt leaves no file.
 * @throws DeployError `FileExists`, `BadUsage`, `InvalidConfiguration`
 */
export async function initialise(
  options: InitOptions,
  surroundings: InitSurroundings,
): Promise<CommandExit> {
  const { folder, environment, write, show } = surroundings;
  const usual = environment['HOSTED_RUNNER_CONFIG'] || defaultPath;
  const path = options.config ?? usual;
  const repository = await exploreRepository({ folder, environment, ci: options.ci });
  const { ci, gitlabUrl } = repository;
  const pipeline = (await folder.read(ciPaths[ci]).catch(() => undefined)) ?? '';
  const found = findCiValues(ci, pipeline);
  const known: KnownValues = {
    ...found,
    gitlabUrl,
    region: findStartRegion(environment) ?? found.region,
    ...(options.stacks && { stacks: distinct(options.stacks).map((name) => ({ name })) }),
  };
  const start: Start = { options, path, usual, repository, known };
  const adds = options.stacks !== undefined && !options.force && (await isPresent(folder, path));
  const run = adds ? addToConfiguration : writeConfiguration;
  const report = await run(start, surroundings);
  if (options.json === true) write(jsonDocument(renderStartJson(report)));
  else
    for (const { by, lines } of renderStartReport(report))
      ({ show, write })[by](`${lines.join('\n')}\n`);
  return 0;
}

interface Start {
  readonly options: InitOptions;
  readonly path: string;
  /** Path that commands read by default. */
  readonly usual: string;
  readonly repository: Repository;
  readonly known: KnownValues;
}

async function addToConfiguration(
  { options, path, usual, repository, known }: Start,
  { folder, dialogue }: InitSurroundings,
): Promise<StartReport> {
  const { ci } = repository;
  const hasModule = await findCopiedModule(folder);
  if (options.terraform === true && !hasModule) await refuseOccupied(folder, path, options);
  const scope = { ci, terraform: hasModule, isAddition: true };
  const { values, isCanaryJob, filled } = await addStacks({
    folder,
    path,
    known,
    hasModule,
    isCanaryOfCi: ci === 'gitlab',
    complete: (given) => completeValues(given, scope, dialogue),
  });
  const usesRole = hasModule || values.roleArn !== undefined;
  const facts = { ci, values, config: configInput(path), usesRole, isCanaryJob };
  const hasBootstrap = (await folder.check(`${bootstrapDirectory}/variables.tf`)) !== undefined;
  return {
    kind: 'added',
    path,
    usual,
    repository,
    stacks: values.stacks.map(({ name }) => name),
    files: filled.map((file) => file.path),
    filled,
    pipeline: renderAddedStacks(facts),
    hasBootstrap,
  };
}

async function writeConfiguration(
  { options, path, usual, repository: found, known }: Start,
  { folder, dialogue }: InitSurroundings,
): Promise<StartReport> {
  const { ci } = found;
  const terraform = options.terraform === true;
  // Checked before the first prompt and the first write, which avoids a partial result.
  if (!options.force) {
    if (terraform) await refuseOccupied(folder, path, options);
    else if (await isPresent(folder, path)) throw configurationPresent(path, usual, options);
  }
  const values = await completeValues(known, { ci, terraform, isAddition: false }, dialogue);
  const repository: Repository = terraform
    ? { ...found, infrastructure: { kind: 'terraform', directory: moduleDirectory } }
    : found;
  const config = { path, text: renderStarter(repository, values, terraform) };
  const written = await folder
    .write({ ...config, overwrite: options.force })
    .catch(unwritable(path));
  if (!written) throw configurationPresent(path, usual, options);
  const copied = terraform
    ? await copyRootModule(folder, values, renderBootstrapValues(repository, values)).catch(
        unwritable(`${moduleDirectory}/`),
      )
    : undefined;
  const usesRole = terraform || values.roleArn !== undefined;
  const pipeline = renderCiFile({
    ci,
    values,
    config: configInput(path),
    usesRole,
    isCanaryJob: ci === 'gitlab',
  });
  const outcome = await writePipeline(folder, { path: ciPaths[ci], text: pipeline });
  const ciFiles = outcome === 'written' ? [{ path: ciPaths[ci], text: pipeline }] : [];
  return {
    kind: 'written',
    path,
    usual,
    repository,
    stacks: values.stacks.map(({ name }) => name),
    files: [path, ...(copied?.files ?? []), ...ciFiles.map((file) => file.path)],
    filled: [config, ...(copied?.variables ?? []), ...ciFiles],
    pipeline,
    outcome,
    copiesModule: terraform,
  };
}

/** Prompts for unknown values, if an operator is present. */
async function completeValues(
  known: KnownValues,
  scope: QuestionScope,
  dialogue: Dialogue | undefined,
): Promise<StartValues> {
  const values = dialogue === undefined ? known : await promptForValues(known, scope, dialogue);
  return { ...values, stacks: values.stacks ?? [{ name: 'linux' }] };
}

/** Writes the CI's file unless it exists: it may contain other jobs. */
async function writePipeline(folder: Folder, file: WrittenFile): Promise<PipelineOutcome> {
  try {
    const parent = file.path.lastIndexOf('/');
    if (parent > 0) await folder.makeDirectory(file.path.slice(0, parent));
    return (await folder.write({ ...file, overwrite: false })) ? 'written' : 'exists';
  } catch (error) {
    // The operator gets the text and the reason.
    return { reason: systemReason(error) };
  }
}

/** Returns the path for the input `config` of the CI; undefined if its default applies. */
function configInput(path: string): string | undefined {
  return path !== defaultPath && /^[A-Za-z0-9_.@+-][A-Za-z0-9_./@+-]{0,254}$/.test(path)
    ? path
    : undefined;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

async function isPresent(folder: Folder, path: string): Promise<boolean> {
  return (await folder.check(path).catch(() => undefined)) !== undefined;
}

function unwritable(path: string): (error: unknown) => never {
  return (error) => {
    throw fileUnwritable(printable(path), systemReason(error));
  };
}

function configurationPresent(path: string, usual: string, { config }: InitOptions): DeployError {
  return config === undefined && usual !== defaultPath
    ? fileExists(printable(path), 'HOSTED_RUNNER_CONFIG', defaultPath)
    : fileExists(path);
}

/**
 * Refuses to overwrite existing files. A configuration may contain a lot of work, so no suggested
 * command removes it.
 */
async function refuseOccupied(folder: Folder, path: string, typed: InitOptions): Promise<void> {
  // The suggested command keeps these options; otherwise it would be for another CI or other
  // stacks, or not machine-readable.
  const kept = [
    ...(typed.ci === undefined ? [] : ['--ci', typed.ci]),
    ...(typed.stacks ?? []).flatMap((name) => ['--stack', name]),
    ...(typed.json === true ? ['--json'] : []),
  ];
  const hasConfiguration = await isPresent(folder, path);
  if (await findOccupied(folder)) throw moduleExists(`${moduleDirectory}/`, hasConfiguration, kept);
  if (!hasConfiguration) return;
  const beside = path.replace(/(\.ya?ml)?$/, '.new$1');
  throw configurationExists(path, beside, kept);
}
