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
 * `rollback` and `activate` are deployments of their own that begin at `promoting`: the candidate is
 * there already, so it is proven, promoted, and the other shard is retired as always. Reads alone say
 * which of these it is, so that a refusal needs no lock.
 */
export type TakeoverPlan =
  | { readonly kind: 'begin'; readonly takeover: Takeover }
  /** Begun by an earlier run. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'nothing'; readonly reason: string };

export interface Takeover {
  readonly record: DeploymentRecord | undefined;
  readonly kind: 'rollback' | 'activate';
  readonly candidate: Shard;
  readonly retiring?: Shard;
  readonly registration?: RegistrationId;
  readonly retiringRegistration?: RegistrationId;
  /** Of a registration that a person has made. */
  readonly routingBefore?: OriginalRouting;
  /** Of a rollback: what was wrong with what is taken back, in few words. */
  readonly why?: string;
  /** Its process has ended: until it is proven again, it gets no customer's job. */
  readonly isStartedAnew?: boolean;
  /** A bake's verdict has begun it, and not a person. */
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
    // Both are there from its beginning on.
    ...(retiring === undefined ? {} : { tally: { twoShardsSince: at, twoShardsMs: 0 } }),
    ...(takeover.autoRollback === undefined ? {} : { autoRollback: takeover.autoRollback }),
  };
  const shards: Record<string, ShardEntry> = {
    ...record?.shards,
    [candidate]: {
      ...entryOf(record, candidate, takeover.registration),
      productionTag: takeover.isStartedAnew !== true,
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
  log.act(`Began the ${kind}: candidate ${candidate}, retiring ${retiring ?? 'nothing'}.`);
}

type Whose = Pick<Deployment, 'id' | 'pipelineCreatedAt' | 'pipelineUrl' | 'by'>;

/** What a bake begins is its deployment's, whoever was watching. */
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

/** What outlives the deployment that is turned back. */
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

/** Whether a bake that goes on is ended by going back, by its verdict or by a person. */
function endsBake({ record, candidate }: Pick<Takeover, 'record' | 'candidate'>): boolean {
  return (
    record !== undefined && isBaking(record.deployment) && record.deployment.retiring === candidate
  );
}

/**
 * A deployment of its own, also where it is begun by a job of a pipeline that has begun others: each id has
 * one direction.
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

/** Older evidence is void: this deployment needs its own. */
function entryOf(
  record: DeploymentRecord | undefined,
  shard: Shard,
  registration?: RegistrationId,
): ShardEntry {
  const named = registration === undefined ? {} : { registration, tokenWritten: true };
  const { evidence: _, intake: __, ...entry } = withChange(shardEntry(record, shard), named);
  return { ...entry, productionTag: true };
}

/** The deployment that is turned back is over: its own jobs do nothing from here on. */
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

/** Under the lock, by what was looked at there. */
export async function carryOutTakeover(
  context: StageContext,
  looked: TakeoverPlan,
): Promise<StageResult> {
  if (looked.kind === 'nothing') return looked;
  if (looked.kind === 'begin') await begin(context, looked.takeover);
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
 * The one rollback of a deployment that its bake found bad. It is written first, so that whoever comes
 * next goes on with it; then the old shard is opened, proven, and named active. There is no second
 * one: what it begins is a rollback, and a rollback is not watched.
 */
export async function rollBackAutomatically(
  context: StageContext,
  { reason: why, isStartedAnew }: Rollback,
): Promise<void> {
  const record = context.journal.current();
  const { id, candidate, retiring } = record.deployment;
  if (retiring === undefined) throw new Error(`${id} has no shard to go back to`);
  context.log.warn(`Taking ${candidate} back, and going back to ${retiring}: ${why}.`);
  await begin(context, {
    record,
    kind: 'rollback',
    candidate: retiring,
    retiring: candidate,
    isStartedAnew,
    autoRollback: { id, at: timestamp(context), why: truncateReason(why) },
  });
  await promote(context, retiring);
  context.log.warn(`${retiring} is active again; ${candidate} is retired.`);
}
