import { shardEntry } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { capital } from '../../../domain/text/capital.ts';
import type { StageContext } from '../../context/context.ts';
import { checkService } from '../../observe/shard/service-watch.ts';

/** Says what proves that the active shard serves; where none does, the repair is allowed, loudly. */
export async function checkActive(context: StageContext): Promise<void> {
  const { journal, log } = context;
  const { retiring } = journal.current().deployment;
  if (retiring === undefined) return;
  const service = await checkService(context, retiring);
  if (service.kind === 'proven') log.act(`Saw that ${retiring} serves: ${service.reason}.`);
  else if (service.kind === 'unknown')
    log.act(`Could not prove that ${retiring} serves: ${service.reason}.`);
  else await checkOpenCandidate(context, retiring, service.reason);
}

/** One that a rollback or an activation has opened, and proven, is serving before it is active. */
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
    // Which of them the status names is not asked here: it may be the candidate already.
    log.act(
      `Saw that ${candidate} serves: ${own.reason}. ${capital(retiring)} does not: ${reason}.`,
    );
    return;
  }
  log.warn(`NO SHARD IS PROVEN TO SERVE: ${reason}. Going on, because this promotion repairs it.`);
}
