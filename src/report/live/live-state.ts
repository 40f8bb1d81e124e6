import type { Evidence } from '../../domain/health/evidence.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { RegistryJob } from '../../domain/registration.ts';
import type { DeploymentView, LogEvent } from '../../ports/log-event.ts';
import { formatJobs } from '../bake-text.ts';

/** What the picture at a terminal shows of a run: as much of its events as matters now. */
export interface LiveState {
  readonly command: string;
  readonly runner: string;
  readonly shards: readonly string[];
  readonly active?: string | undefined;
  readonly deployment?: DeploymentView;
  /** By shard. */
  readonly looks: Readonly<Record<string, ShardCheck>>;
}

export interface ShardCheck {
  readonly evidence?: readonly Evidence[];
  readonly service?: Service['kind'] | undefined;
  /** Of the last look at a drain. */
  readonly jobs?: readonly RegistryJob[];
  readonly drain?: string;
  /** Of the last look at a bake: how many jobs have ended. */
  readonly baked?: string;
}

/** The state behind an event; undefined until a run has begun. */
export function withEvent(state: LiveState | undefined, event: LogEvent): LiveState | undefined {
  if (event.kind === 'run') {
    const { command, stack } = event;
    return { command, runner: stack.runner_name, shards: stack.shards, looks: {} };
  }
  if (state === undefined) return undefined;
  switch (event.kind) {
    case 'record':
      return { ...state, deployment: event.deployment };
    case 'status':
      return { ...state, active: event.active };
    case 'evidence':
      return withCheck(state, event.shard, { evidence: event.evidence });
    case 'service':
      return withCheck(state, event.shard, { service: event.service.kind });
    case 'drain': {
      const { judgement } = event;
      const jobs = judgement.kind === 'busy' ? judgement.jobs : [];
      // That it served was seen before it was closed.
      return withCheck(state, event.shard, { jobs, drain: judgement.kind, service: undefined });
    }
    case 'bake':
      return withCheck(state, event.shard, { baked: formatJobs(event) });
    default:
      return state;
  }
}

function withCheck(state: LiveState, shard: string, look: ShardCheck): LiveState {
  const looks = { ...state.looks, [shard]: { ...state.looks[shard], ...look } };
  return { ...state, looks };
}
