import type { SandboxStore } from '../surroundings/store.ts';
import { type Behaviour, usualBehaviour } from './behaviour.ts';

/** What was set for stacks and shards while the sandbox ran: shard over stack over usual. */
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

  /** How many changes the next apply may make before it fails; asking uses it up. */
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
