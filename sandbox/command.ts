import { resolve } from 'node:path';
import type { SandboxSignalOptions } from '../src/cli/handler-types.ts';
import { inShell } from '../src/domain/text/shell-quoting.ts';
import {
  sandboxFolderUnusable,
  sandboxRefused,
  sandboxUnreachable,
} from '../src/errors/sandbox-errors.ts';
import { ensureConfiguration } from './configuration.ts';
import { openExportsFile } from './exports-file.ts';
import { livingVersion } from './github/versions.ts';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './sandbox.ts';
import { prometheusPath, webhookPath } from './signals/signal-servers.ts';

/** Settings that the sandbox's GitHub configuration expects. */
const githubHosts = { process: 'actions_runner', runnerVersion: livingVersion } as const;

/** Error codes for a folder that cannot be created or written. */
const unusable = new Set([
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
]);

export interface Output {
  write(text: string): unknown;
}

/** Runs `hosted-runner sandbox` until `signal` is aborted. Resolves to the exit code. */
export async function runSandbox(
  options: SandboxOptions & { env?: string | undefined; stdout: Output; signal: AbortSignal },
): Promise<number> {
  const { stdout, signal, program } = options;
  // Machines use other working directories, and so may the next terminal.
  const folder = resolve(options.folder);
  const exportsFile = options.env === undefined ? undefined : openExportsFile(options.env);
  const sandbox = await startSandbox({
    ...options,
    folder,
    ...(options.runners === 'github' ? { behaviour: githubHosts } : {}),
  }).catch((error: unknown) => {
    const { code = '' } = error as { code?: string };
    throw unusable.has(code) ? sandboxFolderUnusable({ folder: options.folder, code }) : error;
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
    const exported = Object.entries(environment)
      .map(([name, value]) => inShell`export ${name}=${value}\n`)
      .join('');
    exportsFile?.write(exported);
    stdout.write(exported);
    if (exportsFile !== undefined)
      stdout.write(
        inShell`# In another terminal, instead of pasting these lines: . ${exportsFile.path}\n`,
      );
    stdout.write(
      `# Prometheus ${sandbox.url}${prometheusPath}  webhook ${sandbox.url}${webhookPath}\n`,
    );
    if (options.runnerBinary !== undefined)
      stdout.write(`# The hosts start ${options.runnerBinary}\n`);
    stdout.write(`# Running until interrupted (Ctrl-C).\n`);
    await aborted(signal);
    stdout.write('# Powering the machines off.\n');
  } finally {
    try {
      exportsFile?.remove();
    } finally {
      await sandbox.stop();
    }
  }
  return 0;
}

export interface ShardOrder {
  sandboxUrl: string;
  runnerName: string;
  shard: string;
  stdout: Output;
  /** Receives the reason of a failure, like the output of an infrastructure tool. */
  stderr: Output;
  /** Aborts in the middle, like a killed Terraform. */
  signal?: AbortSignal | undefined;
}

/** Runs `hosted-runner sandbox apply`, for `infrastructure.apply`. */
export function runApply(order: ShardOrder): Promise<number> {
  return runVerb(order, 'apply');
}

/** Runs `hosted-runner sandbox destroy`, for `infrastructure.destroy`. */
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
  const place = [order.runnerName, order.shard].map(encodeURIComponent).join('/');
  return direct(order, `/stacks/${place}/${verb}`, { method: 'POST' });
}

/**
 * Runs `hosted-runner sandbox signal`, which sets the values of Prometheus, an alarm or the
 * webhook.
 */
export async function runSignal(
  order: SandboxSignalOptions & { sandboxUrl: string; signal: AbortSignal },
): Promise<void> {
  const { of, value } = order;
  const where = of === 'webhook' ? of : 'alarm' in of ? 'alarms' : 'queries';
  const body = JSON.stringify({ ...(of === 'webhook' ? {} : of), says: value });
  const response = await direct(order, `/signals/${where}`, { method: 'PUT', body });
  if (response.ok) return;
  const { error } = (await response.json()) as { error: string };
  const target =
    of === 'webhook' ? 'the webhook' : 'alarm' in of ? `alarm ${of.alarm}` : `query ${of.query}`;
  throw sandboxRefused({ value, target, why: error });
}

async function direct(
  { sandboxUrl, signal }: { sandboxUrl: string; signal?: AbortSignal | undefined },
  path: string,
  request: { method: string; body?: string },
): Promise<Response> {
  try {
    return await fetch(`${sandboxUrl}/sandbox${path}`, {
      ...request,
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
