import { refuseHealthyCandidate } from '../domain/guards.ts';
import { shardEntry } from '../domain/record.ts';
import type { Shard } from '../domain/shard.ts';
import { inactiveShardHealthy } from '../errors/shards.ts';
import type { StageContext } from './context.ts';

/** Pre-deploy: an inactive shard that serves jobs is never touched. */
export async function guard(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, settings, journal, log } = context;
  const id = shardEntry(journal.current(), candidate).registration;
  if (id === undefined) return;
  const found = await ports.registry.find(id);
  const jobs = await ports.registry.listJobs(id);
  const refusal = refuseHealthyCandidate({
    registration: found.kind === 'found' ? found.value : undefined,
    jobs: jobs.kind === 'found' ? jobs.value : [],
    settings,
    canaryName: settings.canary.kind === 'job' ? settings.canary.jobName : 'hosted_runner_canary',
  });
  if (refusal !== undefined) {
    throw inactiveShardHealthy({ runner: settings.runnerName, candidate, reason: refusal });
  }
  log.act(`Guarded: ${candidate} serves no customer job.`);
}
