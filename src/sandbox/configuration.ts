import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that `HOSTED_RUNNER_CONFIG` names. */
export function configurationFile(folder: string): string {
  return join(folder, 'hosted-runners.yml');
}

/** Writes a configuration for the sandbox's world, unless somebody has one there already. */
export function ensureConfiguration({
  folder,
  program,
  url,
}: {
  folder: string;
  program: readonly string[];
  url: string;
}): string {
  const file = configurationFile(folder);
  if (!existsSync(file)) writeFileSync(file, configurationText(program, url), { mode: 0o600 });
  return file;
}

// JSON is YAML, which spares the quoting of paths. The runners here poll every 3 s and have no long poll.
function configurationText(program: readonly string[], url: string): string {
  const command = (verb: string) =>
    JSON.stringify([
      ...program,
      'sandbox',
      verb,
      '--runner',
      '{runner_name}',
      '--shard',
      '{shard}',
    ]);
  return `# Written by \`hosted-runner sandbox\` for its own world. Yours to change; it is not written again.
version: 1
defaults:
  gitlab:
    url: ${url}
  registration:
    scope: group
    group_id: 10
  canary:
    kind: project
    project: acme/canary
    ref: main
    input: tag
  infrastructure:
    driver: command
    apply: ${command('apply')}
    destroy: ${command('destroy')}
    pass_environment: [HOSTED_RUNNER_SANDBOX_URL]
  healthcheck:
    timeout: 3m
    poll: 1s
  drain:
    poll_of_runner: 5s
    confirmation: 15s
    poll: 2s
stacks:
  linux:
    registration:
      tags: [linux]
`;
}
