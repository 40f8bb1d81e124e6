import {
  judgeRemoval,
  type ProcessFacts,
  planRemoval,
  type RemovalObservation,
} from '../../../domain/deployment/guards/worker-removal.ts';
import { shardEntry, withShard } from '../../../domain/deployment/record.ts';
import { runsJobs } from '../../../domain/drain/drain-by-hosts.ts';
import { isDead } from '../../../domain/instance.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { drainUnfinished } from '../../../errors/drain-errors.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Worker } from '../../../ports/registry.ts';
import { type StageContext, timestamp } from '../../context/context.ts';
import { isDeadlineWithin } from '../../effects/deadline.ts';
import { gate } from '../../effects/effect-gate.ts';
import { listHostReadings } from '../../observe/drain-observation.ts';
import { irreversible } from '../../service/irreversible.ts';
import { isForced } from '../drain/drain-limits.ts';
import { warnOfKilledJob, warnOfKilledJobs } from '../drain/job-loss.ts';

/** Time to report the unfinished removal, before the CI ends this job. */
const marginMs = 60_000;

/**
 * Removes the runners of workers (GitHub) after their processes: an earlier removal would lose a
 * job. The record notes beginning and end, so no later run takes a removed worker for one that
 * never existed.
 */
export async function removeWorkers(context: StageContext, shard: Shard): Promise<void> {
  const { ports, journal, log } = context;
  const entry = shardEntry(journal.current(), shard);
  const { registration } = entry;
  if (ports.registry.traits.registrationsPer !== 'worker' || registration === undefined) return;
  if (entry.removal === undefined) {
    const snapshot = await gate(context, shard);
    const began = { began: timestamp(context) };
    await journal.write(withShard(journal.current(), shard, { removal: began }), snapshot);
  }
  const leftOver = await untilGone(context, shard, registration);
  for (const { id, systemId } of leftOver) {
    log.warn(
      `Left over: runner ${id} "${systemId}" is still listed as busy, but its process has ended. The list is delayed, and any job ended with the process. The runner is removed when it is listed as idle.`,
    );
  }
  await warnOfKilledJobs(context, shard);
  const { removal } = shardEntry(journal.current(), shard);
  if (removal === undefined || removal.ended !== undefined) return;
  const ended = { ...removal, ended: timestamp(context) };
  await journal.write(withShard(journal.current(), shard, { removal: ended }));
  log.act(`Removed every runner of ${shard}: none of them gets another job.`);
}

async function untilGone(
  context: StageContext,
  shard: Shard,
  registration: RegistrationId,
): Promise<readonly Worker[]> {
  const { ports, log, settings, stage } = context;
  const seen = new Set<string>();
  const killed = new Map<string, number>();
  const since = ports.clock.elapsed();
  return pollUntil({ clock: ports.clock, cadence: { pollMs: marginMs } }, async () => {
    await gate(context, shard);
    const observed = await removeOnce(context, { shard, registration, seen, killed, since });
    const verdict = judgeRemoval(observed);
    log.event({ kind: 'removal', shard, judgement: verdict });
    if (verdict.kind === 'gone') return done(verdict.leftOver);
    const { reason, forMs } = verdict;
    if (isDeadlineWithin(context, forMs + marginMs)) {
      throw drainUnfinished({ runner: settings.runnerName, shard, stage, reason, jobs: [] });
    }
    log.wait(`Waiting: ${reason}.`);
    return pending({ kind: 'after', againInMs: forMs });
  });
}

/** Tries once more to remove the rest; the next list shows the result. */
export async function removeLeftOver(context: StageContext, shard: Shard): Promise<void> {
  const { registration } = shardEntry(context.journal.current(), shard);
  if (registration === undefined) return;
  await removeOnce(context, {
    shard,
    registration,
    seen: new Set(),
    killed: new Map(),
    since: context.ports.clock.elapsed(),
  });
}

interface RemovalTry {
  readonly shard: Shard;
  readonly registration: RegistrationId;
  /** Hosts whose worker was listed in this run. */
  readonly seen: Set<string>;
  /** Monotonic time at which this run began. */
  readonly since: number;
  /** Hosts whose listener this run has killed, with the time. */
  readonly killed: Map<string, number>;
}

/**
 * Removes the workers whose process has ended. A running listener is ended first, and its worker is
 * removed at the next check.
 */
async function removeOnce(
  context: StageContext,
  { shard, registration, seen, killed, since }: RemovalTry,
): Promise<RemovalObservation> {
  const listed = await context.ports.registry.listWorkers(registration);
  const workers = listed.kind === 'found' ? listed.value : [];
  for (const { hostId } of workers) if (hostId !== undefined) seen.add(hostId);
  const facts = await processFacts(context, shard, { workers, killed, since });
  for (const word of facts.hosts)
    if (runsJobs(word) && killed.has(word.host)) await warnOfKilledJob(context, word.host);
  const { ended, held, resting } = force(context, planRemoval(workers, facts));
  for (const { worker } of held) await endListener(context, shard, { worker, facts, killed });
  const ids = ended.map(({ id }) => id);
  const removals = ids.length === 0 ? [] : await removeEnded(context, { shard, registration, ids });
  return { ...facts, held, resting, removals, seenHosts: [...seen] };
}

async function removeEnded(
  context: StageContext,
  { shard, registration, ids }: { shard: Shard; registration: RegistrationId; ids: number[] },
) {
  const { registry } = await irreversible(context, { act: 'deregister', shard });
  return registry.retireWorkers(registration, ids);
}

/**
 * Removes workers by `drain.force_after`, an operator's explicit choice. No other method exists if
 * hosts cannot be queried.
 */
function force(context: StageContext, plan: ReturnType<typeof planRemoval>): typeof plan {
  if (!isForced(context)) return plan;
  for (const { worker, why } of plan.held) {
    context.log.warn(
      `Removed by drain.force_after: runner ${worker.id} "${worker.systemId}", although ${why}. Its job, if any, is canceled.`,
    );
  }
  const ended = [...plan.ended, ...plan.resting, ...plan.held.map(({ worker }) => worker)];
  return { ended, held: [], resting: [] };
}

/** Ends a listener that registered after the stop of its shard, or whose stop found a job. */
async function endListener(
  context: StageContext,
  shard: Shard,
  { worker, facts, killed }: { worker: Worker; facts: ProcessFacts } & Pick<RemovalTry, 'killed'>,
): Promise<void> {
  const word = facts.hosts.find(({ host }) => host === worker.hostId);
  if (word?.kind !== 'jobs' || word.count > 0) return;
  const { host } = await irreversible(context, { act: 'stop', shard });
  if ((await host.quit(word.host)).kind === 'sent')
    killed.set(word.host, context.ports.clock.elapsed());
}

async function processFacts(
  context: StageContext,
  shard: Shard,
  { workers, killed, since }: { workers: readonly Worker[] } & Pick<RemovalTry, 'killed' | 'since'>,
): Promise<ProcessFacts> {
  const { ports, journal, settings } = context;
  const hosts = await listHostReadings(context, shard);
  const { lastApply, removal } = shardEntry(journal.current(), shard);
  const now = ports.clock.now();
  const began = removal === undefined ? 0 : Date.parse(removal.began);
  return {
    hosts,
    machines: await listMachines(context, workers, hosts),
    sinceApplyMs: lastApply === undefined ? Infinity : now - Date.parse(lastApply.at),
    // A clock that was set back must not prolong the wait beyond this run's monotonic time.
    endedForMs: (host) =>
      killed.has(host ?? '')
        ? ports.clock.elapsed() - (killed.get(host ?? '') ?? 0)
        : Math.max(now - began, ports.clock.elapsed() - since),
    redeliveryMs: settings.drain.pollOfRunnerMs,
  };
}

/** Reads the machine states of hosts that do not respond. */
async function listMachines(
  { ports }: StageContext,
  workers: readonly Worker[],
  hosts: ProcessFacts['hosts'],
): Promise<ProcessFacts['machines']> {
  const speaking = new Set(hosts.flatMap(({ kind, host }) => (kind === 'silent' ? [] : [host])));
  const machines = new Map<string, 'dead' | 'alive' | 'not_found' | 'unknown'>();
  for (const { hostId } of workers) {
    if (hostId === undefined || speaking.has(hostId) || machines.has(hostId)) continue;
    try {
      const instance = await ports.instances.find(hostId);
      machines.set(
        hostId,
        instance === undefined ? 'not_found' : isDead(instance) ? 'dead' : 'alive',
      );
    } catch (error) {
      if (!isPortFailure(error) || endsRun(error)) throw error;
      machines.set(hostId, 'unknown');
    }
  }
  return machines;
}
