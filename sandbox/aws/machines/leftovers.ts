import type { SandboxStore } from '../../surroundings/store.ts';

/** Resources that no infrastructure knows: what a killed apply, or a person, left behind. */
export class Leftovers {
  readonly #store: SandboxStore;
  readonly #document: { resources: Leftover[] };

  constructor(store: SandboxStore) {
    this.#store = store;
    this.#document = store.load<{ resources: Leftover[] }>('leftovers') ?? { resources: [] };
  }

  list(): readonly Leftover[] {
    return this.#document.resources;
  }

  add(leftover: Leftover): void {
    this.#document.resources.push(leftover);
    this.#store.save('leftovers', this.#document);
  }

  /** Takes one of what it holds from it. */
  release(id: string, held: string): void {
    this.#document.resources = this.#document.resources.map((one) =>
      one.id === id ? { ...one, holds: (one.holds ?? []).filter((each) => each !== held) } : one,
    );
    this.#store.save('leftovers', this.#document);
  }

  remove(id: string): boolean {
    const { resources } = this.#document;
    const kept = resources.filter((one) => one.id !== id);
    this.#document.resources = kept;
    this.#store.save('leftovers', this.#document);
    return kept.length < resources.length;
  }
}

export interface Leftover {
  /** As EC2 spells it, `security-group`; or another service's, with a whole ARN as id. */
  readonly type: string;
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Something still uses it: EC2 refuses to remove it. */
  readonly inUse?: boolean;
  /** Of a role: its policies; of an instance profile: its role. */
  readonly holds?: readonly string[];
}
