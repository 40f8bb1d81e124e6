import type { World } from '../../fakes/world/world.ts';

/** Ages at which the product or the world changes its behaviour. */
const thresholdsMs = [10, 30, 120, 600, 1800, 3600, 7200].map((seconds) => seconds * 1000);

export interface Names {
  of(kind: string, id: string): string;
}

export function createNames(): Names {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return {
    of(kind, id) {
      const key = `${kind} ${id}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const name = `${kind[0]}${count}`;
      known.set(key, name);
      return name;
    },
  };
}

/** Returns an age, rounded to the thresholds. */
export function age(world: World, at: number | string | undefined): number | string {
  if (at === undefined) return '';
  const moment = typeof at === 'string' ? Date.parse(at) : at;
  const ms = Math.abs(world.now - moment);
  const index = thresholdsMs.findIndex((limit) => ms < limit);
  const steps = index === -1 ? thresholdsMs.length : index;
  return moment > world.now ? -1 - steps : steps;
}
