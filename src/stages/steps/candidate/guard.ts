import { refuseHealthyCandidate } from '../../../domain/deployment/guards/guards.ts';
import { isCanaryTag, takesCustomerJobs } from '../../../domain/deployment/guards/runner-tags.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import { requestWithinMs } from '../../../domain/health/service-verdict.ts';
import type { Shard } from '../../../domain/shard.ts';
import { inactiveShardHealthy } from '../../../errors/shard-errors.ts';
import type { Registration } from '../../../ports/registry.ts';
import { ofShard, type StageContext, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { customersAmong } from '../../observe/canary-ownership.ts';
import { contactAge } from '../../observe/host-ends.ts';
import { checkServiceOnce } from '../../observe/shard/service-watch.ts';
import { openShardSources } from '../../observe/shard-sources.ts';
import { confirmBadResult } from '../../service/service-proof.ts';

/** Pre-deploy: an inactive shard that serves jobs is never touched. */
export async function guard(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, journal, log } = context;
  const id = shardEntry(journal.current(), candidate).registration;
  if (id === undefined) return;
  const found = await ports.registry.find(id);
  if (found.kind === 'found') await requireNotServing(context, candidate, found.value);
  log.act(`Guarded: ${candidate} serves no customer job.`);
}

/** Asked before the first touch: a registration in production is not put into quarantine either. */
export async function requireNotServing(
  context: StageContext,
  candidate: Shard,
  registration: Registration,
): Promise<void> {
  await withGuardEvent(context, 'inactive_shard', () =>
    compareServing(context, candidate, registration),
  );
}

async function compareServing(
  context: StageContext,
  candidate: Shard,
  registration: Registration,
): Promise<void> {
  const { ports, settings, log } = context;
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
  if (job === undefined) {
    const why = await whyBeyondServing(context, candidate, registration);
    if (why !== undefined) {
      log.act(`Putting ${candidate} back into quarantine: ${refusal}, and cannot serve: ${why}.`);
      return;
    }
  }
  const takesNoNewJob = registration.paused || !takesCustomerJobs(registration, of);
  const open = takesNoNewJob ? undefined : describeOpenings(context, registration);
  throw inactiveShardHealthy({
    runner: settings.runnerName,
    candidate,
    reason: refusal,
    // Nobody means this shard to serve: what runs there has got in by its tag.
    ...(takesNoNewJob && job !== undefined ? { waitsFor: `job ${job.id}` } : {}),
    ...(open === undefined ? {} : { open }),
    stage: context.stage,
  });
}

/**
 * Undefined where it may serve. What has production tags and nothing that could take a job is no healthy
 * shard: somebody has edited what is ours. A runner that the registry has just heard of may be one that
 * no list of machines has.
 */
async function whyBeyondServing(
  context: StageContext,
  candidate: Shard,
  { id }: Registration,
): Promise<string | undefined> {
  const service = await confirmBadResult(context, () => checkServiceOnce(context, candidate));
  if (service.kind !== 'disproven') return undefined;
  const ageMs = await contactAge(openShardSources(context, candidate), id);
  return ageMs === undefined || ageMs > requestWithinMs ? service.reason : undefined;
}

/** What a person takes from it who wants it in quarantine. */
function describeOpenings(context: StageContext, registration: Registration): string {
  const { registration: what, registry, tags: called } = wordsOf(context);
  const tags = registration.tags.filter((tag) => !isCanaryTag(tag, context.settings));
  const parts = [
    ...(tags.length === 0 ? [] : [`the ${called} ${tags.join(', ')}`]),
    ...(registration.runUntagged ? ['the right to run untagged jobs'] : []),
  ];
  return `take ${parts.join(' and ')} from ${what} ${registration.id} in ${registry}`;
}
