import { shardEntry, withShard } from '../../domain/deployment/record.ts';
import type { CanaryJob } from '../../domain/health/canary-job.ts';
import { hasCanaryBegun } from '../../domain/health/canary-verdict.ts';
import { isRunnersFault } from '../../domain/health/runner-faults.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { Shard } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import { type StageContext, timestamp, wordsOf } from '../context/context.ts';
import type { ServiceWatch } from '../context/run-memory.ts';
import { cancelCanary } from '../effects/cancel-canary.ts';
import { isDeadlineWithin } from '../effects/deadline.ts';
import { findRegistrations } from '../observe/observe.ts';
import { resetUnprovenTimer, watchService } from '../observe/shard/service-watch.ts';
import { beginOrFindCanary, withCanaryTag } from './service-canary.ts';

/** Workhorse holds a request for up to 50 s, so an idle runner gets one response in that time. */
const growsWithinMs = 75_000;
const growthPollMs = 5000;
const canaryPollMs = 5000;
const mostForCanaryMs = 300_000;
/** Unverified for this time, with the old shard paused, the shard counts as disproven. */
export const unknownForMs = 600_000;
/** Time for the work after the canary, before the CI ends this job. */
const marginMs = 120_000;
/** A bad result must be repeated before it counts, because a read may be stale. */
const badResultChecks = 3;
const badPauseMs = 1500;

/**
 * Verifies that the shard accepts jobs now. Without a recent proof, it reads the host counters
 * until they grow, and then runs the canary again.
 */
export async function proveService(
  context: StageContext,
  shard: Shard,
  watch: ServiceWatch = watchService(context, shard),
  /** Monotonic time after which an open result counts as unknown. */
  until = Number.POSITIVE_INFINITY,
): Promise<Service> {
  watch.beginProof();
  const service = await makeProof(context, watch, until);
  if (service.kind === 'proven') resetUnprovenTimer(context, shard);
  return service;
}

async function makeProof(
  context: StageContext,
  watch: ServiceWatch,
  until: number,
): Promise<Service> {
  const service = await checkUntilCountsGrow(context, watch, until);
  if (service.kind !== 'unknown' || service.ended === true) return service;
  if (context.ports.clock.elapsed() >= until) return service;
  const canary = await runCanary(context, { watch, until });
  if (canary.kind === 'service') return canary.service;
  if (canary.kind === 'began') {
    watch.tookCanary(canary.job, canary.workers);
    return watch.check(context);
  }
  const withReason = { ...service, reason: `${service.reason}; ${canary.reason}` };
  return canary.passing === true ? { ...withReason, passing: true } : withReason;
}

/** Rejects if the shard's runner cannot be read: that error explains more than a missing proof. */
export async function failWhereUnread(
  context: StageContext,
  shard: Shard,
  service: Service,
): Promise<void> {
  if (service.kind === 'unknown' && !service.open) await findRegistrations(context, shard);
}

/** Checks the shard until counters grow, without a canary. */
export async function checkUntilCountsGrow(
  context: StageContext,
  watch: ServiceWatch,
  until = Number.POSITIVE_INFINITY,
): Promise<Service> {
  const { ports, log } = context;
  const { clock } = ports;
  const endsAt = Math.min(clock.elapsed() + growsWithinMs, until);
  return pollUntil({ clock, cadence: { pollMs: growthPollMs } }, async () => {
    const service = await watch.check(context);
    if (service.kind !== 'unknown' || !watch.mayGrow()) return done(service);
    if (clock.elapsed() >= endsAt) return done(service);
    log.wait(`Waiting: checking whether ${watch.shard} accepts jobs (${service.reason}).`);
    return pending();
  });
}

/** Checks once, and repeats a bad result until it is confirmed. */
export async function confirmBadResult(
  { ports }: StageContext,
  check: () => Promise<Service>,
): Promise<Service> {
  return pollUntil({ clock: ports.clock, cadence: { pollMs: badPauseMs } }, async (polls) => {
    const service = await check();
    const isBad = service.kind === 'disproven' || service.kind === 'closed';
    return isBad && polls < badResultChecks ? pending() : done(service);
  });
}

type Canary =
  | { readonly kind: 'began'; readonly job: string; readonly workers: readonly number[] }
  /** A check beside the canary was conclusive first. */
  | { readonly kind: 'service'; readonly service: Service }
  | { readonly kind: 'not'; readonly reason: string; readonly passing?: true };

interface CanaryOptions {
  readonly watch: ServiceWatch;
  readonly until: number;
}

/** Runs the canary with its tag on the shard; the production tags stay. */
async function runCanary(context: StageContext, { watch, until }: CanaryOptions): Promise<Canary> {
  const { settings, journal, log } = context;
  const { shard } = watch;
  if (settings.canary.kind === 'off' || journal.version() === 0)
    return { kind: 'not', reason: 'no canary is configured' };
  const { registration: id } = shardEntry(journal.current(), shard);
  // The canary's tag is only ever given to the shard that this deployment has promoted.
  if (id === undefined || journal.current().deployment.candidate !== shard)
    return { kind: 'not', reason: 'a canary is sent only to the candidate' };
  const why = watch.isRouted()
    ? `its job requests go through ${wordsOf(context).registry}'s job router, whose request count proves nothing`
    : 'no newer evidence verifies it';
  log.act(`Starting a canary on ${shard}: ${why}.`);
  return withCanaryTag<Canary>(
    context,
    { shard, id, called: 'the canary' },
    {
      run: async () => {
        const canary = await startedOn(context, id, { watch, until });
        if (canary.kind === 'began') await noteCanary(context, shard, canary);
        else await cancelCanary(context);
        return canary;
      },
      none: ({ reason, passing }) => ({ kind: 'not', reason, ...(passing ? { passing } : {}) }),
    },
  );
}

/** Waits for the canary and keeps checking the shard: on a machine that ends, a canary hangs. */
async function startedOn(
  context: StageContext,
  id: string,
  { watch, until }: CanaryOptions,
): Promise<Canary> {
  const { ports, settings, log } = context;
  const { clock, canary } = ports;
  const limitMs = Math.min(mostForCanaryMs, settings.healthcheck.timeoutMs);
  const openedAt = clock.elapsed();
  const endsAt = Math.min(openedAt + limitMs, until);
  const most = formatDuration(endsAt - openedAt);
  const beside = checkBeside(context, watch);
  const { id: job } = (await beginOrFindCanary(context)).job;
  return pollUntil<Canary>({ clock, cadence: { pollMs: canaryPollMs } }, async () => {
    const found = await canary.find(job);
    if (found !== undefined && hasCanaryBegun(found) && found.registrationId !== undefined) {
      if (found.registrationId !== id)
        return done({ kind: 'not', reason: `canary job ${job} ran on another runner` });
      const workers = found.workerId === undefined ? [] : [found.workerId];
      return done(isRunnersFault(found) ? failed(found) : { kind: 'began', job, workers });
    }
    const service = await beside();
    if (service !== undefined) return done({ kind: 'service', service });
    const isOver = clock.elapsed() >= endsAt;
    if (isOver || isDeadlineWithin(context, marginMs))
      return done({ kind: 'not', reason: `canary job ${job} did not start` });
    log.wait(`Waiting for canary job ${job} to start on ${watch.shard} (at most ${most}).`);
    return pending();
  });
}

function failed({ id, failureReason }: CanaryJob): Canary {
  const reason = `canary job ${id} had a runner system failure (${failureReason})`;
  return { kind: 'not', reason };
}

/** Returns a check that reports a conclusive result, at the usual interval. */
function checkBeside(
  { ports, settings }: StageContext,
  watch: ServiceWatch,
): () => Promise<Service | undefined> {
  const { clock } = ports;
  let checkedAt = clock.elapsed();
  let bad = 0;
  return async () => {
    if (bad === 0 && clock.elapsed() - checkedAt < settings.drain.servicePollMs) return undefined;
    checkedAt = clock.elapsed();
    const service = await watch.check();
    bad = service.kind === 'disproven' || service.kind === 'closed' ? bad + 1 : 0;
    return service.kind === 'proven' || bad >= badResultChecks ? service : undefined;
  };
}

/** Notes the canary in the record for the next run. */
async function noteCanary(
  context: StageContext,
  shard: Shard,
  { job, workers }: Extract<Canary, { kind: 'began' }>,
): Promise<void> {
  const { journal } = context;
  const { evidence } = shardEntry(journal.current(), shard);
  if (evidence === undefined) return;
  const proven = workers.filter((id) => !evidence.workers.includes(id));
  const renewed = {
    ...evidence,
    at: timestamp(context),
    workers: [...evidence.workers, ...proven],
    canary: job,
  };
  await journal.write(withShard(journal.current(), shard, { evidence: renewed }));
}
