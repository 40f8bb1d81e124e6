/** A stage begins by taking its lock, and ends by letting go of it: an entry of the lock's log each. */
export const entryOfLock = 'PutParameter of the lock';

/**
 * Which request of a stage is struck next, for all worlds together: the first, the second and so on, or
 * one in so many of them, until a run of the stage has no n-th one. Where it has not even the first of a sample,
 * an earlier one is the first.
 */
export class Strikes {
  readonly struck = new Map<number, string>();
  readonly #taken = new Set<number>();
  /** The number that a run did not come to. */
  #beyond = Number.POSITIVE_INFINITY;
  #first: number;
  readonly #every: number;

  constructor({ first, every }: { readonly first: number; readonly every: number }) {
    this.#first = first;
    this.#every = every;
  }

  /** Undefined where nothing is left, or others are at what is. */
  take(): number | undefined {
    const nth = this.#next();
    if (nth !== undefined) this.#taken.add(nth);
    return nth;
  }

  get hasLeft(): boolean {
    return this.#next() !== undefined;
  }

  #next(): number | undefined {
    for (let nth = this.#first; nth < this.#beyond; nth += this.#every) {
      if (!this.struck.has(nth) && !this.#taken.has(nth)) return nth;
    }
    return undefined;
  }

  /** `request`: what was struck; nothing where the run ended first. */
  end(nth: number, request: string | undefined): void {
    this.#taken.delete(nth);
    if (request !== undefined) this.struck.set(nth, request);
    else if (!this.isOfAll || this.struck.get(nth - 1) === entryOfLock) {
      this.#beyond = Math.min(this.#beyond, nth);
      if (nth === this.#first) this.#first = Math.ceil(nth / 2);
    }
    // It was struck in a run that had a customer's job to write of, and more requests; or is being struck.
    else this.struck.delete(nth - 1);
  }

  /** None is left out. */
  get isOfAll(): boolean {
    return this.#every === 1;
  }

  /** What was struck only in a longer run does not count. */
  get last(): number {
    return Math.min(this.#beyond - 1, Math.max(0, ...this.struck.keys()));
  }

  /** Each that was to be struck was, and a run that was to be struck after the last ended by itself. */
  get isWhole(): boolean {
    const own = [...this.struck.keys()].filter((nth) => nth <= this.last);
    return own.length === Math.ceil((this.#beyond - this.#first) / this.#every);
  }
}
