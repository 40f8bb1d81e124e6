import type { Direction } from '../../../domain/deployment/direction.ts';
import {
  type DeploymentRecord,
  untouchedShard,
  withoutShard,
  withPhase,
  withShard,
} from '../../../domain/deployment/record.ts';
import { withoutIntakes } from '../../../domain/drain/shard-intake.ts';
import type { Shard } from '../../../domain/shard.ts';
import { type StageContext, timestamp } from '../../context/context.ts';
import type { ShardView } from '../../observe/shard/shard-view.ts';

/** Returns the record of a new deployment, with the parts that outlive a deployment. */
export function begun(
  context: StageContext,
  {
    direction,
    record,
    views,
  }: {
    readonly direction: Direction & { kind: 'begin' };
    readonly record: DeploymentRecord | undefined;
    readonly views: readonly ShardView[];
  },
): DeploymentRecord {
  const { candidate, retiring } = direction;
  const at = timestamp(context);
  const base: DeploymentRecord = {
    deployment: {
      ...owner(context),
      kind: 'deploy',
      candidate,
      ...(retiring === undefined ? {} : { retiring }),
      phase: 'prepared',
      phaseAt: at,
      startedAt: at,
    },
    shards: record?.shards ?? {},
    history: record?.history ?? [],
    ...(record?.writesRefusedAt === undefined ? {} : { writesRefusedAt: record.writesRefusedAt }),
    ...(record?.rollbacks === undefined ? {} : { rollbacks: record.rollbacks }),
  };
  const fresh = withoutShard(withoutIntakes(base), candidate);
  return retiring === undefined ? fresh : withActive(fresh, retiring, views);
}

/** Notes an active shard that was in no record, with its production tags. */
function withActive(
  record: DeploymentRecord,
  retiring: Shard,
  views: readonly ShardView[],
): DeploymentRecord {
  const known = record.shards[retiring];
  if (known?.registration !== undefined) return record;
  const registration = retiringRegistration({ retiring }, views);
  if (registration === undefined) return record;
  return withShard(record, retiring, {
    ...untouchedShard,
    registration,
    tokenWritten: true,
    productionTag: true,
  });
}

/**
 * Returns the record of a deployment that another pipeline left and this one adopts. This
 * pipeline's configuration and evidence count from now on. A pending approval stays: only a
 * provision with `--until promoted` removes it.
 */
export function adopted(
  context: StageContext,
  record: DeploymentRecord,
  finishOnly: boolean,
): DeploymentRecord {
  const moved = { ...record, deployment: { ...record.deployment, ...owner(context) } };
  if (finishOnly || record.deployment.phase === 'retreating') return moved;
  const { evidence: _, ...entry } = moved.shards[record.deployment.candidate] ?? untouchedShard;
  const voided = { ...moved, shards: { ...moved.shards, [record.deployment.candidate]: entry } };
  return withPhase(
    voided,
    record.deployment.phase === 'healthy' ? 'applied' : record.deployment.phase,
    timestamp(context),
  );
}

export function retiringRegistration(
  { retiring }: { readonly retiring?: Shard },
  views: readonly ShardView[],
) {
  return views.find(({ shard }) => shard === retiring)?.registrations[0]?.id;
}

function owner({ run }: StageContext) {
  return {
    id: run.deploymentId,
    pipelineCreatedAt: run.pipelineCreatedAt,
    ...(run.pipelineUrl === undefined ? {} : { pipelineUrl: run.pipelineUrl }),
    by: run.by,
  };
}
