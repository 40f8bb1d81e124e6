import { withCutOff } from '../../domain/deployment/tally.ts';
import { runsJobs } from '../../domain/drain/drain-by-hosts.ts';
import type { Shard } from '../../domain/shard.ts';
import type { StageContext } from '../walk/context.ts';
import { hostWords } from './drain-look.ts';
import { withDrainTally } from './drain-tally.ts';

/**
 * What must not be: a job on a host whose listener was killed, or whose runner was removed, is lost, and
 * by our hand. It is told at once and counted, so that the deployment's end says it as well.
 */
export async function tellCutOff(context: StageContext, host: string): Promise<void> {
  const { journal, log } = context;
  const record = journal.current();
  const before = record.deployment.tally?.drain;
  const id = `on ${host}`;
  // Seen again a moment later it is the same job.
  if (before?.broken.some((one) => one.id === id && one.why === 'ended_by_us')) return;
  log.warn(
    `Broken by this deployment: host ${host} runs a job, and its runner was ended or removed before. GitHub cancels that job.`,
  );
  if (before !== undefined) await journal.write(withDrainTally(record, withCutOff(before, id)));
}

export async function tellCutOffOn(context: StageContext, shard: Shard): Promise<void> {
  for (const word of await hostWords(context, shard))
    if (runsJobs(word)) await tellCutOff(context, word.host);
}
