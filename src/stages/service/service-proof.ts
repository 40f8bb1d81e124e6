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

/** Workhorse holds a request for up to 50 s, so that an idle runner is answered once in that time. */
const growsWithinMs = 75_000;
const growthPollMs = 5000;
const canaryPollMs = 5000;
const mostForCanaryMs = 300_000;
/** Not proven for so long, with the old shard closed, is as bad as disproven. */
export const unknownForMs = 600_000;
/** Before the CI ends this job there must be time for what comes after the canary. */
const marginMs = 120_000;
/** What is bad has to be seen again before it counts: a read may be stale. */
const badResultChecks = 3;
const badPauseMs = 1500;

/**
 * Whether the shard serves now. Where nothing newer is at hand, the proof is made: its hosts' counts
 * are looked at until they grow, and then the canary runs there again.
 */
export async function proveService(
  context: StageContext,
  shard: Shard,
  watch: ServiceWatch = watchService(context, shard),
  /** By our clock that never jumps: what is not known by then is unknown. */
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
  if (canary.kind === 'told') return canary.service;
  if (canary.kind === 'began') {
    watch.tookCanary(canary.job, canary.workers);
    return watch.look(context);
  }
  const withReason = { ...service, reason: `${service.reason}; ${canary.reason}` };
  return canary.passing === true ? { ...withReason, passing: true } : withReason;
}

/** Who may not read the shard's registration is told so by that read, and not what is missing of a proof. */
export async function failWhereUnread(
  context: StageContext,
  shard: Shard,
  service: Service,
): Promise<void> {
  if (service.kind === 'unknown' && !service.open) await findRegistrations(context, shard);
}

/** What looks alone can tell, without a canary. */
export async function checkUntilCountsGrow(
  context: StageContext,
  watch: ServiceWatch,
  until = Number.POSITIVE_INFINITY,
): Promise<Service> {
  const { ports, log } = context;
  const { clock } = ports;
  const endsAt = Math.min(clock.elapsed() + growsWithinMs, until);
  return pollUntil({ clock, cadence: { pollMs: growthPollMs } }, async () => {
    const service = await watch.look(context);
    if (service.kind !== 'unknown' || !watch.mayGrow()) return done(service);
    if (clock.elapsed() >= endsAt) return done(service);
    log.wait(`Waiting: ${watch.shard} is asked whether it serves, ${service.reason}.`);
    return pending();
  });
}

/** One look, and as many more as what is bad takes to be believed. */
export async function confirmBadResult(
  { ports }: StageContext,
  look: () => Promise<Service>,
): Promise<Service> {
  return pollUntil({ clock: ports.clock, cadence: { pollMs: badPauseMs } }, async (looks) => {
    const service = await look();
    const isBad = service.kind === 'disproven' || service.kind === 'closed';
    return isBad && looks < badResultChecks ? pending() : done(service);
  });
}

type Canary =
  | { readonly kind: 'began'; readonly job: string; readonly workers: readonly number[] }
  /** A look that was taken meanwhile says more than its silence. */
  | { readonly kind: 'told'; readonly service: Service }
  | { readonly kind: 'not'; readonly reason: string; readonly passing?: true };

interface Asking {
  readonly watch: ServiceWatch;
  readonly until: number;
}

/** With the canary's tag for as long as it takes; the production tags stay. */
async function runCanary(context: StageContext, { watch, until }: Asking): Promise<Canary> {
  const { settings, journal, log } = context;
  const { shard } = watch;
  if (settings.canary.kind === 'off' || journal.version() === 0)
    return { kind: 'not', reason: 'no canary is configured' };
  const { registration: id } = shardEntry(journal.current(), shard);
  // Only the shard that this deployment has promoted is given a tag: nobody routes the other one.
  if (id === undefined || journal.current().deployment.candidate !== shard)
    return { kind: 'not', reason: 'no canary is sent to a shard that is not the candidate' };
  const why = watch.isRouted()
    ? `its requests for a job go through ${wordsOf(context).registry}'s job router, whose count of them proves nothing`
    : 'nothing newer proves that it serves';
  log.act(`Asking ${shard} for a canary: ${why}.`);
  return withCanaryTag<Canary>(
    context,
    { shard, id, called: 'the canary' },
    {
      ask: async () => {
        const canary = await startedOn(context, id, { watch, until });
        if (canary.kind === 'began') await noteCanary(context, shard, canary);
        else await cancelCanary(context);
        return canary;
      },
      none: ({ reason, passing }) => ({ kind: 'not', reason, ...(passing ? { passing } : {}) }),
    },
  );
}

/** Who serves is looked at meanwhile as often as otherwise: a canary on a machine that ends is silent. */
async function startedOn(
  context: StageContext,
  id: string,
  { watch, until }: Asking,
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
        return done({ kind: 'not', reason: `canary job ${job} ran elsewhere` });
      const workers = found.workerId === undefined ? [] : [found.workerId];
      return done(isRunnersFault(found) ? failed(found) : { kind: 'began', job, workers });
    }
    const service = await beside();
    if (service !== undefined) return done({ kind: 'told', service });
    const isOver = clock.elapsed() >= endsAt;
    if (isOver || isDeadlineWithin(context, marginMs))
      return done({ kind: 'not', reason: `canary job ${job} was not begun` });
    log.wait(`Waiting: canary job ${job} begins on ${watch.shard}, at most ${most}.`);
    return pending();
  });
}

function failed({ id, failureReason }: CanaryJob): Canary {
  const reason = `canary job ${id} failed by the runner's own fault (${failureReason})`;
  return { kind: 'not', reason };
}

/** Answers once a look settles it, and looks no more often than anybody who keeps a shard closed. */
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
    const service = await watch.look();
    bad = service.kind === 'disproven' || service.kind === 'closed' ? bad + 1 : 0;
    return service.kind === 'proven' || bad >= badResultChecks ? service : undefined;
  };
}

/** So that the next run knows of it too. */
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
