import { shardEntry } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { capital } from '../../../domain/text/capital.ts';
import type { StageContext } from '../../context/context.ts';
import { checkService } from '../../observe/shard/service-watch.ts';

/**
 * Logs the proof that the active shard accepts jobs. Without a proof it warns and allows the
 * promotion, which is the repair.
 */
export async function checkActive(context: StageContext): Promise<void> {
  const { journal, log } = context;
  const { retiring } = journal.current().deployment;
  if (retiring === undefined) return;
  const service = await checkService(context, retiring);
  if (service.kind === 'proven') log.act(`Verified: ${retiring} accepts jobs (${service.reason}).`);
  else if (service.kind === 'unknown')
    log.act(`Could not verify that ${retiring} accepts jobs: ${service.reason}.`);
  else await checkOpenCandidate(context, retiring, service.reason);
}

/** Checks a candidate that a rollback or an activation has reopened before it is active. */
async function checkOpenCandidate(
  context: StageContext,
  retiring: Shard,
  reason: string,
): Promise<void> {
  const { journal, log } = context;
  const { candidate } = journal.current().deployment;
  const own = shardEntry(journal.current(), candidate).productionTag
    ? await checkService(context, candidate)
    : undefined;
  if (own?.kind === 'proven') {
    // The status is not read here: it may already name the candidate.
    log.act(
      `Verified: ${candidate} accepts jobs (${own.reason}). ${capital(retiring)} is not verified: ${reason}.`,
    );
    return;
  }
  log.warn(
    `NO SHARD IS VERIFIED: ${reason}. Continuing, because this promotion makes a shard accept jobs.`,
  );
}
