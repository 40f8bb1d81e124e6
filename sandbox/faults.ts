import type { SandboxRandom } from './surroundings/random.ts';

export type FaultService = 'gitlab' | 'github' | 'runner' | 'ssm';

export type FaultEffect =
  | { kind: 'latency'; ms: number }
  | { kind: 'status'; status: number; retryAfterSeconds?: number; body?: string }
  | { kind: 'reset_before' }
  | { kind: 'reset_after' }
  | { kind: 'stale'; ms: number }
  | { kind: 'lose_race' }
  /** A parameter is written, and then a removal of its name comes late and takes it along. */
  | { kind: 'late_removal' }
  /** All of GitLab takes no writes, of its runners neither. */
  | { kind: 'maintenance' }
  /** The database is migrated: the runners are sent away. */
  | { kind: 'migrations' }
  /** An organization takes none: for a minute, or until somebody says otherwise. */
  | { kind: 'read_only'; bounded: boolean };

export interface Fault {
  id: string;
  /** `runner` is the runners' protocol, `gitlab` and `github` the REST APIs, `ssm` all of AWS. */
  service: FaultService;
  match?: {
    method?: string;
    /** A regular expression's source, tried against the path without its query. */
    path?: string;
    operation?: string;
  };
  effect: FaultEffect;
  /** How often it strikes before it removes itself; without it, until it is removed. */
  times?: number;
  /** Of each call that matches; 1 when absent. */
  probability?: number;
}

export interface FaultedCall {
  service: FaultService;
  method?: string;
  path?: string;
  operation?: string;
  /** Its query or its body, for who tells one look from another; no fault is matched by it. */
  asked?: string;
}

export interface Faults {
  /** Replaces a fault of the same id. Throws when `match.path` is not a regular expression. */
  add(fault: Fault): void;
  /** Whether there was one. */
  remove(id: string): boolean;
  list(): Fault[];
  clear(): void;
  /** The oldest fault that strikes this call; counts against its `times`. */
  pick(call: FaultedCall): Fault | undefined;
}

/** On an answer that must never arrive: the server destroys the connection instead of sending it. */
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
