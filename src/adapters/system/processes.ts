import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import type { FoundProcess, ProcessTable } from '../../ports/run.ts';

/** Machine that the process table reads. An unreadable file is undefined. */
export interface Machine {
  readonly platform: string;
  readonly hostname: string;
  readonly pid: number;
  read(file: string): string | undefined;
  link(file: string): string | undefined;
  /** Returns the state letters of `ps`, or undefined without such a process. Not used on Linux. */
  stateOf(pid: number): string | undefined;
}

/**
 * Creates the process table. On Linux, an identity consists of boot, pid namespace, pid and start
 * time. It stays unique after a reboot, in containers, and if a pid is reused. On other systems,
 * only the current process can be identified.
 */
export function createProcessTable(machine: Machine): ProcessTable {
  const self =
    identify(machine, machine.pid) ?? `${machine.platform}:${machine.hostname}:${machine.pid}`;
  function isAlive(identity: string): ReturnType<ProcessTable['isAlive']> {
    if (identity === self) return 'alive';
    const [system, boot, namespace, pid, startTime] = identity.split(':');
    const here = placeOf(machine);
    if (here === undefined || system !== 'linux' || !/^\d+$/.test(pid ?? '')) return 'unknown';
    if (boot !== here.boot || namespace !== here.namespace) return 'unknown';
    return startTimeOf(machine, Number(pid)) === startTime ? 'alive' : 'dead';
  }
  return {
    self,
    host: machine.hostname,
    identify: (pid) => identify(machine, pid),
    isAlive,
    find(identity) {
      if (placeOf(machine) === undefined) return findByPid(machine, identity);
      if (isAlive(identity) !== 'alive') return undefined;
      const pid = Number(identity.split(':')[3]);
      return { pid, isStopped: isStopped(statOf(machine, pid)?.[0]) };
    },
  };
}

/** Finds a process by its pid alone. Nothing proves that it is the same process. */
function findByPid(machine: Machine, identity: string): FoundProcess | undefined {
  const [system, hostname, pid = ''] = identity.split(':');
  if (system !== machine.platform || hostname !== machine.hostname || !/^\d+$/.test(pid))
    return undefined;
  const state = machine.stateOf(Number(pid));
  return state === undefined || state === ''
    ? undefined
    : { pid: Number(pid), isStopped: isStopped(state) };
}

/** Detects a stopped process: `T` by a signal, `t` by a debugger. `ps` may append flags. */
function isStopped(state: string | undefined): boolean {
  return state !== undefined && /^[Tt]/.test(state);
}

export function systemMachine({ hostname }: { hostname: string }): Machine {
  return {
    platform: process.platform,
    hostname,
    pid: process.pid,
    read: (file) => attempt(() => readFileSync(file, 'utf8')),
    link: (file) => attempt(() => readlinkSync(file)),
    stateOf: (pid) =>
      attempt(() =>
        execFileSync('ps', ['-o', 'state=', '-p', String(pid)], quiet)
          .toString()
          .trim(),
      ),
  };
}

const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'pipe', 'ignore'], timeout: 2000 };

function identify(machine: Machine, pid: number): string | undefined {
  const place = placeOf(machine);
  const startTime = startTimeOf(machine, pid);
  if (place === undefined || startTime === undefined) return undefined;
  return `linux:${place.boot}:${place.namespace}:${pid}:${startTime}`;
}

function placeOf(machine: Machine): { boot: string; namespace: string } | undefined {
  if (machine.platform !== 'linux') return undefined;
  const boot = machine.read('/proc/sys/kernel/random/boot_id')?.trim();
  const namespace = /\[(\d+)\]/.exec(machine.link('/proc/self/ns/pid') ?? '')?.[1];
  return boot && namespace ? { boot, namespace } : undefined;
}

/**
 * Reads field 22 of /proc/pid/stat, in clock ticks since boot. The name before it may contain any
 * character.
 */
function startTimeOf(machine: Machine, pid: number): string | undefined {
  const fields = statOf(machine, pid);
  // A zombie has ended, and only its parent has not read its exit code.
  if (fields === undefined || fields[0] === 'Z') return undefined;
  return fields[19];
}

/** Returns the fields from number 3 on. */
function statOf(machine: Machine, pid: number): readonly string[] | undefined {
  const stat = machine.read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
