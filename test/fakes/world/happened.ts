import type { HistoryEntry, HistoryFact } from './history.ts';
import type { World } from './world.ts';

/** Something that the world did by itself, or a person: not ours to answer for. */
export function happened(world: World, fact: HistoryFact): void {
  world.history.push({ at: world.now, actor: 'world', ...fact });
}

/** What our own runs did since the history had so many entries. */
export function effectsOfOurs(world: World, since: number): HistoryEntry[] {
  return world.history.slice(since).filter(({ actor }) => actor !== 'world');
}
