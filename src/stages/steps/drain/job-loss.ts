import { withKilledJob } from '../../../domain/deployment/tally.ts';
import { runsJobs } from '../../../domain/drain/drain-by-hosts.ts';
import type { DrainVerdict } from '../../../domain/drain/drain-check.ts';
import { describeLost } from '../../../domain/drain/job-text.ts';
import { formatRegistryOnly } from '../../../domain/drain/registry-only.ts';
import { isEndable } from '../../../domain/instance.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { RegistryJob } from '../../../ports/registry.ts';
import { isNews, type StageContext, warnOnce, wordsOf } from '../../context/context.ts';
import { listHostReadings } from '../../observe/drain-observation.ts';
import { isForced } from './drain-limits.ts';
import { withDrainTally } from './drain-tally.ts';

/** Warns of each job that can no longer succeed, and of workers whose manager is gone. */
export async function reportLost(
  context: StageContext,
  shard: Shard,
  lost: readonly RegistryJob[],
): Promise<void> {
  const { registry } = wordsOf(context);
  for (const job of lost) warnOnce(context, describeLost(job, registry));
  if (lost.length > 0) await warnOfOrphans(context, shard);
}

/**
 * Warns of workers whose manager is gone. Only a manager reports results to the registry, so the
 * worker's job cannot succeed. The group's next runner removes the worker.
 */
async function warnOfOrphans({ ports, settings, log }: StageContext, shard: Shard): Promise<void> {
  try {
    const found = await ports.instances.listWorkers({ runnerName: settings.runnerName, shard });
    for (const { id, autoScalingGroup, state } of found.filter(isEndable)) {
      const group = autoScalingGroup === undefined ? '' : ` of ${autoScalingGroup}`;
      log.warn(
        `Worker ${id}${group} is ${state}, and its manager is gone: if a job still runs on it, the end of the job cannot be observed. The worker is removed with the rest of ${shard}.`,
      );
    }
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`It is unknown whether workers of ${shard} still exist: ${error.message}.`);
  }
}

/**
 * Warns of a job on a host whose listener was killed or whose runner was removed. The deployment
 * itself broke this job, so it is counted and repeated at the end.
 */
export async function warnOfKilledJob(context: StageContext, host: string): Promise<void> {
  const { journal, log } = context;
  const record = journal.current();
  const before = record.deployment.tally?.drain;
  const id = `on ${host}`;
  // A later check may find the same job again.
  if (before?.broken.some((one) => one.id === id && one.why === 'ended_by_us')) return;
  log.warn(
    `This deployment breaks a job: host ${host} runs it, but hosted-runner ended or removed the runner of that host earlier. GitHub cancels the job.`,
  );
  if (before !== undefined) await journal.write(withDrainTally(record, withKilledJob(before, id)));
}

export async function warnOfKilledJobs(context: StageContext, shard: Shard): Promise<void> {
  for (const word of await listHostReadings(context, shard))
    if (runsJobs(word)) await warnOfKilledJob(context, word.host);
}

/** Warns once for each list of jobs; the wait itself repeats only its reason. */
export function warnOfDisagreement(
  context: StageContext,
  { registryOnly }: Extract<DrainVerdict, { kind: 'busy' }>,
): void {
  // After drain.force_after, the next check of the hosts ends the drain, so no decision is left.
  if (registryOnly?.confirmed !== true || isForced(context)) return;
  const { registry } = wordsOf(context);
  const { forceAfterMs } = context.settings.drain;
  const now = context.ports.clock.now();
  const key = `registry only: ${registryOnly.jobs.map(({ id, status }) => `${id} ${status}`).join(', ')}`;
  if (!isNews(context, key)) return;
  for (const line of formatRegistryOnly(registryOnly, { registry, now, forceAfterMs }))
    context.log.warn(line);
}
