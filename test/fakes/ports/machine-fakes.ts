import type { Random } from '../../../src/ports/random.ts';
import type { ProcessTable } from '../../../src/ports/run.ts';
import type { World } from '../world/world.ts';

/** Creates a random generator with the world's seed. */
export function createRandomFake(world: World): Random {
  const next = (): number => {
    world.counters.random += 1;
    // Uses splitmix32: the n-th number depends only on the seed and on n.
    let z = (world.seed + Math.imul(world.counters.random, 0x9e3779b9)) | 0;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    id: () => `${word(next())}${word(next())}${word(next())}`.slice(0, 16),
    fraction: next,
  };
}

/** Returns seven characters of a fraction. */
function word(fraction: number): string {
  return Math.floor(fraction * 2 ** 32)
    .toString(36)
    .padStart(7, '0');
}

/** Creates a process table in which processes of other machines are `unknown`, like in CI jobs. */
export function createProcessTableFake(world: World, self: string): ProcessTable {
  return {
    self,
    host: world.processes[self]?.machine ?? 'a machine',
    identify: () => undefined,
    isAlive(identity) {
      const process = world.processes[identity];
      if (process === undefined || process.machine !== world.processes[self]?.machine)
        return 'unknown';
      return process.alive ? 'alive' : 'dead';
    },
    find(identity) {
      const process = world.processes[identity];
      if (process?.pid === undefined || process.machine !== world.processes[self]?.machine)
        return undefined;
      const { pid, alive, isStopped = false } = process;
      return alive ? { pid, isStopped } : undefined;
    },
  };
}
