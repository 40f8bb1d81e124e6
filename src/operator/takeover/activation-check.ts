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
import { canActivate, finishLines } from '../../stages/service/recovery-when-none-serves.ts';
import { findRollbackTarget } from '../../stages/service/rollback-target.ts';

export interface Chosen {
  readonly shard: Shard;
  readonly registration: Registration;
  readonly record: DeploymentRecord | undefined;
  readonly left: OtherShardRemains;
}

/** Whether anything of the other shard is there, which an activation retires; not every driver can tell. */
export type OtherShardRemains = 'something' | 'nothing' | 'unknown';

export type Activated =
  /** It would change nothing. */
  | { readonly kind: 'nothing'; readonly reason: string }
  /** `isStartedAnew`: its processes have ended, and can be started on their hosts. */
  | { readonly kind: 'begin'; readonly isStartedAnew: boolean };

/**
 * Whether an activation would change anything. It turns a rollback around, and like that one it starts
 * what was drained and stopped.
 * @throws DeployError `CannotActivate` where no process of the shard can take a job, or where it is taken back
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
      reason: `its activation is being taken back, and that is not finished`,
      goes: 'recover',
      isRolledBack: true,
    });
  // Without a record an activation is what makes one.
  const ended =
    record === undefined
      ? undefined
      : await whyEnded(context, { id: registration.id, shard, service });
  if (ended !== undefined && record !== undefined) {
    const back = await findRollbackTarget(context, shard);
    if (back === 'rollback') return { kind: 'begin', isStartedAnew: true };
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
  const begins = { kind: 'begin', isStartedAnew: false } as const;
  if (!isActive || !isWhole) return begins;
  const alone = await whyAlone(context, { shard, record, left });
  if (alone === undefined) return begins;
  const proof = service.kind === 'unknown' ? await checkService(context, shard) : service;
  if (proof.kind !== 'proven') return begins;
  const reason = [`${shard} is active already and serves: ${proof.reason}`, ...alone].join('; ');
  return { kind: 'nothing', reason };
}

/**
 * Undefined where the other one may be there; what says that it is not, where its driver cannot. An empty
 * list of EC2's proves nothing by itself, for its machines may have another Name tag: the record has to have
 * forgotten the shard as well, as it does once one is removed. What it still knows is retired by an
 * activation, which ends with that.
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
    `the record knows of nothing that is left of ${other}, and EC2 lists no machine with its Name tag that has not ended`,
  ];
}

/** What removes it may go on beside whatever is begun anew; where a person has paused it, nothing else opens it. */
function isRollbackUnderWay(shard: Shard, record: DeploymentRecord | undefined): boolean {
  const { kind, phase, candidate } = record?.deployment ?? {};
  return kind === 'activate' && phase === 'retreating' && candidate === shard;
}

/** What a retreat has closed, and is open: somebody wants to keep it, as long as nothing of it was taken away. */
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
  // Whichever of the two is dead: the candidate is what becomes the shard that serves.
  if (isBefore(phase, 'promoted')) return candidate === shard ? 'recover' : 'recover_other';
  const finishes = async () => ({ finish: await finishLines(context) });
  if (candidate !== shard) return finishes();
  // What retires the other one is refused as long as this one is dead.
  const back = retiring === undefined ? undefined : await findRollbackTarget(context, retiring);
  if (back === undefined) return finishes();
  return back === 'rollback' ? 'activate_other' : 'rollback_to_other';
}
