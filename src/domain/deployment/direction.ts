import { isBaking } from '../bake/bake-note.ts';
import { otherShard, type Shard, type ShardPair } from '../shard.ts';
import type { Status } from './deployment-status.ts';
import type { OwnerState } from './lock/pipeline-state.ts';
import { type DeploymentRecord, expectedActive } from './record.ts';
import { isPastQuarantine } from './stages-and-steps.ts';

/** What `prepare` decides. Every other stage follows the record and never decides a direction. */
export type Direction =
  | OwnDirection
  | { readonly kind: 'superseded'; readonly reason: string }
  /** `isUnknown`: its CI does not report whether the pipeline can still act. */
  | { readonly kind: 'busy'; readonly reason: string; readonly isUnknown?: true }
  | {
      readonly kind: 'contradiction';
      readonly reason: string;
      readonly statusShard?: Shard;
      /** Which shard the record expects the status to name. */
      readonly expected?: Shard;
    };

/** What is left for a pipeline that neither another one nor a contradiction stops. */
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
  /** How many registrations carry each shard's description. */
  readonly registrations: Readonly<Record<string, number>>;
  /** Shards that are proven to serve, or open, contacted and not known to have ended. */
  readonly serving: readonly Shard[];
  /** Shards of which nothing can take a job: no machine is left, or every process has ended. */
  readonly ended: readonly Shard[];
  /** What the CI says of the record's pipeline; asked only where it is another's and unfinished. */
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

/** What this id may do at all, whatever the world looks like. */
export function judgeOwnId(
  record: DeploymentRecord,
  run: DirectionFacts['run'],
): Direction | undefined {
  const { deployment } = record;
  if (deployment.id === run.deploymentId) {
    if (deployment.phase === 'done') return finished(run.deploymentId);
    return { kind: 'resume', reason: `deployment ${deployment.id} is ${deployment.phase}` };
  }
  if (record.history.some((past) => past.id === run.deploymentId))
    return finished(run.deploymentId);
  if (Date.parse(run.pipelineCreatedAt) <= Date.parse(deployment.pipelineCreatedAt)) {
    return {
      kind: 'superseded',
      reason: `its pipeline was created ${run.pipelineCreatedAt}, the one of ${deployment.id} ${deployment.pipelineCreatedAt}`,
    };
  }
  return undefined;
}

function finished(id: string): Direction {
  return { kind: 'finished', reason: `deployment ${id} is done` };
}

/** Where status and record do not tell the same story; every stage stops there. */
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
  // Of the one that the status named an activation has found nothing left, so that nothing retires.
  if (expected !== candidate && kind === 'activate' && retiring === undefined) return undefined;
  const wanted = expected === 'either' ? (retiring ?? 'none') : expected;
  return {
    kind: 'contradiction',
    reason: `deployment_status says ${activeNow === 'none' ? 'nothing' : `${activeNow} is active`}, the record expects ${wanted === 'none' ? 'no status yet' : wanted}`,
    ...(activeNow === 'none' ? {} : { statusShard: activeNow }),
    ...named,
  };
}

function directionWithoutRecord(facts: DirectionFacts): Direction {
  const { shards, status, registrations, serving, ended } = facts;
  const known = shards.filter((shard) => (registrations[shard] ?? 0) > 0);
  if (status.kind === 'invalid') {
    return { kind: 'contradiction', reason: `deployment_status is invalid: ${status.reason}` };
  }
  if (status.kind === 'absent') {
    if (known.length === 0) {
      return {
        kind: 'begin',
        candidate: shards[0],
        reason: 'first deployment: no status, no record, no registration',
      };
    }
    return {
      kind: 'contradiction',
      reason: `there is no status and no record, but a registration of ${known.join(' and ')}`,
    };
  }
  const { active, inactive } = status;
  // What is dead by two sources serves whatever the status may have meant: nothing is lost by another.
  const isDead = ended.includes(active);
  if (!serving.includes(active) && !isDead) {
    return {
      kind: 'contradiction',
      reason: `there is no record, and ${active}, active by its status, is not proven to serve`,
    };
  }
  if (known.includes(inactive)) {
    return {
      kind: 'contradiction',
      reason: `there is no record, and the inactive ${inactive} has a registration`,
    };
  }
  return {
    kind: 'begin',
    candidate: inactive,
    retiring: active,
    reason: isDead
      ? `${active} is active and cannot serve any more; another one takes its place`
      : `${active} is active; the stack is taken over as it is`,
  };
}

function judgeAdoption(record: DeploymentRecord, owner: OwnerState | undefined): Direction {
  const { id, phase, candidate } = record.deployment;
  if (owner?.kind !== 'over') {
    const reason = owner?.reason ?? 'nobody was asked';
    return {
      kind: 'busy',
      reason: `deployment ${id} is ${phase} and its pipeline is not proven to be over: ${reason}`,
      ...(owner?.kind === 'alive' ? {} : { isUnknown: true as const }),
    };
  }
  if (phase === 'draining') {
    return {
      kind: 'busy',
      reason: `deployment ${id} still drains ${record.deployment.retiring ?? 'nothing'}`,
    };
  }
  if (isBaking(record.deployment)) {
    return {
      kind: 'busy',
      reason: `deployment ${id} still watches ${candidate} under customers' jobs`,
    };
  }
  const finishOnly = isPastQuarantine(phase);
  const what = finishOnly ? 'is finished first' : `is taken over with its candidate ${candidate}`;
  return {
    kind: 'adopt',
    finishOnly,
    reason: `deployment ${id} is ${phase}, its pipeline is over (${owner.reason}); it ${what}`,
  };
}

function nextDeployment({ shards }: DirectionFacts, record: DeploymentRecord): Direction {
  const active = record.deployment.candidate;
  const candidate = otherShard(shards, active);
  return {
    kind: 'begin',
    candidate,
    retiring: active,
    reason: `${active} is active since ${record.deployment.phaseAt.slice(0, 10)}`,
  };
}
