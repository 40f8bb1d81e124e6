import type { Deployment } from '../../domain/deployment/record.ts';
import type { RecoveryFacts } from '../../domain/deployment/recovery-methods.ts';
import { withoutIntakes } from '../../domain/drain/shard-intake.ts';
import type { Shard } from '../../domain/shard.ts';
import { type StageContext, timestamp } from '../../stages/context/context.ts';
import { gate } from '../../stages/effects/effect-gate.ts';
import { historyWith, ownId } from '../../stages/run/rollback-or-activation.ts';

/**
 * Decides whether the candidate of a promotion that cannot finish is already active. The other
 * shard is then recovered.
 */
export function isSwapNeeded({ record, shard }: RecoveryFacts): boolean {
  return record.deployment.phase === 'promoting' && record.deployment.candidate !== shard;
}

/**
 * Begins a new deployment that rebuilds this shard, while the other shard stays active. The other
 * shard's promotion cannot finish: it does not accept jobs, and no apply touches it.
 */
export async function swapDirection(context: StageContext, shard: Shard): Promise<void> {
  const { journal, run, log } = context;
  const record = journal.current();
  const { candidate } = record.deployment;
  const at = timestamp(context);
  const deployment: Deployment = {
    id: ownId(record, run.deploymentId, 'deploy'),
    kind: 'deploy',
    pipelineCreatedAt: run.pipelineCreatedAt,
    ...(run.pipelineUrl === undefined ? {} : { pipelineUrl: run.pipelineUrl }),
    by: run.by,
    candidate: shard,
    retiring: candidate,
    phase: 'retreating',
    phaseAt: at,
    startedAt: at,
    tally: { twoShardsSince: at, twoShardsMs: 0 },
  };
  await gate(context, shard);
  const swapped = { ...withoutIntakes(record), deployment };
  await journal.write({ ...swapped, history: historyWith(record, at) });
  log.act(
    `Swapped the roles of the shards: ${candidate} is active and does not accept jobs, so ${shard} is rebuilt to replace it.`,
  );
}
