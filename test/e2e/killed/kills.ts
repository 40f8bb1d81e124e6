/**
 * Name of the request that adds an entry to the lock's log. Each stage begins with the acquire and
 * ends with the release.
 */
export const entryOfLock = 'PutParameter of the lock';

/**
 * Chooses the next request of a stage to strike, for all worlds together. It takes every request,
 * or a sample, until no run has that many. If a run is too short for the first of a sample, an
 * earlier request becomes the first.
 */
export class Strikes {
  readonly struck = new Map<number, string>();
  readonly #taken = new Set<number>();
  /** Smallest number that a run did not reach. */
  #beyond = Number.POSITIVE_INFINITY;
  #first: number;
  readonly #every: number;

  constructor({ first, every }: { readonly first: number; readonly every: number }) {
    this.#first = first;
    this.#every = every;
  }

  /** Returns the next number; undefined if none is left, or other worlds work on the rest. */
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

  /** Records the struck request; undefined if the run ended first. */
  end(nth: number, request: string | undefined): void {
    this.#taken.delete(nth);
    if (request !== undefined) this.struck.set(nth, request);
    else if (!this.isOfAll || this.struck.get(nth - 1) === entryOfLock) {
      this.#beyond = Math.min(this.#beyond, nth);
      if (nth === this.#first) this.#first = Math.ceil(nth / 2);
    }
    // The request belonged to a longer run with a customer job in its record, or another world is
    // about to strike it.
    else this.struck.delete(nth - 1);
  }

  /** Whether every request is struck. */
  get isOfAll(): boolean {
    return this.#every === 1;
  }

  /** Number of the last request. Requests that only a longer run had do not count. */
  get last(): number {
    return Math.min(this.#beyond - 1, Math.max(0, ...this.struck.keys()));
  }

  /**
   * Whether every planned request was struck, and a run that was planned beyond the last ended by
   * itself.
   */
  get isWhole(): boolean {
    const own = [...this.struck.keys()].filter((nth) => nth <= this.last);
    return own.length === Math.ceil((this.#beyond - this.#first) / this.#every);
  }
}
