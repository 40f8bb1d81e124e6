import { costInBrief, costOf, describeCost } from '../../../domain/deployment/cost.ts';
import {
  type DeploymentRecord,
  withoutShard,
  withPhase,
} from '../../../domain/deployment/record.ts';
import { withoutRolledBack } from '../../../domain/fingerprint/rollback-notes.ts';
import { type StageContext, timestamp } from '../../context/context.ts';
import { cancelCanary } from '../../effects/cancel-canary.ts';
import { gate } from '../../effects/effect-gate.ts';
import { dropCanaryTags } from '../../effects/routing.ts';
import { completeDeadHooks } from './dead-hooks.ts';

/** Writes the record as done. The end of this run releases the lock. */
export async function finish(context: StageContext): Promise<void> {
  const { journal, log } = context;
  await gate(context);
  // A pipeline that only finishes another pipeline's deployment does not need its canary job.
  await cancelCanary(context);
  const { deployment } = journal.current();
  await dropCanaryTags(context, deployment.candidate);
  for (const shard of [deployment.candidate, deployment.retiring])
    if (shard !== undefined) await completeDeadHooks(context, shard);
  const record = journal.current();
  const { id, kind, candidate, retiring } = record.deployment;
  const at = timestamp(context);
  const cleared = retiring === undefined ? record : withoutShard(record, retiring);
  const ended = withPhase(withoutRolledBack(cleared), 'done', at);
  const cost = costOf(ended.deployment, at);
  const line = { id, kind, candidate, finishedAt: at, cost: costInBrief(cost) };
  const done: DeploymentRecord = { ...ended, history: [line, ...record.history] };
  await journal.write(done);
  log.event({ kind: 'cost', deployment: id, ...cost });
  log.act(
    `Finished deployment ${id}: ${candidate} is active${retiring === undefined ? '' : `, ${retiring} is gone`}.`,
  );
  if (retiring !== undefined) log.act(`Summary: ${describeCost(cost).join('; ')}.`);
}
