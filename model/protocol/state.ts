import type { Phase } from '../../src/domain/deployment/stages-and-steps.ts';

/**
 * A deployment as the protocol sees it: what the record and the status say, and as much of the two
 * shards as decides whether customers are served. Small enough for every state to be visited.
 */
export interface ProtocolState {
  /** `none`: the stack exists and has no record. */
  readonly phase: Phase | 'none';
  /** Which shard `deployment_status` names, by its role. */
  readonly status: Role;
  /** Whether this deployment has switched the status. */
  readonly switched: boolean;
  readonly candidate: ShardState;
  readonly retiring: ShardState;
}

export type Role = 'candidate' | 'retiring';

export interface ShardState {
  readonly built: 'no' | 'partly' | 'yes';
  /** Of its registration; `none`: there is no registration. */
  readonly tags: 'none' | 'quarantine' | 'production';
  readonly intake: 'open' | 'closed';
  readonly process: 'runs' | 'ended';
  /** Whether a customer's job runs on it. */
  readonly jobs: 'none' | 'some';
}

export const nothing: ShardState = {
  built: 'no',
  tags: 'none',
  intake: 'open',
  process: 'ended',
  jobs: 'none',
};

export const inProduction: ShardState = {
  built: 'yes',
  tags: 'production',
  intake: 'open',
  process: 'runs',
  jobs: 'none',
};

/** A stack that exists and was never deployed by us. */
export const beginning: ProtocolState = {
  phase: 'none',
  status: 'retiring',
  switched: false,
  candidate: nothing,
  retiring: inProduction,
};

/** A customer's job that is submitted now would be run here. */
export function serves({ built, tags, intake, process }: ShardState): boolean {
  return built === 'yes' && tags === 'production' && intake === 'open' && process === 'runs';
}

/** Whoever was promoted is the one that the next deployment retires. */
export function turned({ candidate, retiring, status }: ProtocolState) {
  const other: Role = status === 'candidate' ? 'retiring' : 'candidate';
  return { candidate: retiring, retiring: candidate, status: other, switched: false } as const;
}

export function keyOf(state: ProtocolState): string {
  return JSON.stringify(state);
}
