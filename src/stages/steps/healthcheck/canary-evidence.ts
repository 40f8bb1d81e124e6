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
/** It may be granted, or a person may press the job, until the deadline; nobody does so every second. */
const refusedForMs = 60_000;
/** A canary that is not taken for so long may have somebody else's job before it. */
const foreignEveryMs = 60_000;

export async function checkCanary(context: StageContext, watch: Watch): Promise<Evidence> {
  const { ports, settings } = context;
  if (settings.canary.kind === 'off')
    return note(context, 'canary', 'unknown', 'no canary is configured');
  watch.canaryDenied = false;
  try {
    const askedAt = ports.clock.elapsed();
    const job = await ports.canary.findNewest();
    watch.hot = true;
    // By the moment of the question: it may have been taken while the answer was on its way.
    watch.canaryWaitedAt = job?.status === 'waiting' ? askedAt : undefined;
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
      `the canary cannot be asked: ${error.message}${press}`,
    );
  }
}

/** What would start another canary is judged again by managers that are fresh. */
async function judge(
  context: StageContext,
  watch: Watch,
  job: CanaryJob | undefined,
): Promise<CanaryVerdict> {
  const judged = () =>
    judgeCanary({
      job,
      registrationId: watch.entry.registration ?? '',
      workers: watch.workers.map(({ id }) => id),
      canaryAtApply: watch.entry.canaryAtApply,
      words: wordsOf(context),
    });
  const first = judged();
  const isOfOther = job?.workerId !== undefined && first.kind === 'start';
  if (!isOfOther || watch.workers.some(({ id }) => id === job.workerId)) return first;
  await checkManagers(context, watch);
  return judged();
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
        `${canaryVerdict.reason}; the other managers are still to prove`,
      );
    case 'wait': {
      const foreign = await findBlockingRunner(context, watch, job);
      // A shard that is busy with somebody's job is not sick.
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

/** What the registry keeps waiting counts against no candidate; cancelling and starting it again may help. */
async function waitFor(
  context: StageContext,
  watch: Watch,
  { reason, job }: { reason: string; job: CanaryJob | undefined },
): Promise<Evidence> {
  const stall = job?.status === 'waiting' ? await findStall(context, watch, job) : undefined;
  if (stall === undefined) return note(context, 'canary', 'missing', reason);
  const why = `${reason}, and ${stall.reason}`;
  if (watch.hadSecondCanary) return note(context, 'canary', 'unknown', `${why}, the second time`);
  if (!stall.isLong) return note(context, 'canary', 'unknown', why);
  watch.hadSecondCanary = true;
  await cancelCanary(context);
  const { detail } = await startCanary(context, watch, why);
  return note(context, 'canary', 'unknown', detail);
}

/** What runs on the candidate while its canary waits; asked seldom, and only after a while. */
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
  watch.canaryWaits ??= { askedAt: now };
  const waits = watch.canaryWaits;
  if (now - waits.askedAt < foreignEveryMs) return waits.foreign;
  waits.askedAt = now;
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

/** By which a job may have come; none where customers' own tags let it in. */
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
 * One canary for each expected manager, or the word of its own host for the others. GitLab goes on
 * listing a manager whose host is gone, which can prove nothing any more.
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
      `${reason}; ${watch.canaryStarts} canaries were asked for and none could prove anything`,
    );
  }
  const askedAt = context.ports.clock.elapsed();
  const { canaryRefusal } = watch;
  if (canaryRefusal !== undefined && askedAt - canaryRefusal.at < refusedForMs)
    throw canaryRefusal.error;
  watch.canaryStarts += 1;
  const job = await untilAccepted(context, () => context.ports.canary.start()).catch(
    (error: unknown) => {
      if (isPortFailure(error) && error.kind === 'denied') {
        // What was refused is no canary.
        watch.canaryStarts -= 1;
        watch.canaryRefusal = { at: askedAt, error };
      }
      throw error;
    },
  );
  watch.hadCanary = true;
  watch.canaryWaitedAt = askedAt;
  context.log.act(`Started canary job ${job.id}: ${reason}.`);
  return note(context, 'canary', 'missing', `canary job ${job.id} waits for a runner`);
}
