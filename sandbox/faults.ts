import type { SandboxRandom } from './surroundings/random.ts';

export type FaultService = 'gitlab' | 'github' | 'runner' | 'ssm';

export type FaultEffect =
  | { kind: 'latency'; ms: number }
  | { kind: 'status'; status: number; retryAfterSeconds?: number; body?: string }
  | { kind: 'reset_before' }
  | { kind: 'reset_after' }
  | { kind: 'stale'; ms: number }
  | { kind: 'lose_race' }
  /** Writes a parameter, and then a late removal of its name also removes the new value. */
  | { kind: 'late_removal' }
  /** Makes GitLab refuse all writes, including those of runners. */
  | { kind: 'maintenance' }
  /** Migrates the database: GitLab refuses runners' requests meanwhile. */
  | { kind: 'migrations' }
  /**
   * Makes an organization refuse writes. With `bounded`, the response requests a retry after a
   * minute.
   */
  | { kind: 'read_only'; bounded: boolean };

export interface Fault {
  id: string;
  /**
   * `runner` is the runners' protocol, `gitlab` and `github` are the REST APIs, `ssm` is all of
   * AWS.
   */
  service: FaultService;
  match?: {
    method?: string;
    /** Source of a regular expression for the path without its query. */
    path?: string;
    operation?: string;
  };
  effect: FaultEffect;
  /** Number of calls until the fault removes itself. Absent: until it is removed. */
  times?: number;
  /** Probability for each matching call. Default: 1. */
  probability?: number;
}

export interface FaultedCall {
  service: FaultService;
  method?: string;
  path?: string;
  operation?: string;
  /** Query or body of the call, to distinguish calls. No fault matches by it. */
  parameters?: string;
}

export interface Faults {
  /**
   * Adds a fault, or replaces one with the same id. Throws if `match.path` is no regular
   * expression.
   */
  add(fault: Fault): void;
  /** Removes a fault. Returns whether it existed. */
  remove(id: string): boolean;
  list(): Fault[];
  clear(): void;
  /** Returns the oldest fault for this call and counts it against its `times`. */
  pick(call: FaultedCall): Fault | undefined;
}

/** Header of a response that must never arrive: the server destroys the connection instead. */
export const RESET_HEADER = 'x-sandbox-reset';
export type ResetMoment = 'before' | 'after';

export function createFaults(random: Pick<SandboxRandom, 'fraction'>): Faults {
  const faults = new Map<string, Fault>();
  return {
    add(fault) {
      if (fault.match?.path !== undefined) new RegExp(fault.match.path);
      faults.delete(fault.id);
      faults.set(fault.id, { ...fault });
    },
    remove: (id) => faults.delete(id),
    list: () => [...faults.values()].map((fault) => ({ ...fault })),
    clear: () => faults.clear(),
    pick(call) {
      for (const fault of faults.values()) {
        if (!matches(fault, call)) continue;
        if (random.fraction() >= (fault.probability ?? 1)) continue;
        spend(faults, fault);
        return fault;
      }
      return undefined;
    },
  };
}

function matches(fault: Fault, call: FaultedCall): boolean {
  const { method, path, operation } = fault.match ?? {};
  return (
    strikes(fault, call) &&
    (method === undefined || method.toUpperCase() === call.method?.toUpperCase()) &&
    (path === undefined || new RegExp(path).test(call.path ?? '')) &&
    (operation === undefined || operation === call.operation)
  );
}

function strikes({ service, effect }: Fault, call: FaultedCall): boolean {
  if (effect.kind !== 'maintenance' && effect.kind !== 'read_only') return service === call.service;
  const isWrite = call.method !== 'GET' && call.method !== 'HEAD';
  const isGraphql = call.path === '/api/graphql';
  const isGitLabs = call.service === 'gitlab' || call.service === 'runner';
  return service === 'gitlab' && isGitLabs && isWrite && !isGraphql;
}

function spend(faults: Map<string, Fault>, fault: Fault): void {
  if (fault.times === undefined) return;
  fault.times -= 1;
  if (fault.times <= 0) faults.delete(fault.id);
}
