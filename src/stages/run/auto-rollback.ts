import { truncateReason } from '../../domain/text/truncate-reason.ts';
import { type StageContext, timestamp } from '../context/context.ts';
import type { GoBack } from '../service/rollback-decision.ts';
import { promote } from '../steps/switch/promote.ts';
import { begin } from './takeover.ts';

/**
 * The one rollback of a deployment that its bake found bad. It is written first, so that whoever comes
 * next goes on with it; then the old shard is opened, proven, and named active. There is no second
 * one: what it begins is a rollback, and a rollback is not watched.
 */
export async function rollBackAutomatically(
  context: StageContext,
  { why, isStartedAnew }: GoBack,
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
