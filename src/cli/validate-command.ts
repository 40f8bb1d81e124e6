import { checkRootModules } from '../config/files/root-module-check.ts';
import { type Configuration, readConfiguration } from '../config/load.ts';
import { listUnfilled } from '../config/placeholder-values.ts';
import { renderProblems } from '../config/problem.ts';
import { jsonDocument } from '../domain/output-schema.ts';
import type { StackSettings } from '../domain/settings.ts';
import { counted } from '../domain/text/count-text.ts';
import { formatDuration } from '../domain/text/duration.ts';
import { invalidConfiguration } from '../errors/input-errors.ts';
import type { CommandExit, ValidateOptions } from './handler-types.ts';
import type { Folder } from './starting/folder.ts';
import { bootstrapDirectory } from './starting/root-module-copy.ts';
import { checkGitHubWorkflows } from './validation/github-workflow-check.ts';
import { checkGitLabPipeline } from './validation/gitlab-ci-check.ts';
import { configuredStacks } from './validation/stack-inputs.ts';

export interface CommandSurroundings {
  readonly folder: Folder;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

/** Probes the stacks in the real systems. `data` is for JSON. */
type ProbeStacks = (
  stacks: readonly StackSettings[],
) => Promise<{ readonly exit: CommandExit; readonly data: object }>;

/**
 * Checks the configuration with the files that belong to it: the root modules with their values,
 * and the pipeline of the CI, and prints the effective values. Sends requests only with
 * `probe`.
 * @throws DeployError `ConfigurationMissing`, or `InvalidConfiguration` with every problem
 */
export async function validateConfiguration(
  options: ValidateOptions,
  { folder, environment, write }: CommandSurroundings,
  probe?: ProbeStacks,
): Promise<CommandExit> {
  const configuration = await checkFiles(options, { folder, environment });
  const isJson = options.json === true;
  if (!isJson) write(`${describe(configuration).join('\n')}\n`);
  const online = await probe?.([...configuration.stacks.values()]);
  if (isJson)
    write(jsonDocument({ ...toJson(configuration), ...(online && { online: online.data }) }));
  return online?.exit ?? 0;
}

/** Reads all files in one pass: one run reports the problems of all of them. */
async function checkFiles(
  options: ValidateOptions,
  { folder, environment }: Omit<CommandSurroundings, 'write'>,
): Promise<Configuration> {
  const read = await readConfiguration({
    files: folder,
    path: options.config,
    environment,
    overrides: options.overrides,
  });
  const { path, stacks } = read;
  const known = configuredStacks(path, read.names, stacks);
  const values = `${bootstrapDirectory}/terraform.tfvars`;
  const findings = [
    await checkRootModules(read.rootModules, { files: folder, environment, path }),
    {
      problems: listUnfilled(values, (await folder.read(values).catch(unreadable)) ?? ''),
      warnings: [],
    },
    await checkGitLabPipeline(folder, known),
    await checkGitHubWorkflows(folder, known),
  ];
  const inOthers = findings.flatMap(({ problems }) => problems);
  const problems = [...new Set([...renderProblems(path, read.problems), ...inOthers])];
  if (problems.length > 0) {
    const places = read.problems.map(({ place }) => place.kind);
    const others = inOthers.length > 0 ? (['other file'] as const) : [];
    throw invalidConfiguration(path, problems, [...places, ...others]);
  }
  const warnings = [...read.warnings, ...findings.flatMap((one) => one.warnings)];
  return { path, stacks, warnings };
}

/** Ignores an unreadable file: only its administrator needs it. A cancelled read has no code. */
function unreadable(error: unknown): undefined {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return undefined;
}

function toJson({ path, stacks, warnings }: Configuration) {
  return {
    path,
    stacks: [...stacks.values()].map((stack) => ({
      runner_name: stack.runnerName,
      runners: stack.github === undefined ? 'gitlab' : 'github',
      shards: stack.shards,
      gitlab_url: stack.gitlabUrl,
      tags: stack.registration.tags,
      canary: stack.canary.kind,
      healthcheck_timeout_ms: stack.healthcheck.timeoutMs,
      drain_timeout_ms: stack.drain.timeoutMs ?? null,
    })),
    warnings,
  };
}

function describe({ path, stacks, warnings }: Configuration): string[] {
  const count = counted(stacks.size, 'stack');
  return [
    `✔ ${path} is valid: ${count}.`,
    ...[...stacks.values()].map(describeStack),
    ...warnings.map((warning) => `  ⚠ ${warning}`),
  ];
}

function describeStack(stack: StackSettings): string {
  const { registration, canary, healthcheck, drain } = stack;
  const scope = registration.scope;
  const of =
    scope.kind === 'instance'
      ? 'the instance'
      : scope.kind === 'group'
        ? `group ${scope.groupId}`
        : `project ${scope.projectId}`;
  const limit = drain.timeoutMs === undefined ? 'no limit' : formatDuration(drain.timeoutMs);
  return [
    `  ${stack.runnerName}: ${stack.shards.join(' and ')} for ${of} of ${stack.gitlabUrl}`,
    `tags ${registration.tags.join(', ') || 'none'}`,
    `canary ${canary.kind}`,
    `healthcheck ${formatDuration(healthcheck.timeoutMs)}`,
    `drain ${limit}`,
  ].join(' · ');
}
