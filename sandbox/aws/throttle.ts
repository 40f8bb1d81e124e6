/** Rate limit of AWS per kind of call. Saved calls may be used at once. */
export class Throttle {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAtMs: number;

  /** Creates a limit. `perSecond` 0 means none. */
  constructor(parts: { perSecond: number; burst: number; now: () => number }) {
    this.#perSecond = parts.perSecond;
    this.#burst = parts.burst;
    this.#now = parts.now;
    this.#tokens = parts.burst;
    this.#filledAtMs = parts.now();
  }

  admits(): boolean {
    if (this.#perSecond === 0) return true;
    const nowMs = this.#now();
    const filled = this.#tokens + ((nowMs - this.#filledAtMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, filled);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
