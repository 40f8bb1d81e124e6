import type { DrainAccount } from '../domain/accounting.ts';
import { type DrainJudgement, type DrainLook, judgeDrain } from '../domain/drain.ts';
import { type DrainEstimate, describeEstimate } from '../domain/drain-estimate.ts';
import { formatDuration } from '../domain/duration.ts';
import { isServing } from '../domain/guards.ts';
import { shardEntry, withPhase } from '../domain/record.ts';
import type { Shard } from '../domain/shard.ts';
import { isBefore } from '../domain/steps.ts';
import { activeNotServing, drainBlind, drainTimedOut, drainUnfinished } from '../errors/shards.ts';
import { capital } from '../errors/state.ts';
import { isPortFailure } from '../ports/failure.ts';
import { lookUntil, notYet, seen } from '../ports/look-until.ts';
import type { RegistryJob } from '../ports/registry.ts';
import { type StageContext, timestamp, wordsOf } from './context.ts';
import { countDrain, type DrainCount, withDrainAccount } from './drain-account.ts';
import { watchDrain } from './drain-look.ts';
import { gate } from './effect.ts';
import { guarded } from './guarded.ts';
import { listHosts } from './observe.ts';
import { ensureIntake } from './routing.ts';

/** Before the CI ends this job there must be time to say that the drain goes on. */
const marginMs = 60_000;

/** The step: close the intake, verify, count jobs until none is left. Resumable at any moment. */
export async function drain(context: StageContext, retiring: Shard): Promise<void> {
  const { journal, log } = context;
  const record = journal.current();
  await guarded(context, 'active_shard', () => refuseLastShard(context));
  if (isBefore(record.deployment.phase, 'draining')) {
    await gate(context, retiring);
    await journal.write(withPhase(record, 'draining', timestamp(context)));
  }
  const drained = await guarded(context, 'drained', () => drainShard(context, retiring));
  const counted = withDrainAccount(journal.current(), drained.account);
  await journal.write(withPhase(counted, 'drained', timestamp(context)));
  log.act(`Drained ${retiring}: ${drained.reason}.`);
}

/** S1: the shard that stays must be proven to serve before the other one stops to. */
async function refuseLastShard(context: StageContext): Promise<void> {
  const { journal, settings } = context;
  const { candidate, retiring, kind } = journal.current().deployment;
  const reason = await whyNotServing(context, candidate);
  if (reason === undefined) return;
  throw activeNotServing({
    runner: settings.runnerName,
    shard: retiring ?? 'the old shard',
    reason,
    isRollback: kind === 'rollback',
  });
}

async function whyNotServing(context: StageContext, candidate: Shard): Promise<string | undefined> {
  const { journal, ports, settings } = context;
  const { registration } = shardEntry(journal.current(), candidate);
  const found = registration === undefined ? undefined : await ports.registry.find(registration);
  if (found?.kind !== 'found') return `${candidate} has no registration any more`;
  if (!isServing(found.value, settings))
    return `${wordsOf(context).registration} ${registration} of ${candidate} does not take customer jobs`;
  // GitLab goes on calling a runner online for two hours after its host is gone.
  const hosts = await listHosts(context, candidate);
  return 'unknown' in hosts || hosts.length > 0 ? undefined : `no host of ${candidate} exists`;
}

export interface Drained {
  readonly reason: string;
  /** For the record; absent where no customer's job could ever run there. */
  readonly account: DrainAccount | undefined;
}

export async function drainShard(
  context: StageContext,
  shard: Shard,
  rules: { pollOfRunnerMs: number; confirmationMs: number } = context.settings.drain,
): Promise<Drained> {
  const { ports, settings, journal } = context;
  const startedAt = ports.clock.elapsed();
  const since = Date.parse(journal.current().deployment.phaseAt);
  const looks: DrainLook[] = [];
  const watch = watchDrain(context, shard);
  const count = countDrain(context, shard);
  await closeIntake(context, shard);
  const { pollMs } = settings.drain;
  return lookUntil<Drained>({ clock: ports.clock, cadence: { pollMs } }, async () => {
    trim(looks);
    const look = await watch.look();
    looks.push(look);
    await count.see(look);
    const judgement = judgeDrain(looks, { ...rules, words: wordsOf(context) });
    context.log.event({ kind: 'drain', shard, judgement });
    if (judgement.kind === 'drained') {
      reportLost(context, judgement.lost);
      return seen({ reason: judgement.reason, account: await count.settle(judgement.lost) });
    }
    if (judgement.kind === 'blind') {
      const { runnerName: runner } = settings;
      throw drainBlind({ runner, shard, stage: context.stage, reason: judgement.reason });
    }
    if (judgement.kind === 'reopened') {
      context.log.warn(`The intake of ${shard} was opened by somebody else; closing it again.`);
      looks.length = 0;
      await closeIntake(context, shard);
      return notYet({ kind: 'due', inMs: 0 });
    }
    await enforceLimits(context, { shard, judgement, startedAt, since, count });
    const rest = judgement.kind === 'busy' ? `, ${describeEstimate(count.estimate())}` : '';
    context.log.wait(
      `Waiting: ${shard} drains, ${judgement.reason}, ${formatDuration(ports.clock.elapsed() - startedAt)}${rest}.`,
    );
    if (judgement.kind !== 'confirming') return notYet();
    // Counted from the look itself, whose answers took their time.
    const sinceLookMs = ports.clock.elapsed() - look.at;
    const due = notYet({ kind: 'due', inMs: judgement.forMs - sinceLookMs });
    // A host that comes back and speaks shortens the window.
    return look.hosts.some(({ kind }) => kind === 'silent') ? { ...due, atMostMs: pollMs } : due;
  });
}

/** A drain of days must not keep every look: the idle run and its first member are enough. */
function trim(looks: DrainLook[]): void {
  if (looks.length > 5000) looks.splice(1, looks.length - 5000);
}

async function closeIntake(context: StageContext, shard: Shard): Promise<void> {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (registration === undefined) return;
  const found = await context.ports.registry.find(registration);
  if (found.kind === 'absent') {
    context.log.warn(
      `${capital(wordsOf(context).registration)} ${registration} of ${shard} was deleted by somebody else; its jobs are looked for on its hosts.`,
    );
    return;
  }
  await ensureIntake(context, { shard, id: registration, intake: 'closed' });
}

function reportLost(context: StageContext, lost: readonly RegistryJob[]): void {
  for (const job of lost) {
    context.log.warn(
      `Lost: ${wordsOf(context).registry} still believes that job ${job.id} "${job.name}" of ${job.project} is ${job.status}; its host is gone (${job.url}).`,
    );
  }
}

interface Limits {
  readonly shard: Shard;
  readonly judgement: DrainJudgement;
  readonly startedAt: number;
  readonly since: number;
  readonly count: DrainCount;
}

/** No limit leads to destruction; `force_after` is a person's explicit choice and is reported. */
async function enforceLimits(
  context: StageContext,
  { shard, judgement, startedAt, since, count }: Limits,
): Promise<void> {
  const { ports, settings, run, stage } = context;
  const now = ports.clock.now();
  const jobs = judgement.kind === 'busy' ? judgement.jobs : [];
  const facts = {
    runner: settings.runnerName,
    shard,
    stage,
    reason: judgement.reason,
    jobs: [...describeJobs(jobs, now), ...describeRest(judgement, count.estimate())],
  };
  const { timeoutMs, forceAfterMs, pollMs } = settings.drain;
  if (forceAfterMs !== undefined && judgement.kind === 'busy' && now - since >= forceAfterMs) {
    await count.killing(jobs);
    await killJobs(context, shard, jobs);
    return;
  }
  // Who waits on after the limit has passed is given it once more, or there would be no way on.
  const runForMs = ports.clock.elapsed() - startedAt;
  const waitedMs = now - since - runForMs >= (timeoutMs ?? 0) ? runForMs : now - since;
  if (timeoutMs !== undefined && judgement.kind === 'busy' && waitedMs >= timeoutMs) {
    throw drainTimedOut({ ...facts, after: formatDuration(timeoutMs) });
  }
  if (run.deadline !== undefined && now + pollMs >= run.deadline - marginMs)
    throw drainUnfinished(facts);
}

function describeRest(judgement: DrainJudgement, estimate: DrainEstimate | undefined): string[] {
  return judgement.kind === 'busy' ? [`Estimate: ${describeEstimate(estimate)}.`] : [];
}

function describeJobs(jobs: readonly RegistryJob[], now: number): string[] {
  return jobs.slice(0, 10).map((job) => {
    const age =
      job.startedAt === undefined
        ? 'not started'
        : `for ${formatDuration(now - Date.parse(job.startedAt))}`;
    return `job ${job.id} "${job.name}" of ${job.project}, ${job.status} ${age}: ${job.url}`;
  });
}

async function killJobs(
  context: StageContext,
  shard: Shard,
  jobs: readonly RegistryJob[],
): Promise<void> {
  const { ports, settings, log } = context;
  await gate(context, shard);
  const hosts = await ports.host.list({ runnerName: settings.runnerName, shard });
  for (const host of hosts) {
    try {
      await ports.host.kill(host.id);
      log.warn(
        `Killed by drain.force_after on host ${host.id}: ${jobs.map(({ id, name }) => `job ${id} "${name}"`).join(', ') || `jobs that ${wordsOf(context).registry} does not name`}.`,
      );
    } catch (error) {
      if (!isPortFailure(error)) throw error;
      log.warn(`Host ${host.id} could not be told to stop: ${error.message}.`);
    }
  }
}
