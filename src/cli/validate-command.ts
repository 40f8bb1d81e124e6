import { type Configuration, loadConfiguration } from '../config/load.ts';
import { findMissingFiles, requireFilledFiles } from '../config/placeholder-values.ts';
import { jsonDocument } from '../domain/output-schema.ts';
import type { StackSettings } from '../domain/settings.ts';
import { counted } from '../domain/text/count-text.ts';
import { formatDuration } from '../domain/text/duration.ts';
import type { CommandExit, ValidateOptions } from './handler-types.ts';
import type { Folder } from './starting/folder.ts';

export interface CommandSurroundings {
  readonly folder: Folder;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

/** Checks the configuration and prints its effective values; sends no requests. */
export async function validateConfiguration(
  options: ValidateOptions,
  { folder, environment, write }: CommandSurroundings,
): Promise<CommandExit> {
  const loaded = await loadConfiguration({
    files: folder,
    path: options.config,
    environment,
    overrides: options.overrides,
  });
  await requireFilledFiles(loaded, loaded.stacks.values(), folder.read);
  const missing = await findMissingFiles(loaded.stacks.values(), folder.read);
  const configuration = { ...loaded, warnings: [...loaded.warnings, ...missing] };
  if (options.json === true) write(jsonDocument(toJson(configuration)));
  else write(`${describe(configuration).join('\n')}\n`);
  return 0;
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
