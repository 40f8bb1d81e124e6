import { resolve } from 'node:path';
import { shellPath } from '../src/domain/text/shell-word.ts';
import { sandboxUnreachable } from '../src/errors/sandbox.ts';
import { ensureConfiguration } from './configuration.ts';
import { livingVersion } from './github/versions.ts';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './sandbox.ts';

/** As its configuration expects them. */
const githubHosts = { process: 'actions_runner', runnerVersion: livingVersion } as const;

export interface Output {
  write(text: string): unknown;
}

/** `hosted-runner sandbox`: serves until `signal` is aborted. Resolves to the exit code. */
export async function runSandbox(
  options: SandboxOptions & { stdout: Output; signal: AbortSignal },
): Promise<number> {
  const { stdout, signal, program } = options;
  // The machines work in folders of their own, and the next terminal may be anywhere.
  const folder = resolve(options.folder);
  const sandbox = await startSandbox({
    ...options,
    folder,
    ...(options.runners === 'github' ? { behaviour: githubHosts } : {}),
  });
  try {
    const config = ensureConfiguration({
      folder,
      program,
      url: sandbox.url,
      runners: options.runners ?? 'gitlab',
    });
    const environment = { ...sandbox.environment, HOSTED_RUNNER_CONFIG: config };
    stdout.write(
      `# GitLab ${sandbox.gitlab.version} ${sandbox.url}  AWS ${sandbox.ssmUrl}  state in ${folder}\n`,
    );
    for (const [name, value] of Object.entries(environment)) {
      stdout.write(`export ${name}=${shellPath(value)}\n`);
    }
    if (options.runnerBinary !== undefined)
      stdout.write(`# The hosts start ${options.runnerBinary}\n`);
    stdout.write('# Serving until interrupted (Ctrl-C).\n');
    await aborted(signal);
    stdout.write('# Powering the machines off.\n');
  } finally {
    await sandbox.stop();
  }
  return 0;
}

export interface ShardOrder {
  sandboxUrl: string;
  runnerName: string;
  shard: string;
  stdout: Output;
  /** Gets the reason of a failure, where a tool for infrastructure would say it. */
  stderr: Output;
  /** Aborted, it leaves the shard half built, as a killed Terraform does. */
  signal?: AbortSignal | undefined;
}

/** `hosted-runner sandbox apply`, for `infrastructure.apply`. */
export function runApply(order: ShardOrder): Promise<number> {
  return runVerb(order, 'apply');
}

/** `hosted-runner sandbox destroy`, for `infrastructure.destroy`. */
export function runDestroy(order: ShardOrder): Promise<number> {
  return runVerb(order, 'destroy');
}

async function runVerb(order: ShardOrder, verb: string): Promise<number> {
  const { stdout, stderr } = order;
  const response = await send(order, verb);
  const change = (await response.json()) as { reason?: string; error?: string };
  stdout.write(`${JSON.stringify(change)}\n`);
  if (response.ok) return 0;
  stderr.write(`Error: ${change.reason ?? change.error ?? `status ${response.status}`}\n`);
  return 1;
}

async function send(order: ShardOrder, verb: string): Promise<Response> {
  const { sandboxUrl, runnerName, shard, signal } = order;
  const place = [runnerName, shard].map(encodeURIComponent).join('/');
  try {
    return await fetch(`${sandboxUrl}/sandbox/stacks/${place}/${verb}`, {
      method: 'POST',
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw sandboxUnreachable(sandboxUrl);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
