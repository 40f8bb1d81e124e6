import { type Configuration, loadConfiguration } from '../config/load.ts';
import { counted } from '../domain/counted.ts';
import { formatDuration } from '../domain/duration.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { CommandExit, CommonOptions } from './actions.ts';
import type { Folder } from './starting/folder.ts';

export interface CommandSurroundings {
  readonly folder: Folder;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

/** Says what the configuration amounts to; contacts nobody. */
export async function validateConfiguration(
  options: CommonOptions,
  { folder, environment, write }: CommandSurroundings,
): Promise<CommandExit> {
  const configuration = await loadConfiguration({
    readFile: folder.read,
    path: options.config,
    environment,
    overrides: options.overrides,
  });
  write(`${describe(configuration).join('\n')}\n`);
  return 0;
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
