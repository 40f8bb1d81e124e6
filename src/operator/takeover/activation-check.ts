import { takesConfiguredJobs } from '../../domain/deployment/guards/runner-tags.ts';
import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import { isDead } from '../../domain/instance.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { cannotActivate } from '../../errors/takeover-errors.ts';
import type { Registration } from '../../ports/registry.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { allSettledOrThrow } from '../../stages/context/parallel.ts';
import { retreatingCandidate } from '../../stages/effects/reopen.ts';
import { listInstances } from '../../stages/observe/host-ends.ts';
import { readStatusAfterSwitch } from '../../stages/observe/observe.ts';
import {
  checkService,
  checkServiceOnce,
  whyEnded,
} from '../../stages/observe/shard/service-watch.ts';
import { openShardSources } from '../../stages/observe/shard-sources.ts';
import { canActivate, finishLines } from '../../stages/service/recovery-by-force.ts';
import { findRollbackTarget } from '../../stages/service/rollback-target.ts';

export interface Chosen {
  readonly shard: Shard;
  readonly registration: Registration;
  readonly record: DeploymentRecord | undefined;
  readonly left: OtherShardRemains;
}

/** Remains of the other shard, which an activation retires. Not every driver can list them. */
export type OtherShardRemains = 'something' | 'nothing' | 'unknown';

export type Activated =
  /** The activation would change nothing. */
  | { readonly kind: 'nothing'; readonly reason: string }
  /** `isStartedAgain`: the shard's processes have ended and can be started on their hosts. */
  | { readonly kind: 'begin'; readonly isStartedAgain: boolean };

/**
 * Decides whether an activation would change anything. It can reverse a rollback, and then starts
 * drained and stopped processes too.
 * @throws DeployError `CannotActivate` if no process of the shard can take a job, or if a retreat
 * is removing it
 */
export async function findActivated(
  context: StageContext,
  { shard, registration, record, left }: Chosen,
): Promise<Activated> {
  const [{ status }, service] = await allSettledOrThrow(
    () => readStatusAfterSwitch(context, record),
    () => checkServiceOnce(context, shard),
  );
  if (
    isRollbackUnderWay(shard, record) &&
    !isOpenedByOperator(context, { shard, registration }) &&
    !(await canActivate(context, shard))
  )
    throw cannotActivate({
      runner: context.settings.runnerName,
      shard,
      other: otherShard(context.settings.shards, shard),
      reason: `the last activation of ${shard} failed, and it is not completely undone`,
      goes: 'recover',
      isRolledBack: true,
    });
  // A stack without a record gets one by its activation.
  const ended =
    record === undefined
      ? undefined
      : await whyEnded(context, { id: registration.id, shard, service });
  if (ended !== undefined && record !== undefined) {
    const back = await findRollbackTarget(context, shard);
    if (back === 'rollback') return { kind: 'begin', isStartedAgain: true };
    const goes = back === undefined ? await chooseCommand(context, shard, record) : 'rollback';
    throw cannotActivate({
      runner: context.settings.runnerName,
      shard,
      other: otherShard(context.settings.shards, shard),
      reason: ended,
      goes,
    });
  }
  const isActive = status.kind === 'known' && status.active === shard;
  const isWhole =
    takesConfiguredJobs(registration, context.settings) &&
    record?.deployment.phase === 'done' &&
    record.deployment.candidate === shard &&
    shardEntry(record, shard).registration === registration.id;
  const begins = { kind: 'begin', isStartedAgain: false } as const;
  if (!isActive || !isWhole) return begins;
  const alone = await whyAlone(context, { shard, record, left });
  if (alone === undefined) return begins;
  const proof = service.kind === 'unknown' ? await checkService(context, shard) : service;
  if (proof.kind !== 'proven') return begins;
  const reason = [`${shard} is already active and verified: ${proof.reason}`, ...alone].join('; ');
  return { kind: 'nothing', reason };
}

/**
 * Explains that the other shard does not exist, if its driver cannot list it; undefined if it may
 * exist. An empty EC2 list alone proves nothing, because the machines may have another Name tag.
 * The record must also lack the shard, as it does after a removal. A recorded shard is retired by
 * the activation.
 */
async function whyAlone(
  context: StageContext,
  { shard, record, left }: Pick<Chosen, 'shard' | 'record' | 'left'>,
): Promise<readonly string[] | undefined> {
  if (left !== 'unknown') return left === 'nothing' ? [] : undefined;
  const other = otherShard(context.settings.shards, shard);
  const { registration, lastApply } = shardEntry(record, other);
  if (registration !== undefined || lastApply !== undefined) return undefined;
  const machines = await listInstances(openShardSources(context, other));
  const mayBeThere = machines?.some((one) => !isDead(one)) ?? true;
  if (mayBeThere) return undefined;
  return [
    `the deployment record contains nothing about ${other}, and EC2 lists only terminated machines with its Name tag, or none`,
  ];
}

/**
 * Decides whether a retreat is removing the shard. The removal may continue during a new
 * deployment. If an operator paused the shard, no run reopens it.
 */
function isRollbackUnderWay(shard: Shard, record: DeploymentRecord | undefined): boolean {
  const { kind, phase, candidate } = record?.deployment ?? {};
  return kind === 'activate' && phase === 'retreating' && candidate === shard;
}

/** Decides whether an operator reopened a shard during its retreat, before any removal. */
function isOpenedByOperator(
  context: StageContext,
  { shard, registration }: Pick<Chosen, 'shard' | 'registration'>,
): boolean {
  return retreatingCandidate(context) === shard && !registration.paused;
}

async function chooseCommand(
  context: StageContext,
  shard: Shard,
  { deployment: { phase, candidate, retiring } }: DeploymentRecord,
): Promise<Parameters<typeof cannotActivate>[0]['goes']> {
  if (phase === 'done') return 'deploy';
  // Whichever shard has failed, the candidate becomes the shard that accepts jobs.
  if (isBefore(phase, 'promoted')) return candidate === shard ? 'recover' : 'recover_other';
  const finishes = async () => ({ finish: await finishLines(context) });
  if (candidate !== shard) return finishes();
  // While this shard is disproven, the other shard cannot be retired.
  const back = retiring === undefined ? undefined : await findRollbackTarget(context, retiring);
  if (back === undefined) return finishes();
  return back === 'rollback' ? 'activate_other' : 'rollback_to_other';
}
