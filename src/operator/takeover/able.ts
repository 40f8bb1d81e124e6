import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { Shard } from '../../domain/shard.ts';
import { cannotActivate } from '../../errors/takeover.ts';
import type { Registration } from '../../ports/registry.ts';
import { readStatus } from '../../stages/observe/observe.ts';
import { glanceAtService } from '../../stages/service/service-watch.ts';
import { findWayBack } from '../../stages/switch/way-back.ts';
import type { StageContext } from '../../stages/walk/context.ts';
import { together } from '../../stages/walk/in-parallel.ts';

export interface Chosen {
  readonly shard: Shard;
  readonly registration: Registration;
  readonly record: DeploymentRecord | undefined;
  /** Whether anything of the other shard is there, which an activation retires. */
  readonly isOtherThere: boolean;
}

/**
 * Whether an activation would change anything; the reason why not, where it would not.
 * @throws DeployError `CannotActivate` where no process of the shard can take a job
 */
export async function findActivated(
  context: StageContext,
  { shard, registration, record, isOtherThere }: Chosen,
): Promise<string | undefined> {
  const [status, service] = await together(
    () => readStatus(context),
    () => glanceAtService(context, shard),
  );
  // Without a record an activation is what makes one.
  if (service.kind === 'disproven' && record !== undefined) {
    const goes = await whatGoes(context, shard, record);
    throw cannotActivate({
      runner: context.settings.runnerName,
      shard,
      reason: service.reason,
      goes,
    });
  }
  const isActive = status.kind === 'known' && status.active === shard;
  const isWhole =
    record?.deployment.phase === 'done' &&
    record.deployment.candidate === shard &&
    shardEntry(record, shard).registration === registration.id;
  if (!isActive || !isWhole || isOtherThere || service.kind !== 'proven') return undefined;
  return `${shard} is active already and serves: ${service.reason}`;
}

async function whatGoes(
  context: StageContext,
  shard: Shard,
  record: DeploymentRecord | undefined,
): Promise<Parameters<typeof cannotActivate>[0]['goes']> {
  const { phase, candidate } = record?.deployment ?? {};
  if (phase === undefined || phase === 'done') return 'deploy';
  const back = await findWayBack(context, shard);
  if (back !== undefined && back !== 'rollback') return 'rollback';
  return candidate === shard && isBefore(phase, 'promoted') ? 'recover' : 'finalize';
}
