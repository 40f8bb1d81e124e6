import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prometheusPath, webhookPath } from './signals/signal-servers.ts';

/** Waits of a deployment: short enough for a trial, and shorter in the demo. */
export interface ConfiguredWindows {
  readonly healthcheckTimeoutMs: number;
  readonly healthcheckPollMs: number;
  /** Poll interval of a runner: 3 s in the sandbox, without long polls. */
  readonly pollOfRunnerMs: number;
  readonly confirmationMs: number;
  readonly drainPollMs: number;
  readonly servicePollMs: number;
}

const usualWindows: ConfiguredWindows = {
  healthcheckTimeoutMs: 180_000,
  healthcheckPollMs: 1000,
  pollOfRunnerMs: 5000,
  confirmationMs: 15_000,
  drainPollMs: 2000,
  servicePollMs: 5000,
};

/** Returns the path for `HOSTED_RUNNER_CONFIG`. */
function configurationFile(folder: string): string {
  return join(folder, 'hosted-runners.yml');
}

/** Writes a configuration for the sandbox, unless the file exists. */
export function ensureConfiguration({
  folder,
  program,
  url,
  runners = 'gitlab',
  managers = 1,
  windows = usualWindows,
}: {
  folder: string;
  runners?: 'gitlab' | 'github';
  /** Hosts per shard. */
  managers?: number;
  program: readonly string[];
  url: string;
  windows?: ConfiguredWindows;
}): string {
  const file = configurationFile(folder);
  if (!existsSync(file)) {
    writeFileSync(file, configurationText({ program, url, runners, managers, windows }), {
      mode: 0o600,
      flag: 'wx',
    });
  }
  return file;
}

// Returns the configuration as JSON, which is valid YAML and needs no special quoting of paths.
function configurationText({
  program,
  url,
  runners,
  managers,
  windows,
}: {
  program: readonly string[];
  url: string;
  runners: 'gitlab' | 'github';
  managers: number;
  windows: ConfiguredWindows;
}): string {
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
${runners === 'gitlab' ? gitlabPart(url) : githubPart(url)}
  infrastructure:
    driver: command
    apply: ${command('apply')}
    destroy: ${command('destroy')}
    pass_environment: [HOSTED_RUNNER_SANDBOX_URL]
  healthcheck:
    timeout: ${duration(windows.healthcheckTimeoutMs)}
    poll: ${duration(windows.healthcheckPollMs)}
  drain:
    poll_of_runner: ${duration(windows.pollOfRunnerMs)}
    confirmation: ${duration(windows.confirmationMs)}
    poll: ${duration(windows.drainPollMs)}
    service_poll: ${duration(windows.servicePollMs)}
${
  runners === 'gitlab'
    ? `${bakePart(url)}
`
    : ''
}stacks:
  linux:
${managers === 1 ? '' : `    managers: ${managers}\n`}    registration:
      tags: [linux]
`;
}

function gitlabPart(url: string): string {
  return `  gitlab:
    url: ${url}
  registration:
    scope: group
    group_id: 10
  canary:
    kind: project
    project: acme/canary
    ref: main
    input: tag`;
}

/** Returns the commented-out part for a bake: docs/use/sandbox.md. */
function bakePart(url: string): string {
  const lines = `bake:
  for: 30s
  jobs: 0
  poll: 2s
  signals:
    prometheus:
      - {query: runner_errors, url: ${url}${prometheusPath}, above: 0.05, for: 0s}
    cloudwatch_alarms: [runner-errors]
    webhook: {url: ${url}${webhookPath}}`;
  return lines.replaceAll(/^/gm, '  #');
}

function githubPart(url: string): string {
  return `  runners: github
  github:
    url: ${url}
    organization: acme
    runner_group: hosted-runners
    quarantine_group: hosted-runners-quarantine
    closed_group: hosted-runners-closed
  canary:
    kind: workflow
    project: acme/app
    workflow: hosted-runner-canary.yml`;
}

function duration(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
