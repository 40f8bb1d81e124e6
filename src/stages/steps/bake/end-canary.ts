import { shardEntry } from '../../../domain/deployment/record.ts';
import type { CanaryJob } from '../../../domain/health/canary-job.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { StageContext } from '../../context/context.ts';
import { cancelCanary } from '../../effects/cancel-canary.ts';
import { isDeadlineWithin } from '../../effects/deadline.ts';
import { customersAmong } from '../../observe/canary-ownership.ts';
import { beginOrFindCanary, withCanaryTag } from '../../service/service-canary.ts';
import type { SignalValue } from './read-signals.ts';

const pollMs = 5000;
/** Time to report the unfinished bake, before the CI ends this job. */
const marginMs = 180_000;
/** Maximum wait for a canary, even on a fleet that boots slowly: the run holds the lock. */
const longestMs = 900_000;

/** Runs a canary at the end of a bake: finished jobs do not prove that new jobs start. */
export async function runEndCanary(context: StageContext, shard: Shard): Promise<SignalValue> {
  const { journal, log } = context;
  const { registration: id } = shardEntry(journal.current(), shard);
  if (id === undefined) return { value: 'unknown', detail: 'the shard has no runner' };
  log.act(
    `Starting another canary on ${shard}: jobs that have ended do not show whether the shard still starts new jobs.`,
  );
  return withCanaryTag<SignalValue>(
    context,
    { shard, id, called: 'it' },
    {
      run: async () => {
        const outcome = await outcomeOn(context, id);
        if (outcome.value !== 'good') await cancelCanary(context);
        return outcome;
      },
      none: ({ reason }) => ({ value: 'unknown', detail: reason }),
    },
  );
}

async function outcomeOn(context: StageContext, id: RegistrationId): Promise<SignalValue> {
  const { ports, log } = context;
  const { clock, canary } = ports;
  const began = await beginOrFindCanary(context);
  const { id: job } = began.job;
  const endsAt = clock.elapsed() + patienceMs(context, began);
  return pollUntil<SignalValue>({ clock, cadence: { pollMs } }, async () => {
    const found = await canary.find(job);
    const outcome = found === undefined ? undefined : judgeEnd(found, id);
    if (outcome !== undefined) return done(outcome);
    if (clock.elapsed() >= endsAt) return done(await judgeNoResponse(context, id, found));
    if (isDeadlineWithin(context, marginMs))
      return done({
        value: 'unknown',
        detail: `canary job ${job} did not end before the time limit of this job`,
      });
    log.wait(`Waiting for canary job ${job} to end.`);
    return pending();
  });
}

/**
 * Returns the time to wait for the canary. A canary of an earlier run has used part of it. Its age
 * compares two machines' clocks, so an idle runner always gets the time of one poll.
 */
function patienceMs(
  { ports, settings }: StageContext,
  { job, isAdopted }: Awaited<ReturnType<typeof beginOrFindCanary>>,
): number {
  const limitMs = Math.min(longestMs, settings.healthcheck.timeoutMs);
  if (!isAdopted) return limitMs;
  const ageMs = ports.clock.now() - Date.parse(job.createdAt);
  const leftMs = Math.min(limitMs, limitMs - ageMs);
  return Math.max(leftMs, Math.min(limitMs, settings.drain.pollOfRunnerMs));
}

function judgeEnd(job: CanaryJob, id: RegistrationId): SignalValue | undefined {
  const { status, registrationId, failureReason, exposed } = job;
  if (status !== 'success' && status !== 'failed' && status !== 'canceled') return undefined;
  const where = `canary job ${job.id}`;
  if (registrationId !== id)
    return { value: 'unknown', detail: `${where} ended, but it may have run on another runner` };
  if (exposed !== undefined)
    return { value: 'unknown', detail: `${where} received ${exposed.join(' and ')}` };
  if (status === 'success') return { value: 'good', detail: `${where} succeeded` };
  if (status === 'canceled') return { value: 'unknown', detail: `${where} was cancelled` };
  return { value: 'bad', detail: `${where} failed: ${failureReason ?? 'no reason given'}` };
}

/**
 * Returns the value of a canary without a result. A shard that is busy with customer jobs, or that
 * may still boot, is not bad. An idle shard that takes no job within `healthcheck.timeout` is bad.
 */
async function judgeNoResponse(
  context: StageContext,
  id: RegistrationId,
  job: CanaryJob | undefined,
): Promise<SignalValue> {
  const where = `canary job ${job?.id ?? ''}`;
  if (job === undefined || job.status !== 'waiting')
    return { value: 'unknown', detail: `${where} did not end in time` };
  const listed = await context.ports.registry.listJobs(id);
  if (listed.kind === 'absent')
    return { value: 'bad', detail: `${where} did not start: its runner no longer exists` };
  const { timeoutMs } = context.settings.healthcheck;
  const [busy] = await customersAmong(context, listed.value);
  if (busy === undefined && timeoutMs > longestMs) {
    const limits = `${formatDuration(longestMs)}, and healthcheck.timeout is ${formatDuration(timeoutMs)}`;
    return { value: 'unknown', detail: `${where} did not start within ${limits}` };
  }
  return busy === undefined
    ? { value: 'bad', detail: `${where} did not start, and no other job runs on the shard` }
    : { value: 'unknown', detail: `${where} did not start while job ${busy.id} runs on the shard` };
}
