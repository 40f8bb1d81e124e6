import { mayRemove } from '../../../domain/deployment/guards/removal-rules.ts';
import { takesCustomerJobs } from '../../../domain/deployment/guards/runner-tags.ts';
import { shardEntry, withoutShard, withPhase } from '../../../domain/deployment/record.ts';
import { withIntake } from '../../../domain/drain/shard-intake.ts';
import { type Shard, shardDescription } from '../../../domain/shard.ts';
import { capital } from '../../../domain/text/capital.ts';
import { inShell } from '../../../domain/text/shell-quoting.ts';
import { lineOf } from '../../../errors/fix-line.ts';
import { cleanupRefused } from '../../../errors/shard-errors.ts';
import { ofShard, type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { cancelEveryCanary } from '../../effects/cancel-canary.ts';
import { gate, type Proof } from '../../effects/effect-gate.ts';
import { retreatingCandidate } from '../../effects/reopen.ts';
import { ensureRouting, quarantineRouting } from '../../effects/routing.ts';
import { customersAmong } from '../../observe/canary-ownership.ts';
import { listHostReadings } from '../../observe/drain-observation.ts';
import { findRegistration, findRegistrations, readSwitchedStatus } from '../../observe/observe.ts';
import { findPause } from '../../service/intake.ts';
import { proveRemovable } from '../../service/irreversible.ts';
import { drainUnbaked } from '../drain/drain.ts';
import { withDrainTally } from '../drain/drain-tally.ts';
import { retryLaterOnOutage } from '../drain/tolerate-outage.ts';
import { removeRegistration } from './deregister.ts';
import { destroy } from './destroy.ts';
import { isRestored } from './restore-registration.ts';
import { stop } from './stop.ts';

export interface Removed {
  /** Restored runner of an operator, whose description prevents a new candidate. */
  readonly inTheWay?: string;
}

/** Undoes a candidate before the switch (or by rule 6): quarantine, drain, cleanup. */
export async function removeCandidate(context: StageContext, candidate: Shard): Promise<Removed> {
  const removed = await retryLaterOnOutage(context, () => remove(context, candidate));
  if ('kind' in removed) throw removed.error;
  return removed;
}

async function remove(context: StageContext, candidate: Shard): Promise<Removed> {
  const { journal, log } = context;
  const { phase: resumedIn } = journal.current().deployment;
  context.memory.resumedIn = resumedIn;
  const proof = await proveRemovable(context, { act: 'change', shard: candidate });
  if (resumedIn !== 'retreating') {
    const { productionTag, routingBefore } = shardEntry(journal.current(), candidate);
    // A retreat never reopens any other candidate.
    const isOpened = productionTag && routingBefore === undefined;
    const isByOperator = isOpened && (await findPause(context, candidate)).wasPausedByOperator;
    const snapshot = await gate(context, candidate, proof);
    const record = journal.current();
    const at = timestamp(context);
    const noted = isByOperator ? withIntake(record, candidate, 'operator_pause', at) : record;
    await journal.write(withPhase(noted, 'retreating', at), snapshot);
  }
  await cancelEveryCanary(context);
  const removed = await findObstacle(context, candidate);
  if (resumedIn === 'retreating') await warnOfOpen(context, candidate);
  // A restored runner is not paused again: everything else was removed before.
  if (!isRestored(context, candidate)) await takeOut(context, candidate, proof);
  await destroy(context, candidate);
  await journal.write(
    withPhase(withoutShard(journal.current(), candidate), 'prepared', timestamp(context)),
  );
  log.act(`Removed the candidate ${candidate}; the deployment is back in phase prepared.`);
  return removed;
}

async function findObstacle(context: StageContext, candidate: Shard): Promise<Removed> {
  const { registration, routingBefore } = shardEntry(context.journal.current(), candidate);
  if (routingBefore === undefined) return {};
  const place = { runnerName: context.settings.runnerName, shard: candidate };
  const its = (await findRegistrations(context, candidate)).find(({ id }) => id === registration);
  if (its?.description !== shardDescription(place)) return {};
  return { inTheWay: `${wordsOf(context).registration} ${its.id}` };
}

/**
 * Warns that the candidate is unpaused. An operator or an earlier run may be the cause; the
 * resuming run pauses it in both cases.
 */
async function warnOfOpen(context: StageContext, candidate: Shard): Promise<void> {
  const { journal, settings, typed, stage } = context;
  const { registration: id } = shardEntry(journal.current(), candidate);
  if (id === undefined || retreatingCandidate(context) !== candidate) return;
  const found = await findRegistration(context, id);
  if (found === undefined || found.paused) return;
  const { registration, unpaused } = wordsOf(context);
  const text = `${capital(registration)} ${id} of ${candidate} is ${unpaused} during its retreat: an operator unpaused it, or an earlier run left it so. It is paused again, because ${stage} was run. To keep it instead`;
  const keeps = {
    command: 'activate',
    runner: settings.runnerName,
    more: inShell`--shard ${candidate}`,
  };
  context.log.warn(lineOf({ text, ...keeps }, typed));
}

/** Takes the candidate out of service, proven by all sources, before anything is destroyed. */
async function takeOut(context: StageContext, candidate: Shard, proof: Proof): Promise<void> {
  const { journal, ports } = context;
  const entry = shardEntry(journal.current(), candidate);
  const { registration } = entry;
  const found = registration === undefined ? undefined : await ports.registry.find(registration);
  if (registration !== undefined && found?.kind === 'found') {
    await ensureRouting(context, {
      shard: candidate,
      id: registration,
      routing: quarantineRouting(context),
      proof,
    });
  }
  // A job outlives its runner: a candidate with customer jobs is drained even without it.
  if (found?.kind === 'found' || (found?.kind === 'absent' && entry.productionTag)) {
    // Without a production tag no customer job ever matched, so one check is enough.
    const isDrained = entry.productionTag || context.forceWhenNoneAccepts;
    const rules = isDrained ? context.settings.drain : { pollOfRunnerMs: 0, confirmationMs: 0 };
    const { tally } = await drainUnbaked(context, candidate, rules);
    if (tally !== undefined) await journal.write(withDrainTally(journal.current(), tally));
  }
  await stop(context, candidate);
  await removeRegistration(context, candidate);
}

/** Checks rule 6 before an operator's command removes a candidate. */
export async function requireProvenRemoval(context: StageContext, candidate: Shard): Promise<void> {
  await withGuardEvent(context, 'never_served', () => compareRemoval(context, candidate));
}

async function compareRemoval(context: StageContext, shard: Shard): Promise<void> {
  const { journal, ports, settings } = context;
  const { registry } = ports;
  const record = journal.current();
  const entry = shardEntry(record, shard);
  const { registration: id } = entry;
  const found = id === undefined ? undefined : await registry.find(id);
  const workers = id === undefined ? undefined : await registry.listWorkers(id);
  const jobs = id === undefined ? undefined : await registry.listJobs(id);
  const hosts = await listHostReadings(context, shard);
  const status = await readSwitchedStatus(context);
  const isInQuarantine =
    found?.kind === 'found' && !takesCustomerJobs(found.value, ofShard(context, shard));
  const verdict = mayRemove({
    act: 'retreat',
    ...{ record, shard, words: wordsOf(context) },
    active: status.kind === 'known' ? status.active : undefined,
    contacted:
      // An absent runner gets no jobs. The hosts are queried as well.
      (entry.contacted === true && found?.kind !== 'absent') ||
      (found?.kind === 'found' && found.value.contacted) ||
      (workers?.kind === 'found' && workers.value.length > 0),
    jobs: jobs?.kind === 'found' ? await customersAmong(context, jobs.value) : [],
    tags: isInQuarantine ? found.value.tags : [],
    hostJobs: hosts.reduce((sum, host) => sum + (host.kind === 'jobs' ? host.count : 0), 0),
    forceWhenNoneAccepts: context.forceWhenNoneAccepts === true,
  });
  if (!verdict.may)
    throw cleanupRefused({ runner: settings.runnerName, shard, reason: verdict.reason });
}
