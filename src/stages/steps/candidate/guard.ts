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

/** Refuses an inactive candidate that accepts jobs: such a shard is never touched. */
export async function guard(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, journal, log } = context;
  const id = shardEntry(journal.current(), candidate).registration;
  if (id === undefined) return;
  const found = await ports.registry.find(id);
  if (found.kind === 'found') await requireNotAccepting(context, candidate, found.value);
  log.act(`Checked: ${candidate} takes no customer job.`);
}

/** Checks a runner before the first change: a runner in production stays out of quarantine. */
export async function requireNotAccepting(
  context: StageContext,
  candidate: Shard,
  registration: Registration,
): Promise<void> {
  await withGuardEvent(context, 'inactive_shard', () =>
    checkNotAccepting(context, candidate, registration),
  );
}

async function checkNotAccepting(
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
    const why = await explainUnavailability(context, candidate, registration);
    if (why !== undefined) {
      log.act(
        `Putting ${candidate} back into quarantine: ${refusal}, but it cannot accept jobs: ${why}.`,
      );
      return;
    }
  }
  const takesNoNewJob = registration.paused || !takesCustomerJobs(registration, of);
  const open = takesNoNewJob ? undefined : describeOpenings(context, registration);
  throw inactiveShardHealthy({
    runner: settings.runnerName,
    candidate,
    reason: refusal,
    // The shard takes no new customer jobs, so the running job matched by its tag alone.
    ...(takesNoNewJob && job !== undefined ? { waitsFor: `job ${job.id}` } : {}),
    ...(open === undefined ? {} : { open }),
    stage: context.stage,
  });
}

/**
 * Explains why a shard with production tags cannot accept jobs; undefined if it may. Such a shard
 * is no healthy shard: an operator edited it. A runner with a very recent contact may run on a
 * machine that no list contains.
 */
async function explainUnavailability(
  context: StageContext,
  candidate: Shard,
  { id }: Registration,
): Promise<string | undefined> {
  const service = await confirmBadResult(context, () => checkServiceOnce(context, candidate));
  if (service.kind !== 'disproven') return undefined;
  const ageMs = await contactAge(openShardSources(context, candidate), id);
  return ageMs === undefined || ageMs > requestWithinMs ? service.reason : undefined;
}

/** Describes the settings that an operator must remove to put the runner into quarantine. */
function describeOpenings(context: StageContext, registration: Registration): string {
  const { registration: what, registry, tag, tags: called } = wordsOf(context);
  const tags = registration.tags.filter((one) => !isCanaryTag(one, context.settings));
  const parts = [
    ...(tags.length === 0 ? [] : [`the ${tags.length === 1 ? tag : called} ${tags.join(', ')}`]),
    ...(registration.runUntagged ? ['the right to run untagged jobs'] : []),
  ];
  return `remove ${parts.join(' and ')} from ${what} ${registration.id} in ${registry}`;
}
