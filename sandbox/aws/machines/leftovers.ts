import type { SandboxStore } from '../../surroundings/store.ts';

/** Resources outside the infrastructure: leftovers of a killed apply or of an operator. */
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

  /** Detaches one part from a resource. */
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
  /**
   * Type in EC2's spelling, such as `security-group`. A resource of another service has a whole ARN
   * as id.
   */
  readonly type: string;
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Whether the resource is in use, so EC2 refuses to remove it. */
  readonly inUse?: boolean;
  /** Policies of a role, or the role of an instance profile. */
  readonly holds?: readonly string[];
}
