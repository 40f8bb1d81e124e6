import { isBaking } from '../bake/bake-note.ts';
import { otherShard, type Shard, type ShardPair } from '../shard.ts';
import type { Status } from './deployment-status.ts';
import type { OwnerState } from './lock/pipeline-state.ts';
import { type DeploymentRecord, expectedActive } from './record.ts';
import { isPastQuarantine } from './stages-and-steps.ts';

/** Decision of `prepare`. All other stages follow the record and never decide a direction. */
export type Direction =
  | OwnDirection
  | { readonly kind: 'superseded'; readonly reason: string }
  /** `isUnknown`: the CI does not report whether the pipeline can still act. */
  | { readonly kind: 'busy'; readonly reason: string; readonly isUnknown?: true }
  | {
      readonly kind: 'contradiction';
      readonly reason: string;
      readonly statusShard?: Shard;
      /** The shard that the status should name according to the record. */
      readonly expected?: Shard;
    };

/** Decision if neither another pipeline nor a contradiction stops this pipeline. */
export type OwnDirection =
  | {
      readonly kind: 'begin';
      readonly candidate: Shard;
      readonly retiring?: Shard;
      readonly reason: string;
    }
  | { readonly kind: 'adopt'; readonly reason: string; readonly finishOnly: boolean }
  | { readonly kind: 'resume'; readonly reason: string }
  | { readonly kind: 'finished'; readonly reason: string };

export interface DirectionFacts {
  readonly shards: ShardPair;
  readonly run: { readonly deploymentId: string; readonly pipelineCreatedAt: string };
  readonly status: Status;
  readonly record: DeploymentRecord | undefined;
  /** Number of runners that carry each shard's description. */
  readonly registrations: Readonly<Record<string, number>>;
  /** Shards that are verified, or unpaused, contacted and not known to have ended. */
  readonly accepting: readonly Shard[];
  /** Shards that cannot accept a job: no machine is left, or every process has ended. */
  readonly ended: readonly Shard[];
  /** The CI's report on the recorded pipeline; read only for another, unfinished pipeline. */
  readonly owner?: OwnerState;
}

export function chooseDirection(facts: DirectionFacts): Direction {
  const { record, run } = facts;
  if (record === undefined) return directionWithoutRecord(facts);
  const own = judgeOwnId(record, run);
  if (own !== undefined && own.kind !== 'resume') return own;
  const contradiction = contradictionWithStatus(facts, record);
  if (contradiction !== undefined) return contradiction;
  if (own !== undefined) return own;
  if (record.deployment.phase !== 'done') return judgeAdoption(record, facts.owner);
  return nextDeployment(facts, record);
}

/** Decides from the deployment's id alone; undefined if other facts must decide. */
export function judgeOwnId(
  record: DeploymentRecord,
  run: DirectionFacts['run'],
): Direction | undefined {
  const { deployment } = record;
  if (deployment.id === run.deploymentId) {
    if (deployment.phase === 'done') return finished(run.deploymentId);
    return {
      kind: 'resume',
      reason: `deployment ${deployment.id} is in phase ${deployment.phase}`,
    };
  }
  if (record.history.some((past) => past.id === run.deploymentId))
    return finished(run.deploymentId);
  if (Date.parse(run.pipelineCreatedAt) <= Date.parse(deployment.pipelineCreatedAt)) {
    return {
      kind: 'superseded',
      reason: `this pipeline was created at ${run.pipelineCreatedAt}, and the pipeline of deployment ${deployment.id} at ${deployment.pipelineCreatedAt}`,
    };
  }
  return undefined;
}

function finished(id: string): Direction {
  return { kind: 'finished', reason: `deployment ${id} is done` };
}

/** Returns the contradiction between status and record, at which every stage stops. */
export function contradictionWithStatus(
  { status }: Pick<DirectionFacts, 'status'>,
  record: DeploymentRecord,
): (Direction & { kind: 'contradiction' }) | undefined {
  const expected = expectedActive(record.deployment);
  const named = expected === 'either' || expected === 'none' ? {} : { expected };
  if (status.kind === 'invalid') {
    const reason = `deployment_status is invalid: ${status.reason}`;
    return { kind: 'contradiction', reason, ...named };
  }
  const activeNow = status.kind === 'known' ? status.active : 'none';
  if (expected === activeNow) return undefined;
  const { retiring, candidate, kind } = record.deployment;
  if (expected === 'either' && (activeNow === (retiring ?? 'none') || activeNow === candidate))
    return undefined;
  // An activation found nothing left of the shard in the status, so no shard retires.
  if (expected !== candidate && kind === 'activate' && retiring === undefined) return undefined;
  const wanted = expected === 'either' ? (retiring ?? 'none') : expected;
  return {
    kind: 'contradiction',
    reason: `${activeNow === 'none' ? 'deployment_status does not exist' : `deployment_status names ${activeNow} as active`}, but the record expects ${wanted === 'none' ? 'that it does not exist yet' : wanted}`,
    ...(activeNow === 'none' ? {} : { statusShard: activeNow }),
    ...named,
  };
}

function directionWithoutRecord(facts: DirectionFacts): Direction {
  const { shards, status, registrations, accepting, ended } = facts;
  const known = shards.filter((shard) => (registrations[shard] ?? 0) > 0);
  if (status.kind === 'invalid') {
    return { kind: 'contradiction', reason: `deployment_status is invalid: ${status.reason}` };
  }
  if (status.kind === 'absent') {
    if (known.length === 0) {
      return {
        kind: 'begin',
        candidate: shards[0],
        reason: 'first deployment: no status, no record, no runner',
      };
    }
    return {
      kind: 'contradiction',
      reason: `neither deployment_status nor a record exists, but ${known.join(' and ')} ${known.length === 1 ? 'has' : 'have'} a runner`,
    };
  }
  const { active, inactive } = status;
  // A disproven shard accepts no job anyway: replacing it loses nothing.
  const isDead = ended.includes(active);
  if (!accepting.includes(active) && !isDead) {
    return {
      kind: 'contradiction',
      reason: `there is no record, and it is not verified that the active shard, ${active}, accepts jobs`,
    };
  }
  if (known.includes(inactive)) {
    return {
      kind: 'contradiction',
      reason: `there is no record, but the inactive shard, ${inactive}, has a runner`,
    };
  }
  return {
    kind: 'begin',
    candidate: inactive,
    retiring: active,
    reason: isDead
      ? `${active} is active but can no longer accept jobs; the other shard replaces it`
      : `${active} is active; the stack has no deployment record, so it is taken over as it is`,
  };
}

function judgeAdoption(record: DeploymentRecord, owner: OwnerState | undefined): Direction {
  const { id, phase, candidate } = record.deployment;
  if (owner?.kind !== 'over') {
    return {
      kind: 'busy',
      reason: `deployment ${id} is in phase ${phase}, and ${describeRunning('its pipeline', owner)}`,
      ...(owner?.kind === 'alive' ? {} : { isUnknown: true as const }),
    };
  }
  if (phase === 'draining') {
    return {
      kind: 'busy',
      reason: `deployment ${id} is still draining ${record.deployment.retiring ?? 'nothing'}`,
    };
  }
  if (isBaking(record.deployment)) {
    return {
      kind: 'busy',
      reason: `the bake of ${candidate} in deployment ${id} has not ended`,
    };
  }
  const finishOnly = isPastQuarantine(phase);
  const what = finishOnly ? 'is finished first' : `is adopted with its candidate ${candidate}`;
  return {
    kind: 'adopt',
    finishOnly,
    reason: `deployment ${id} is in phase ${phase}, its pipeline has ended (${owner.reason}); it ${what}`,
  };
}

/** Formats the report on another pipeline that has not ended, or may not have ended. */
export function describeRunning(pipeline: string, owner: OwnerState | undefined): string {
  if (owner?.kind === 'alive') return `${pipeline} has not ended: ${owner.reason}`;
  return `it is unknown whether ${pipeline} has ended: ${owner?.reason ?? 'the pipeline was not queried'}`;
}

function nextDeployment({ shards }: DirectionFacts, record: DeploymentRecord): Direction {
  const active = record.deployment.candidate;
  const candidate = otherShard(shards, active);
  return {
    kind: 'begin',
    candidate,
    retiring: active,
    reason: `${active} has been active since ${record.deployment.phaseAt.slice(0, 10)}`,
  };
}
