import type { HistoryEntry, HistoryFact } from './history.ts';
import type { World } from './world.ts';

/** Records an event that the world or an operator caused, not a run. */
export function happened(world: World, fact: HistoryFact): void {
  world.history.push({ at: world.now, actor: 'world', ...fact });
}

/** Lists what the product's runs did since the history had `since` entries. */
export function listRunEffects(world: World, since: number): HistoryEntry[] {
  return world.history.slice(since).filter(({ actor }) => actor !== 'world');
}
