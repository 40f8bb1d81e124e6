import { DeployError } from '../../src/errors/deploy-error.ts';
import { isPortFailure, PortFailure } from '../../src/ports/failure.ts';
import type { Parameter } from '../../src/ports/state-store.ts';

const kept = 100;

interface Written {
  readonly entry: string;
  readonly log: string;
  readonly nonce: string;
  readonly from?: string;
  readonly owner?: { readonly job: string };
}

/** Parameter like AWS's: versions without a gap, the newest hundred, and a label on the oldest. */
export class LockParameter {
  versions: readonly Parameter[] = [];
  isLabelled = false;
  #highest = 0;
  /** All entries, including expired ones. */
  #all: Parameter[] = [];

  /** Returns the versions that a read with this delay shows. */
  before(behind: number): readonly Parameter[] {
    return this.versions.slice(0, this.versions.length - behind);
  }

  /** Deletes the name, like another actor. */
  remove(): void {
    this.versions = [];
    this.#all = [];
    this.#highest = 0;
  }

  append(value: string): number {
    if (this.isLabelled && this.versions.length >= kept) throw refused();
    this.#highest += 1;
    const written = { value, version: this.#highest, modifiedAt: '' };
    this.versions = [...this.versions, written].slice(-kept);
    this.#all.push(written);
    return this.#highest;
  }

  /** Returns the lock holder by all entries that were written. */
  holder(): string | undefined {
    let holder: { readonly nonce: string; readonly name: string } | undefined;
    const spent = new Set<string | undefined>();
    const entries = this.#all.map(({ value }) => JSON.parse(value) as Written);
    for (const { entry, nonce, from, owner, log } of entries) {
      const takes =
        entry === 'acquire' ? holder === undefined : entry === 'takeover' && holder?.nonce === from;
      if (log === entries[0]?.nonce) {
        if (entry === 'release' && holder?.nonce === from) holder = undefined;
        else if (takes && !spent.has(nonce)) holder = { nonce, name: owner?.job ?? '' };
      }
      spent.add(nonce).add(from);
    }
    return holder?.name;
  }
}

function refused(): PortFailure {
  const detail = 'ParameterMaxVersionLimitExceeded';
  const source = 'SSM PutParameter';
  return new PortFailure({ kind: 'refused', effect: 'none', source, detail });
}

/** Returns the failure of a request that may have arrived. */
export function unanswered(): PortFailure {
  const source = 'SSM PutParameter';
  return new PortFailure({ kind: 'unreachable', effect: 'unknown', source, detail: 'no answer' });
}

/** Names the end of a contender's run. */
export function endOf(error: unknown): string {
  if (error instanceof DeployError) return error.code;
  if (isPortFailure(error)) return error.kind;
  throw error;
}
