import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessTable } from '../../ports/run.ts';

/** What the table asks of the machine; a file that cannot be read is undefined. */
export interface Machine {
  readonly platform: string;
  readonly hostname: string;
  readonly pid: number;
  read(file: string): string | undefined;
  link(file: string): string | undefined;
}

/**
 * On Linux an identity is the boot, the pid namespace, the pid and its start time, so that neither
 * a reboot, nor a container, nor a used-again pid can pass for the process. Elsewhere nothing is
 * proven of any process but ourselves.
 */
export function createProcessTable(machine: Machine): ProcessTable {
  const self =
    identify(machine, machine.pid) ?? `${machine.platform}:${machine.hostname}:${machine.pid}`;
  return {
    self,
    host: machine.hostname,
    identify: (pid) => identify(machine, pid),
    isAlive(identity) {
      if (identity === self) return 'alive';
      const [system, boot, namespace, pid, startTime] = identity.split(':');
      const here = placeOf(machine);
      if (here === undefined || system !== 'linux' || !/^\d+$/.test(pid ?? '')) return 'unknown';
      if (boot !== here.boot || namespace !== here.namespace) return 'unknown';
      return startTimeOf(machine, Number(pid)) === startTime ? 'alive' : 'dead';
    },
  };
}

export function systemMachine({ hostname }: { hostname: string }): Machine {
  return {
    platform: process.platform,
    hostname,
    pid: process.pid,
    read: (file) => attempt(() => readFileSync(file, 'utf8')),
    link: (file) => attempt(() => readlinkSync(file)),
  };
}

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

/** Field 22 of /proc/pid/stat, in clock ticks since the boot; the name before it may hold anything. */
function startTimeOf(machine: Machine, pid: number): string | undefined {
  const stat = machine.read(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent has not asked yet.
  if (fields === undefined || fields[0] === 'Z') return undefined;
  return fields[19];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
