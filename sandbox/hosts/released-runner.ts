import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ManagerSettings } from '../manager/orders.ts';
import type { CallResult } from './programs/calls.ts';

/** A released gitlab-runner on one machine, in the place of our manager. */
export interface ReleasedRunner {
  readonly binary: string;
  /** Its config.toml; `.runner_system_id` lies beside it. */
  readonly configFile: string;
  /** Where it tells of itself; the machine's port 9252. */
  readonly port: number;
  readonly searchPath: string;
}

/** The version by its own word; undefined where it is no gitlab-runner. */
export async function readRunnerVersion(
  binary: string,
  searchPath: string,
): Promise<string | undefined> {
  const { out = '' } = await call(binary, ['--version'], { env: { PATH: searchPath } });
  return /^Version: +(\d+\.\d+\.\d+\S*)$/m.exec(out)?.[1];
}

/** A port that is free now; a released runner has to be told one. */
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

/** As a host's start script writes it, the token in it and for nobody else to read. */
export function writeConfiguration(
  { configFile, port }: ReleasedRunner,
  settings: ManagerSettings,
): void {
  const { url, token, concurrent, checkIntervalMs, buildsFolder, conduct } = settings;
  // What never reaches GitLab asks at a port where nobody listens.
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
    // As the reference module: with 1 a released runner warns at each start.
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
 * Starts it in a process group of its own that ends with us, also when we are killed: a watchdog in the
 * group reads from a pipe whose other end is ours. Signals go to the runner alone.
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

/** One of its own commands on the machine, `verify` for one. */
export function askReleased(
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
