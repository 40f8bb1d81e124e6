import { describeForeignJob } from '../../../domain/deployment/guards/guards.ts';
import { takesCustomerJobs } from '../../../domain/deployment/guards/runner-tags.ts';
import { type CanaryVerdict, judgeCanary } from '../../../domain/health/canary-verdict.ts';
import type { Evidence } from '../../../domain/health/evidence.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import type { CanaryJob } from '../../../ports/canary.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import { ofShard, type StageContext, wordsOf } from '../../context/context.ts';
import { cancelCanary } from '../../effects/cancel-canary.ts';
import { untilAccepted } from '../../effects/effect-gate.ts';
import { customersAmong } from '../../observe/canary-ownership.ts';
import { findRegistration } from '../../observe/observe.ts';
import { findStall } from './canary-stall.ts';
import { checkManagers } from './managers.ts';
import { note, reportsOf, type Watch } from './watch.ts';

const maximumCanaryStarts = 5;
const canaryFailuresThatCount = 2;
/** Pause after a refusal: the permission or a manual start may come before the deadline. */
const refusedForMs = 60_000;
/** Interval for checking whether a foreign job blocks a waiting canary. */
const foreignEveryMs = 60_000;

export async function checkCanary(context: StageContext, watch: Watch): Promise<Evidence> {
  const { ports, settings } = context;
  if (settings.canary.kind === 'off')
    return note(context, 'canary', 'unknown', 'no canary is configured');
  watch.canaryDenied = false;
  try {
    const queriedAt = ports.clock.elapsed();
    const job = await ports.canary.findNewest();
    watch.hot = true;
    // Time of the query, because a runner may take the canary while the response is on its way.
    watch.canaryWaitedAt = job?.status === 'waiting' ? queriedAt : undefined;
    return await act(context, watch, {
      canaryVerdict: await judge(context, watch, job),
      job,
    });
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    watch.canaryDenied = error.kind === 'denied';
    const press = error.kind === 'denied' ? `; ${ports.canary.byHand}` : '';
    return note(
      context,
      'canary',
      'unknown',
      `the canary cannot be queried: ${error.message}${press}`,
    );
  }
}

/** Evaluates the canary. Before another canary, the result is confirmed with fresh managers. */
async function judge(
  context: StageContext,
  watch: Watch,
  job: CanaryJob | undefined,
): Promise<CanaryVerdict> {
  const checkJob = () =>
    judgeCanary({
      job,
      registrationId: watch.entry.registration ?? '',
      workers: watch.workers.map(({ id }) => id),
      canaryAtApply: watch.entry.canaryAtApply,
      words: wordsOf(context),
    });
  const first = checkJob();
  const isOfOther = job?.workerId !== undefined && first.kind === 'start';
  if (!isOfOther || watch.workers.some(({ id }) => id === job.workerId)) return first;
  await checkManagers(context, watch);
  return checkJob();
}

async function act(
  context: StageContext,
  watch: Watch,
  { canaryVerdict, job }: { canaryVerdict: CanaryVerdict; job: CanaryJob | undefined },
): Promise<Evidence> {
  if (canaryVerdict.kind !== 'start') watch.hadCanary = true;
  switch (canaryVerdict.kind) {
    case 'proof':
      watch.proven.add(canaryVerdict.workerId);
      if (job !== undefined) watch.canary = job.id;
      if (coversAll(watch, context.settings.managers))
        return note(context, 'canary', 'good', canaryVerdict.reason);
      return startCanary(
        context,
        watch,
        `${canaryVerdict.reason}; the other managers still need a canary`,
      );
    case 'wait': {
      const foreign = await findBlockingRunner(context, watch, job);
      // A shard that is busy with another job is not unhealthy.
      if (foreign !== undefined)
        return note(context, 'canary', 'unknown', `${canaryVerdict.reason}, and ${foreign}`);
      return waitFor(context, watch, { reason: canaryVerdict.reason, job });
    }
    case 'failed':
      watch.canaryFailures += 1;
      watch.failedCanaryId = job?.id;
      if (watch.canaryFailures >= canaryFailuresThatCount) {
        watch.failedCanaryUrl = job?.url;
        return note(context, 'canary', 'bad', canaryVerdict.reason);
      }
      return startCanary(context, watch, canaryVerdict.reason);
    case 'exposed':
      watch.exposed = { secrets: job?.exposed ?? [], url: job?.url ?? '' };
      return note(context, 'canary', 'unknown', canaryVerdict.reason);
    case 'start':
      return startCanary(context, watch, canaryVerdict.reason);
  }
}

/**
 * Waits for the canary. If the registry causes the delay, it does not count against the candidate,
 * and a new canary may help.
 */
async function waitFor(
  context: StageContext,
  watch: Watch,
  { reason, job }: { reason: string; job: CanaryJob | undefined },
): Promise<Evidence> {
  const stall = job?.status === 'waiting' ? await findStall(context, watch, job) : undefined;
  if (stall === undefined) return note(context, 'canary', 'missing', reason);
  const why = `${reason}, and ${stall.reason}`;
  if (watch.hadSecondCanary)
    return note(context, 'canary', 'unknown', `${why}, for the second time`);
  if (!stall.isLong) return note(context, 'canary', 'unknown', why);
  watch.hadSecondCanary = true;
  await cancelCanary(context);
  const { detail } = await startCanary(context, watch, why);
  return note(context, 'canary', 'unknown', detail);
}

/** Finds a job on the candidate that blocks its waiting canary; queried rarely. */
async function findBlockingRunner(
  context: StageContext,
  watch: Watch,
  job: CanaryJob | undefined,
): Promise<string | undefined> {
  const now = context.ports.clock.elapsed();
  const { registration } = watch.entry;
  if (job?.status !== 'waiting' || registration === undefined) {
    watch.canaryWaits = undefined;
    return undefined;
  }
  watch.canaryWaits ??= { requestedAt: now };
  const waits = watch.canaryWaits;
  if (now - waits.requestedAt < foreignEveryMs) return waits.foreign;
  waits.requestedAt = now;
  const listed = await context.ports.registry.listJobs(registration);
  const [foreign] = listed.kind === 'found' ? await customersAmong(context, listed.value) : [];
  waits.foreign =
    foreign === undefined
      ? undefined
      : describeForeignJob(foreign, {
          shard: watch.shard,
          tags: await tagsOfQuarantine(context, watch.shard, registration),
          words: wordsOf(context),
        });
  return waits.foreign;
}

/** Returns the tags by which a foreign job may have matched; empty if customers' tags allow it. */
async function tagsOfQuarantine(
  context: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<readonly string[]> {
  const found = await findRegistration(context, id);
  if (found !== undefined && takesCustomerJobs(found, ofShard(context, shard))) return [];
  return [context.ports.canary.tag];
}

/**
 * Decides whether every expected manager is proven: by a canary, or for the others by their own
 * hosts. GitLab still lists managers whose host is gone, which prove nothing.
 */
function coversAll(watch: Watch, expected: number): boolean {
  const { workers, proven } = watch;
  const alive = new Set(
    reportsOf(watch).flatMap(({ process, systemId }) =>
      process === 'running' && systemId !== undefined ? [systemId] : [],
    ),
  );
  const good = workers.filter(({ id, systemId }) => proven.has(id) || alive.has(systemId));
  return workers.some(({ id }) => proven.has(id)) && good.length >= expected;
}

async function startCanary(context: StageContext, watch: Watch, reason: string): Promise<Evidence> {
  if (watch.canaryStarts >= maximumCanaryStarts) {
    return note(
      context,
      'canary',
      'unknown',
      `${reason}; ${watch.canaryStarts} canaries were started and none proved anything`,
    );
  }
  const requestedAt = context.ports.clock.elapsed();
  const { canaryRefusal } = watch;
  if (canaryRefusal !== undefined && requestedAt - canaryRefusal.at < refusedForMs)
    throw canaryRefusal.error;
  watch.canaryStarts += 1;
  const job = await untilAccepted(context, () => context.ports.canary.start()).catch(
    (error: unknown) => {
      if (isPortFailure(error) && error.kind === 'denied') {
        // A refused start does not count as a canary.
        watch.canaryStarts -= 1;
        watch.canaryRefusal = { at: requestedAt, error };
      }
      throw error;
    },
  );
  watch.hadCanary = true;
  watch.canaryWaitedAt = requestedAt;
  context.log.act(`Started canary job ${job.id}, because ${reason}.`);
  return note(context, 'canary', 'missing', `canary job ${job.id} waits for a runner`);
}
