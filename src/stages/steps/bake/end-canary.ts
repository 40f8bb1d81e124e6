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
/** Before the CI ends this job there must be time to say that the bake goes on. */
const marginMs = 180_000;
/** The lock is held meanwhile: a canary is waited for no longer, however slowly a fleet boots. */
const longestMs = 900_000;

/** One canary: what has finished on a shard says nothing of a shard that starts no job any more. */
export async function runEndCanary(context: StageContext, shard: Shard): Promise<SignalValue> {
  const { journal, log } = context;
  const { registration: id } = shardEntry(journal.current(), shard);
  if (id === undefined) return { value: 'unknown', detail: 'the shard has no registration' };
  log.act(
    `Asking ${shard} for a canary once more: jobs that have ended hide one that starts none.`,
  );
  return withCanaryTag<SignalValue>(
    context,
    { shard, id, called: 'it' },
    {
      ask: async () => {
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
      return done({ value: 'unknown', detail: `canary job ${job} has not ended before our own` });
    log.wait(`Waiting: canary job ${job} ends.`);
    return pending();
  });
}

/**
 * One that a run before this one has begun has had a part of its time. Its age is a difference of two
 * machines' clocks: however old it looks, an idle runner is left the time in which it asks for jobs.
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
    return { value: 'unknown', detail: `${where} ended and is not known to have run there` };
  if (exposed !== undefined)
    return { value: 'unknown', detail: `${where} was given ${exposed.join(' and ')}` };
  if (status === 'success') return { value: 'good', detail: `${where} succeeded` };
  if (status === 'canceled') return { value: 'unknown', detail: `${where} was canceled` };
  return { value: 'bad', detail: `${where} failed: ${failureReason ?? 'no reason given'}` };
}

/**
 * A shard that is busy with customers' jobs is not sick, nor is one that may still boot; an idle one
 * that takes no job in `healthcheck.timeout` is.
 */
async function judgeNoResponse(
  context: StageContext,
  id: RegistrationId,
  job: CanaryJob | undefined,
): Promise<SignalValue> {
  const where = `canary job ${job?.id ?? ''}`;
  if (job === undefined || job.status !== 'waiting')
    return { value: 'unknown', detail: `${where} has not ended in time` };
  const listed = await context.ports.registry.listJobs(id);
  if (listed.kind === 'absent')
    return { value: 'bad', detail: `${where} was not begun: its runner is gone` };
  const { timeoutMs } = context.settings.healthcheck;
  const [busy] = await customersAmong(context, listed.value);
  if (busy === undefined && timeoutMs > longestMs) {
    const limits = `${formatDuration(longestMs)}, and healthcheck.timeout is ${formatDuration(timeoutMs)}`;
    return { value: 'unknown', detail: `${where} was not begun in ${limits}` };
  }
  return busy === undefined
    ? { value: 'bad', detail: `${where} was not begun, and no other job runs there` }
    : { value: 'unknown', detail: `${where} was not begun while job ${busy.id} runs there` };
}
