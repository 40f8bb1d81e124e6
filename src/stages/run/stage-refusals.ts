import { isWatched } from '../../domain/bake/bake-note.ts';
import { contradictionWithStatus } from '../../domain/deployment/direction.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import {
  type OrderedPlan,
  planStage,
  type StagePlanOptions,
} from '../../domain/deployment/stage-plan.ts';
import type { StageName } from '../../domain/deployment/stages-and-steps.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { outOfOrder } from '../../errors/state-errors.ts';
import type { StageContext } from '../context/context.ts';
import { judgeRun } from '../context/deployment-owner.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { alreadyDone, type NothingToDo } from '../context/result.ts';
import {
  judgeRecord,
  judgeUninvolvedPipeline,
  refuseContradiction,
} from '../effects/deployment-authority.ts';
import { requireNoHold } from '../effects/effect-gate.ts';
import { readStatusOnce } from '../observe/observe.ts';
import { readLockHolding } from '../record/lock/lock-holding.ts';
import { type ParameterSnapshot, readParameters } from '../record/parameter-snapshot.ts';
import {
  findShardToReopen,
  isRetirementRun,
  reopenAbandoned,
} from '../service/drain-abandonment.ts';
import { refuseOthers, stays } from '../steps/candidate/prepare.ts';

/** A stage with the options of its command. */
export type StageRequest = StagePlanOptions & { readonly stage: StageName };

export type LaterStage = Exclude<StageName, 'prepare'>;

export type StageVerdict =
  | NothingToDo
  | { readonly kind: 'prepare' }
  | { readonly kind: 'plan'; readonly plan: OrderedPlan };

/**
 * Moment of the check. Before the lock only a refusal counts, and reopening a paused shard takes
 * precedence over it.
 */
interface Moment {
  readonly isLocked: boolean;
}

const reopensFirst: NothingToDo = { kind: 'nothing', reason: 'a paused shard is reopened first' };

/**
 * Checks hold, deployment record and active-shard parameter, and plans the steps of the stage.
 * Called with reads alone before the lock, and again under the lock.
 *
 * @throws DeployError the refusal
 */
export async function judgeStage(
  context: StageContext,
  { stage, ...options }: StageRequest,
  { isLocked }: Moment,
): Promise<StageVerdict> {
  const { ports, names, journal } = context;
  const snapshot = await readParameters(ports, [names.hold, names.record, names.status]);
  await requireNoHoldUnlessWatching(context, { isLocked, snapshot });
  const record = await journal.read(snapshot);
  if (stage === 'prepare') return judgePreparation(context, record, { isLocked, snapshot });
  if (!isLocked && findShardToReopen(context) !== undefined) return reopensFirst;
  const verdict = await judgeRecord(context, stage, record);
  if (verdict.kind === 'nothing') return verdict;
  const reopenFirst = () => reopenAbandoned(context, findShardToReopen(context));
  await refuseContradiction(context, verdict.record, { snapshot, reopenFirst });
  const plan = await planInOrder(context, verdict.record, { stage, ...options });
  return { kind: 'plan', plan };
}

/**
 * Refuses under a hold, after it has reopened a shard that a drain left paused. A run that already
 * polls a bake continues: the hold suspends only the consequences of the bake, and the run's keeper
 * checks the shards.
 */
export async function requireNoHoldUnlessWatching(
  context: StageContext,
  { isLocked, snapshot }: Moment & { readonly snapshot?: ParameterSnapshot },
): Promise<void> {
  try {
    await requireNoHold(context, snapshot);
  } catch (error) {
    if (!isDeployError(error) || error.code !== 'Held' || !isRetirementRun(context)) throw error;
    const record = await context.journal.read(snapshot);
    if (record === undefined || judgeUninvolvedPipeline(context, record) !== undefined) throw error;
    if (context.memory.hasWatched && isWatched(record.deployment)) return;
    const paused = findShardToReopen(context);
    if (!isLocked && paused !== undefined) return;
    await reopenAbandoned(context, paused);
    throw error;
  }
}

/** Plans `prepare`. Its other refusals depend on later probes. */
async function judgePreparation(
  context: StageContext,
  record: DeploymentRecord | undefined,
  { isLocked, snapshot }: Moment & { readonly snapshot: ParameterSnapshot },
): Promise<StageVerdict> {
  const own = record === undefined ? undefined : judgeRun(context, record);
  if (record === undefined || own === undefined) return { kind: 'prepare' };
  if (own.kind === 'finished') return alreadyDone(context, own.reason);
  if (own.kind === 'resume') {
    const status = await readStatusOnce(context, { snapshot });
    if (contradictionWithStatus(status, record) === undefined) return stays(own.reason);
  }
  // Whether a terminal resumes an unfinished deployment is decided only under the lock.
  const isDecided = isLocked || context.run.ci !== 'terminal' || record.deployment.phase === 'done';
  if (own.kind === 'superseded' && isDecided) await refuseOthers(context, own, record);
  return { kind: 'prepare' };
}

export async function planInOrder(
  context: StageContext,
  record: DeploymentRecord,
  { stage, ...options }: StagePlanOptions & { readonly stage: LaterStage },
): Promise<OrderedPlan> {
  return withGuardEvent(context, 'order', () => {
    const { forceWhenNoneAccepts } = context;
    const plan = planStage(stage, record, { ...options, forceWhenNoneAccepts });
    if (plan.kind !== 'out_of_order') return plan;
    const { reason, next } = plan;
    throw outOfOrder({ runner: context.settings.runnerName, stage, reason, next });
  });
}

/** Errors that do not depend on the record. */
const reportedAtOnce: ReadonlySet<ErrorCode> = new Set(['Held', 'Cancelled', 'NotConfirmed']);

/**
 * Throws a refusal before the lock only if no run holds the lock; otherwise a read of the record
 * may be stale. The lock then names its holder, or the check is repeated under the lock.
 *
 * @throws DeployError what `look` has thrown
 */
export async function refuseAtRest(
  context: StageContext,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isDeployError(error) || reportedAtOnce.has(error.code)) throw error;
    if (await isAtRest(context)) throw error;
  }
}

/**
 * Decides whether the record was read at rest. The lock is read after the record: if it is free,
 * every write was readable. The lowest version counts, because the refusal may use an early read.
 */
async function isAtRest(context: StageContext): Promise<boolean> {
  const lock = await readLockHolding(context);
  return lock.kind === 'free' && context.journal.lowestVersion() >= lock.record;
}
