import { type AutoRollback, isBaking } from '../../domain/bake/bake-note.ts';
import { costInBrief, costOf } from '../../domain/deployment/cost.ts';
import type { OriginalRouting } from '../../domain/deployment/original-routing.ts';
import {
  type Deployment,
  type DeploymentRecord,
  type ShardEntry,
  shardEntry,
  withChange,
} from '../../domain/deployment/record.ts';
import { inheritIntake, inheritLatePause, inheritStop } from '../../domain/drain/shard-intake.ts';
import { withRolledBack } from '../../domain/fingerprint/rollback-notes.ts';
import type { DeploymentId, RegistrationId, Shard } from '../../domain/shard.ts';
import { truncateReason } from '../../domain/text/truncate-reason.ts';
import { commandOf } from '../../errors/fix-line.ts';
import { type StageContext, timestamp } from '../context/context.ts';
import type { Rollback, StageResult } from '../context/result.ts';
import { gate } from '../effects/effect-gate.ts';
import { notingStatus } from '../effects/switch-status.ts';
import { promote } from '../steps/switch/promote.ts';
import { withReopenOnFailure } from './reopen-on-failure.ts';

/**
 * Plan of a `rollback` or `activate`. Both are deployments that begin at `promoting`: the existing
 * candidate is verified and promoted, and the other shard is retired as usual. The plan needs reads
 * only, so a refusal needs no lock.
 */
export type TakeoverPlan =
  | { readonly kind: 'begin'; readonly takeover: Takeover }
  /** An earlier run has begun it. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'nothing'; readonly reason: string };

export interface Takeover {
  readonly record: DeploymentRecord | undefined;
  readonly kind: 'rollback' | 'activate';
  readonly candidate: Shard;
  readonly retiring?: Shard;
  readonly registration?: RegistrationId;
  readonly retiringRegistration?: RegistrationId;
  /** Settings of a runner that an operator created. */
  readonly routingBefore?: OriginalRouting;
  /** Short reason for the rollback. */
  readonly why?: string;
  /** The candidate's process has ended. It takes no customer job until it is verified again. */
  readonly isStartedAgain?: boolean;
  /** A bake's verdict has begun the rollback, not an operator. */
  readonly autoRollback?: AutoRollback;
}

async function begin(context: StageContext, takeover: Takeover): Promise<void> {
  const { journal, log } = context;
  const { record, kind, candidate, retiring } = takeover;
  const at = timestamp(context);
  const deployment: Deployment = {
    ...whose(context, takeover),
    kind,
    candidate,
    ...(retiring === undefined ? {} : { retiring }),
    phase: 'promoting',
    phaseAt: at,
    startedAt: at,
    ...inheritStop(record, retiring),
    // Both shards exist from the beginning.
    ...(retiring === undefined ? {} : { tally: { twoShardsSince: at, twoShardsMs: 0 } }),
    ...(takeover.autoRollback === undefined ? {} : { autoRollback: takeover.autoRollback }),
  };
  const shards: Record<string, ShardEntry> = {
    ...record?.shards,
    [candidate]: {
      ...entryOf(record, candidate, takeover.registration),
      productionTag: takeover.isStartedAgain !== true,
      ...inheritLatePause(record, candidate),
      ...(takeover.routingBefore === undefined ? {} : { routingBefore: takeover.routingBefore }),
    },
    ...(retiring === undefined
      ? {}
      : {
          [retiring]: {
            ...entryOf(record, retiring, takeover.retiringRegistration),
            ...inheritIntake(record, retiring),
          },
        }),
  };
  const kept = keptOf(takeover, at);
  const begun = await notingStatus(context, { ...kept, deployment, shards });
  const snapshot = journal.version() > 0 ? await gate(context) : undefined;
  await journal.write(begun, snapshot);
  log.act(`Started the ${kind}: candidate ${candidate}, retiring shard ${retiring ?? '(none)'}.`);
}

type Whose = Pick<Deployment, 'id' | 'pipelineCreatedAt' | 'pipelineUrl' | 'by'>;

/**
 * Returns the owner of the new deployment. A rollback by a bake belongs to the bake's deployment,
 * whichever run polled.
 */
function whose({ run }: StageContext, { record, kind, autoRollback }: Takeover): Whose {
  if (autoRollback !== undefined && record !== undefined) {
    const { id, pipelineCreatedAt, pipelineUrl, by } = record.deployment;
    const url = pipelineUrl === undefined ? {} : { pipelineUrl };
    return { id: ownId(record, id, kind), pipelineCreatedAt, ...url, by };
  }
  return {
    id: ownId(record, run.deploymentId, kind),
    pipelineCreatedAt: run.pipelineCreatedAt,
    ...(run.pipelineUrl === undefined ? {} : { pipelineUrl: run.pipelineUrl }),
    by: run.by,
  };
}

/** Returns the parts of the record that outlive the deployment that is rolled back. */
function keptOf(
  { record, candidate, why: given, autoRollback }: Takeover,
  at: string,
): Pick<DeploymentRecord, 'history' | 'rollbacks' | 'writesRefusedAt'> {
  const why = autoRollback?.why ?? given;
  const noted =
    record === undefined || why === undefined ? record : withRolledBack(record, { at, why });
  const rollbacks = noted?.rollbacks;
  const history = historyWith(record, at, { isRolledBack: endsBake({ record, candidate }) });
  const refusedAt = record?.writesRefusedAt;
  return {
    history,
    ...(rollbacks === undefined ? {} : { rollbacks }),
    ...(refusedAt === undefined ? {} : { writesRefusedAt: refusedAt }),
  };
}

/** Decides whether the rollback ends a running bake. */
function endsBake({ record, candidate }: Pick<Takeover, 'record' | 'candidate'>): boolean {
  return (
    record !== undefined && isBaking(record.deployment) && record.deployment.retiring === candidate
  );
}

/**
 * Returns an id for the new deployment, even if a job of the same pipeline has begun others: each
 * id has one direction.
 */
export function ownId(
  record: DeploymentRecord | undefined,
  id: DeploymentId,
  kind: Deployment['kind'],
): DeploymentId {
  const known = record === undefined ? [] : [record.deployment, ...record.history];
  const isUsed = (one: string) => known.some((past) => past.id === one);
  let own: string = id;
  for (let count = 1; isUsed(own); count += 1)
    own = count === 1 ? `${id}-${kind}` : `${id}-${kind}-${count}`;
  return own as DeploymentId;
}

/** Returns the shard's entry without evidence. The new deployment must collect its own. */
function entryOf(
  record: DeploymentRecord | undefined,
  shard: Shard,
  registration?: RegistrationId,
): ShardEntry {
  const named = registration === undefined ? {} : { registration, tokenWritten: true };
  const { evidence: _, intake: __, ...entry } = withChange(shardEntry(record, shard), named);
  return { ...entry, productionTag: true };
}

/** Returns the history with the replaced deployment, whose jobs have no effect from now on. */
export function historyWith(
  record: DeploymentRecord | undefined,
  at: string,
  { isRolledBack }: { isRolledBack: boolean } = { isRolledBack: false },
): DeploymentRecord['history'] {
  if (record === undefined || record.deployment.phase === 'done') return record?.history ?? [];
  const { id, kind, candidate } = record.deployment;
  const cost = costInBrief(costOf(record.deployment, at));
  const mark = isRolledBack ? { isRolledBack: true as const } : {};
  return [{ id, kind, candidate, finishedAt: at, cost, ...mark }, ...record.history];
}

/** Carries out the plan under the lock. */
export async function carryOutTakeover(
  context: StageContext,
  plan: TakeoverPlan,
): Promise<StageResult> {
  if (plan.kind === 'nothing') return plan;
  if (plan.kind === 'begin') await begin(context, plan.takeover);
  const { candidate, retiring } = context.journal.current().deployment;
  await withReopenOnFailure(context, () => promote(context, candidate));
  const { settings, typed } = context;
  const next = commandOf({ command: 'finalize', runner: settings.runnerName }, typed);
  return {
    kind: 'done',
    summary: [
      `${candidate} is active`,
      `retire ${retiring ?? 'nothing'} and finish with "${next}"`,
    ],
  };
}

/**
 * Starts the automatic rollback of a deployment with a bad bake. The record is written first: a
 * later run can then resume the rollback. Then the old shard is reopened, verified and made active.
 * A rollback has no bake, so there is no second one.
 */
export async function rollBackAutomatically(
  context: StageContext,
  { reason: why, isStartedAgain }: Rollback,
): Promise<void> {
  const record = context.journal.current();
  const { id, candidate, retiring } = record.deployment;
  if (retiring === undefined) throw new Error(`${id} has no shard to roll back to`);
  context.log.warn(`Rolling back from ${candidate} to ${retiring}: ${why}.`);
  await begin(context, {
    record,
    kind: 'rollback',
    candidate: retiring,
    retiring: candidate,
    isStartedAgain,
    autoRollback: { id, at: timestamp(context), why: truncateReason(why) },
  });
  await promote(context, retiring);
  context.log.warn(`${retiring} is active again; ${candidate} is retired.`);
}
