import type { Evidence } from '../../domain/health/evidence.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { RegistryJob } from '../../domain/registration.ts';
import type { DeploymentView, LogEvent } from '../../ports/log-event.ts';
import { formatJobs } from '../bake-text.ts';

/** State of the picture at a terminal, from a run's events so far. */
export interface LiveState {
  readonly command: string;
  readonly runner: string;
  readonly shards: readonly string[];
  readonly active?: string | undefined;
  readonly deployment?: DeploymentView;
  /** Checks by shard. */
  readonly checks: Readonly<Record<string, ShardCheck>>;
}

export interface ShardCheck {
  readonly evidence?: readonly Evidence[];
  readonly service?: Service['kind'] | undefined;
  /** Jobs from the last check of a drain. */
  readonly jobs?: readonly RegistryJob[];
  readonly drain?: string;
  /** Number of finished jobs from the last check of a bake. */
  readonly baked?: string;
}

/** Returns the state after an event. Undefined before the start of a run. */
export function withEvent(state: LiveState | undefined, event: LogEvent): LiveState | undefined {
  if (event.kind === 'run') {
    const { command, stack } = event;
    return { command, runner: stack.runner_name, shards: stack.shards, checks: {} };
  }
  if (state === undefined) return undefined;
  switch (event.kind) {
    case 'record': {
      // At its start, a run reads the record of the last deployment.
      if (event.deployment.phase === 'done' && event.how !== 'written') return state;
      const { phase, retiring } = event.deployment;
      const next = { ...state, deployment: event.deployment };
      return phase === 'done' && retiring !== undefined ? withoutCheck(next, retiring) : next;
    }
    case 'status':
      // The verdict comes from before the switch, so it no longer applies.
      return event.active === undefined || event.active === state.active
        ? { ...state, active: event.active }
        : withCheck({ ...state, active: event.active }, event.active, { service: undefined });
    case 'evidence':
      return withCheck(state, event.shard, { evidence: event.evidence });
    case 'service':
      return withCheck(state, event.shard, { service: event.service.kind });
    case 'drain': {
      const { judgement: verdict } = event;
      const jobs = verdict.kind === 'busy' ? verdict.jobs : [];
      // The verdict comes from before the pause, so it no longer applies.
      return withCheck(state, event.shard, { jobs, drain: verdict.kind, service: undefined });
    }
    case 'bake':
      return withCheck(state, event.shard, { baked: formatJobs(event) });
    default:
      return state;
  }
}

function withoutCheck(state: LiveState, shard: string): LiveState {
  const { [shard]: _, ...checks } = state.checks;
  return { ...state, checks };
}

function withCheck(state: LiveState, shard: string, check: ShardCheck): LiveState {
  const checks = { ...state.checks, [shard]: { ...state.checks[shard], ...check } };
  return { ...state, checks };
}
