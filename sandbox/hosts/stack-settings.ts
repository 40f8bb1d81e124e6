import type { SandboxStore } from '../surroundings/store.ts';
import { type Behaviour, usualBehaviour } from './behaviour.ts';

/**
 * Settings of stacks and shards that were changed at run time. A shard's setting takes precedence
 * over its stack's, and that over the default.
 */
export class StackSettings {
  readonly #store: SandboxStore;
  readonly #usual: Behaviour;
  readonly #document: Record<string, Partial<Behaviour>>;

  constructor(store: SandboxStore, usual: Partial<Behaviour> = {}) {
    this.#store = store;
    this.#usual = { ...usualBehaviour, ...usual };
    this.#document = store.load<Record<string, Partial<Behaviour>>>('stack-settings') ?? {};
  }

  change({ runnerName, shard }: Place, patch: Partial<Behaviour>): void {
    const key = shard === undefined ? runnerName : `${runnerName}/${shard}`;
    this.#document[key] = { ...this.#document[key], ...patch };
    this.#store.save('stack-settings', this.#document);
  }

  read({ runnerName, shard }: Place): Behaviour {
    return {
      ...this.#usual,
      ...this.#document[runnerName],
      ...(shard === undefined ? {} : this.#document[`${runnerName}/${shard}`]),
    };
  }

  /** Returns after how many changes the next apply fails, and resets the setting. */
  takeFailAfter(place: Place): number | undefined {
    const { failApplyAfter } = this.read(place);
    if (failApplyAfter === undefined) return undefined;
    this.change(place, { failApplyAfter: undefined });
    if (this.#document[place.runnerName]?.failApplyAfter !== undefined) {
      this.change({ runnerName: place.runnerName }, { failApplyAfter: undefined });
    }
    return failApplyAfter;
  }
}

export interface Place {
  runnerName: string;
  shard?: string;
}
