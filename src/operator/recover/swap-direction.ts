import type { Deployment } from '../../domain/deployment/record.ts';
import type { RecoveryFacts } from '../../domain/deployment/recovery-methods.ts';
import { withoutIntakes } from '../../domain/drain/shard-intake.ts';
import type { Shard } from '../../domain/shard.ts';
import { type StageContext, timestamp } from '../../stages/context/context.ts';
import { gate } from '../../stages/effects/effect-gate.ts';
import { historyWith, ownId } from '../../stages/run/rollback-or-activation.ts';

/** The status names the candidate of a promotion that cannot end: the other shard is taken in its place. */
export function isSwapNeeded({ record, shard }: RecoveryFacts): boolean {
  return record.deployment.phase === 'promoting' && record.deployment.candidate !== shard;
}

/**
 * Begins a deployment of its own that takes this shard away and builds it anew, while the status goes on
 * naming the other one, whose promotion cannot end: it does not serve, and no apply touches it any more.
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
    `Turned the deployment around: ${candidate} is active and does not serve, and ${shard} is built anew in its place.`,
  );
}
