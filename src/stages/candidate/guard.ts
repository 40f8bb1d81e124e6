import { refuseHealthyCandidate } from '../../domain/deployment/guards/guards.ts';
import { takesCustomerJobs } from '../../domain/deployment/guards/tags.ts';
import { shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import { inactiveShardHealthy } from '../../errors/shards.ts';
import type { Registration } from '../../ports/registry.ts';
import { customersAmong } from '../health/own-canaries.ts';
import { ofShard, type StageContext, wordsOf } from '../walk/context.ts';
import { guarded } from '../walk/guarded.ts';

/** Pre-deploy: an inactive shard that serves jobs is never touched. */
export async function guard(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, journal, log } = context;
  const id = shardEntry(journal.current(), candidate).registration;
  if (id === undefined) return;
  const found = await ports.registry.find(id);
  if (found.kind === 'found') await refuseServing(context, candidate, found.value);
  log.act(`Guarded: ${candidate} serves no customer job.`);
}

/** Asked before the first touch: a registration in production is not put into quarantine either. */
export async function refuseServing(
  context: StageContext,
  candidate: Shard,
  registration: Registration,
): Promise<void> {
  await guarded(context, 'inactive_shard', () => compareServing(context, candidate, registration));
}

async function compareServing(
  context: StageContext,
  candidate: Shard,
  registration: Registration,
): Promise<void> {
  const { ports, settings } = context;
  const of = ofShard(context, candidate);
  const jobs = await ports.registry.listJobs(registration.id);
  const customers = jobs.kind === 'found' ? await customersAmong(context, jobs.value) : [];
  const refusal = refuseHealthyCandidate({
    of,
    registration,
    jobs: customers,
    words: wordsOf(context),
  });
  if (refusal === undefined) return;
  const [job] = customers;
  const isClosed = registration.paused || !takesCustomerJobs(registration, of);
  throw inactiveShardHealthy({
    runner: settings.runnerName,
    candidate,
    reason: refusal,
    // Nobody means this shard to serve: what runs there has got in by its tag.
    ...(isClosed && job !== undefined ? { waitsFor: `job ${job.id}` } : {}),
    stage: context.stage,
  });
}
