import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ManagerSettings } from '../manager/orders.ts';
import type { CallResult } from './programs/calls.ts';

/** Released gitlab-runner on one machine, which replaces the sandbox's manager. */
export interface ReleasedRunner {
  readonly binary: string;
  /** Path of config.toml. `.runner_system_id` is in the same folder. */
  readonly configFile: string;
  /** Port of its endpoints, which is the machine's port 9252. */
  readonly port: number;
  readonly searchPath: string;
}

/** Reads the version that the program prints. Undefined if it is no gitlab-runner. */
export async function readRunnerVersion(
  binary: string,
  searchPath: string,
): Promise<string | undefined> {
  const { out = '' } = await call(binary, ['--version'], { env: { PATH: searchPath } });
  return /^Version: +(\d+\.\d+\.\d+\S*)$/m.exec(out)?.[1];
}

/** Returns a port that is free now, because a released runner needs a fixed one. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Writes the configuration like a host's start script, with the token, readable only by its owner.
 */
export function writeConfiguration(
  { configFile, port }: ReleasedRunner,
  settings: ManagerSettings,
): void {
  const { url, token, concurrent, checkIntervalMs, buildsFolder, conduct } = settings;
  // A runner that never contacts GitLab gets a port without a server.
  const address = conduct === 'never_contacts' ? 'http://127.0.0.1:9' : url;
  const text = [
    `concurrent = ${concurrent}`,
    `check_interval = ${Math.max(1, Math.round(checkIntervalMs / 1000))}`,
    `listen_address = ${JSON.stringify(`127.0.0.1:${port}`)}`,
    '',
    '[[runners]]',
    '  name = "sandbox"',
    `  url = ${JSON.stringify(address)}`,
    `  token = ${JSON.stringify(token)}`,
    // As in the reference module: with 1, a released runner warns at each start.
    `  request_concurrency = ${Math.max(2, Math.min(4, concurrent))}`,
    `  executor = ${JSON.stringify(conduct === 'fails_jobs' ? 'custom' : 'shell')}`,
    `  builds_dir = ${JSON.stringify(buildsFolder)}`,
    `  cache_dir = ${JSON.stringify(join(buildsFolder, 'cache'))}`,
    '',
  ].join('\n');
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  writeFileSync(configFile, text, { mode: 0o600 });
}

/**
 * Starts the runner in a process group that ends with this process, also after a kill. A watchdog
 * in the group reads from a pipe that this process holds. Signals go only to the runner.
 */
export function spawnReleased(
  runner: ReleasedRunner,
  settings: ManagerSettings,
  logFile: string,
): ChildProcess {
  writeConfiguration(runner, settings);
  mkdirSync(join(settings.buildsFolder, 'cache'), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  const { binary, configFile, searchPath } = runner;
  const words = ['run', '--config', configFile, '--working-directory', settings.buildsFolder];
  const child = spawn('sh', ['-c', guard, binary, ...words], {
    cwd: settings.buildsFolder,
    env: { PATH: searchPath, HOME: settings.buildsFolder, LANG: 'C' },
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  const leash = child.stdio[3] as Writable | null;
  leash?.on('error', () => undefined);
  child.once('exit', () => leash?.destroy());
  return child;
}

const guard = '( read -r _ <&3; kill -KILL 0 ) >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"';

/** Runs one of its commands on the machine, such as `verify`. */
export function runReleased(
  { binary, configFile, searchPath }: ReleasedRunner,
  words: readonly string[],
): Promise<CallResult> {
  const [verb = ''] = words;
  const takesConfig = verb === 'verify' || verb === 'list';
  const folder = dirname(configFile);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return call(binary, takesConfig ? [...words, '--config', configFile] : words, {
    folder,
    env: { PATH: searchPath, HOME: folder },
  });
}

function call(
  binary: string,
  words: readonly string[],
  { folder, env }: { folder?: string; env: Record<string, string> },
): Promise<CallResult> {
  const cwd = folder === undefined ? {} : { cwd: folder };
  return new Promise((resolve) => {
    execFile(binary, words, { ...cwd, env, timeout: 60_000 }, (error, out, err) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 127;
      resolve({ code, out, err });
    });
  });
}
