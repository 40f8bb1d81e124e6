import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shellQuoted } from '../../../src/domain/text/shell-quoting.ts';
import type { RestartPolicy } from '../behaviour.ts';
import { parseWords, signalName } from '../command-words.ts';
import { type Inside, lineCount, runnerUnitName, tailLog } from '../inside.ts';
import type { CallResult } from './calls.ts';
import { imageId, inspectObjects, listContainers } from './docker-inspect.ts';
import { runContainer } from './docker-run.ts';
import { manageVolumes } from './docker-volume.ts';
import { gitlabRunner } from './gitlab-runner.ts';
import type { Unit } from './unit.ts';

/** Runs `docker` on a machine: the runner's container, and those of health checks. */
export async function docker(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const [first = '', ...more] = words;
  if (first === 'container')
    return docker(inside, more[0] === 'ls' ? ['ps', ...more.slice(1)] : more);
  if (first === 'volume') return manageVolumes(inside, more);
  if (first === 'run') return runContainer(inside, more);
  const command = commands[first];
  if (command !== undefined) return command(inside, more);
  if (harmless.includes(first))
    return { code: 0, out: first === 'info' ? 'Server Version: 27.0\n' : '' };
  return { code: 1, err: `docker: '${first}' is not a docker command of the sandbox.\n` };
}

const harmless = ['info', 'version', 'pull', 'image', 'system', 'network', '--version'];

const commands: Readonly<
  Record<string, (inside: Inside, words: readonly string[]) => CallResult | Promise<CallResult>>
> = {
  inspect: inspectObjects,
  images: ({ behaviour }) => ({ code: 0, out: `${imageId(behaviour.runnerVersion)}\n` }),
  ps: listContainers,
  update: updateContainer,
  kill: killContainer,
  stop: stopContainer,
  start: startContainer,
  restart: restartContainer,
  rm: removeContainer,
  wait: waitContainer,
  logs: readLogs,
  exec: execIn,
};

/** Returns the runner's container, if the machine runs the runner in one. */
function runnerContainer(inside: Inside, name: string | undefined): Unit | undefined {
  return name === runnerUnitName && inside.behaviour.process === 'docker' ? inside.unit : undefined;
}

function noSuchContainer(name: string | undefined): CallResult {
  return { code: 1, err: `Error response from daemon: No such container: ${name ?? ''}\n` };
}

function updateContainer(inside: Inside, words: readonly string[]): CallResult {
  const { flags, rest } = parseWords(words, { valued: ['restart'] });
  const unit = runnerContainer(inside, rest[0]);
  if (unit === undefined) return noSuchContainer(rest[0]);
  const policy = flags.get('restart')?.replace(/:\d+$/, '').replace('unless-stopped', 'always');
  if (!isRestartPolicy(policy)) {
    return { code: 125, err: `invalid restart policy '${policy ?? ''}'\n` };
  }
  unit.restartPolicy = policy;
  return { code: 0, out: `${rest[0]}\n` };
}

function isRestartPolicy(text: string | undefined): text is RestartPolicy {
  return text === 'always' || text === 'on-failure' || text === 'no';
}

function killContainer(inside: Inside, words: readonly string[]): CallResult {
  const { flags, rest } = parseWords(words, { valued: ['signal', 's'] });
  const name = rest[0];
  const wanted = flags.get('signal') ?? flags.get('s') ?? 'KILL';
  const signal = signalName(wanted);
  if (signal === undefined) return { code: 1, err: `invalid signal: ${wanted}\n` };
  const unit = runnerContainer(inside, name);
  if (unit === undefined && inside.containers.find(name ?? '') === undefined) {
    return noSuchContainer(name);
  }
  if (unit !== undefined && !unit.signal(signal)) {
    return {
      code: 1,
      err: `Error response from daemon: cannot kill container: ${name}: container is not running\n`,
    };
  }
  return { code: 0, out: `${name}\n` };
}

async function stopContainer(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const { flags, rest } = parseWords(words, { valued: ['t', 'time', 'timeout', 'stop-timeout'] });
  const unit = runnerContainer(inside, rest[0]);
  if (unit === undefined) {
    return inside.containers.find(rest[0] ?? '')
      ? { code: 0, out: `${rest[0]}\n` }
      : noSuchContainer(rest[0]);
  }
  const seconds = Number(flags.get('t') ?? flags.get('time') ?? flags.get('timeout') ?? 10);
  await unit.end('SIGQUIT', seconds < 0 ? 2 ** 31 - 1 : seconds * 1000);
  return { code: 0, out: `${rest[0]}\n` };
}

function startContainer(inside: Inside, words: readonly string[]): CallResult {
  const { rest } = parseWords(words, { valued: [] });
  const unit = runnerContainer(inside, rest[0]);
  if (unit === undefined) return noSuchContainer(rest[0]);
  unit.heldDown = false;
  unit.start();
  return { code: 0, out: `${rest[0]}\n` };
}

async function restartContainer(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const stopped = await stopContainer(inside, words);
  const { rest } = parseWords(words, { valued: ['t', 'time', 'timeout'] });
  return stopped.code === 0 ? startContainer(inside, rest) : stopped;
}

async function removeContainer(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const { flags, rest } = parseWords(words, { valued: [] });
  const isForced = flags.has('f') || flags.has('force') || flags.has('fv') || flags.has('vf');
  for (const name of rest) {
    const container = inside.containers.find(name);
    const unit = runnerContainer(inside, name);
    if (unit !== undefined) {
      if (unit.isRunning && !isForced) return { code: 1, err: stillRuns(name) };
      await unit.end('SIGKILL', 1000);
    } else if (container === undefined) {
      if (!isForced) return noSuchContainer(name);
    } else if (container.state === 'running' && !isForced) return { code: 1, err: stillRuns(name) };
    else inside.containers.remove(container);
  }
  return { code: 0, out: rest.map((name) => `${name}\n`).join('') };
}

function stillRuns(name: string): string {
  return `Error response from daemon: cannot remove container "${name}": container is running: stop the container before removing or force remove\n`;
}

async function waitContainer(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const unit = runnerContainer(inside, words[0]);
  while (unit?.isRunning) await sleep(20);
  if (unit !== undefined) return { code: 0, out: `${unit.exitCode ?? 0}\n` };
  const container = inside.containers.find(words[0] ?? '');
  if (container === undefined) return noSuchContainer(words[0]);
  await container.finished;
  return { code: 0, out: `${container.exitCode}\n` };
}

// Reads a container's log. Docker has two outputs; the sandbox's manager writes to one.
function readLogs(inside: Inside, words: readonly string[]): CallResult {
  const { flags, rest } = parseWords(words, { valued: ['tail', 'n', 'since', 'until'] });
  if (runnerContainer(inside, rest[0]) !== undefined) {
    const stamp = (at: string) => (flags.has('timestamps') || flags.has('t') ? `${at} ` : '');
    const lines = lineCount(flags.get('tail') ?? flags.get('n'));
    return { code: 0, out: tailLog(inside, lines, stamp) };
  }
  const container = inside.containers.find(rest[0] ?? '');
  return container ? { code: 0, out: container.log } : noSuchContainer(rest[0]);
}

async function execIn(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const { rest } = parseWords(words, { valued: ['e', 'env', 'u', 'user', 'w'], stopsAtRest: true });
  const [name, ...command] = rest;
  const unit = runnerContainer(inside, name);
  if (unit === undefined && inside.containers.find(name ?? '') === undefined)
    return noSuchContainer(name);
  // The container's first process is the runner manager, not this computer's.
  if (command[0] === 'kill') {
    return unit
      ? killContainer(inside, ['-s', (command[1] ?? '-TERM').slice(1), name ?? ''])
      : { code: 1 };
  }
  // The same applies to processes that a shell in the container finds below /proc and signals.
  const signal = /^ *if .* kill -(\w+) "\$1"/m.exec(command[2] ?? '')?.[1];
  if (unit !== undefined && command[0] === 'sh' && signal !== undefined)
    return killContainer(inside, ['-s', signal, name ?? '']);
  const printed =
    command[0] === 'sh' ? await readInside(inside, command[2], command[3]) : undefined;
  if (printed !== undefined) return { code: 0, out: printed };
  // Checks call these two often, and a separate shell would be their largest cost.
  if (command[0] === 'gitlab-runner') return gitlabRunner(inside, command.slice(1));
  if (command[0] === 'cat' && command[1]?.startsWith('/etc/gitlab-runner/'))
    return readOwnFile(inside, command[1]);
  return inside.execute(`exec ${command.map(shellQuoted).join(' ')}\n`);
}

/**
 * Handles a script that prints the runner's files and version, one per line. Undefined for any
 * other script.
 */
async function readInside(inside: Inside, script = '', word = ''): Promise<string | undefined> {
  let printed = '';
  for (const line of script.split('\n').filter((each) => each !== '')) {
    const path = /^cat (\/etc\/gitlab-runner\/\S+)$/.exec(line)?.[1];
    const format = /^printf "([^"]*)" "\$0"$/.exec(line)?.[1];
    const verb = /^exec gitlab-runner (\S+)$/.exec(line)?.[1];
    if (path !== undefined) printed += readOwnFile(inside, path).out ?? '';
    else if (format !== undefined) printed += format.replaceAll('\\n', '\n').replaceAll('%s', word);
    else if (verb !== undefined) printed += (await gitlabRunner(inside, [verb])).out ?? '';
    else return undefined;
  }
  return printed;
}

/** Reads from the machine's copy of the runner's folder, not from this computer's. */
function readOwnFile({ root }: Inside, path: string): CallResult {
  try {
    return { code: 0, out: readFileSync(join(root, path), 'utf8') };
  } catch {
    return { code: 1, err: `cat: ${path}: No such file or directory\n` };
  }
}
