import { withBake } from '../../../domain/bake/bake-note.ts';
import { withoutOriginalRouting } from '../../../domain/deployment/original-routing.ts';
import { shardEntry, withPhase, withShard } from '../../../domain/deployment/record.ts';
import { mayTakeJobs } from '../../../domain/health/service-answers.ts';
import type { Service } from '../../../domain/health/service-verdict.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { retreated } from '../../../errors/shard-errors.ts';
import type { Routing } from '../../../ports/registry.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { passGate, readForGate } from '../../effects/effect-gate.ts';
import { noteIntakeOpened } from '../../effects/rollback-in-progress.ts';
import {
  checkedProductionRouting,
  ensureAccepting,
  ensureIntake,
  ensureRouting,
  quarantineRouting,
  restoreTags,
} from '../../effects/routing.ts';
import { isSwitched, notingStatus, switchStatus } from '../../effects/switch-status.ts';
import { readSwitchedStatus } from '../../observe/observe.ts';
import { checkService } from '../../observe/shard/service-watch.ts';
import { proveService } from '../../service/service-proof.ts';
import { countAndExplain, isFresh } from '../candidate/healthcheck.ts';
import { renewForReturn } from '../candidate/new-token.ts';
import { collectEvidence, type HealthResult } from '../healthcheck/collect-evidence.ts';
import { removeCandidate } from '../removal/retreat.ts';
import { checkActive } from './active-check.ts';
import { readBefore, watchCustomers } from './customer-watch.ts';
import { requireProvenRollbackTarget } from './rollback-error.ts';
import { isProvenWithoutCanary } from './rollback-proof.ts';
import { startShard } from './start-shard.ts';

/** Gives the candidate the production tags, and then switches `deployment_status`. */
export async function promote(context: StageContext, candidate: Shard): Promise<void> {
  const { journal } = context;
  const registration = shardEntry(journal.current(), candidate).registration;
  if (registration === undefined) throw new Error(`${candidate} has no runner to promote`);
  if (await isSwitched(context, candidate)) {
    await notePromoted(context, candidate, registration);
    return;
  }
  const begun = journal.current().deployment.phase === 'promoting';
  await withGuardEvent(context, 'evidence', async () => {
    if (begun) await checkAgain(context, candidate, registration);
    else if (!(await isFresh(context, candidate))) await collectAgain(context, candidate);
  });
  await checkActive(context);
  const before = await readBefore(context, registration);
  await notePromoting(context, candidate);
  await ensureAccepting(context, { shard: candidate, id: registration });
  await observe(context, candidate, { registration, before });
  await switchStatus(context, candidate);
  await notePromoted(context, candidate, registration);
}

async function collectAgain(context: StageContext, candidate: Shard): Promise<void> {
  context.log.act(
    `Collecting the evidence of ${candidate} again: it is too old, or from other managers.`,
  );
  const result = await collectEvidence(context, candidate);
  if (result.verdict.kind !== 'healthy')
    throw await countAndExplain(context, candidate, { result });
  await context.journal.write(
    withShard(context.journal.current(), candidate, { unhealthyInARow: 0, evidence: result.note }),
  );
}

/** Checks the candidate of an interrupted promotion again, and finishes or retreats (rule 3). */
async function checkAgain(
  context: StageContext,
  candidate: Shard,
  registration: RegistrationId,
): Promise<void> {
  const { journal, ports, log } = context;
  const { kind } = journal.current().deployment;
  // A candidate without a running process has no tag yet, and only the canary can verify it.
  const wasTagged = shardEntry(journal.current(), candidate).productionTag;
  const why =
    kind === 'deploy'
      ? 'its promotion started but did not finish'
      : `the ${kind === 'activate' ? 'activation' : 'rollback'} relies on this check`;
  log.act(`Checking ${candidate}: ${why}.`);
  // A deleted runner is not unpaused. The missing evidence explains it and leads to a rollback.
  const isThere = (await ports.registry.find(registration)).kind === 'found';
  if (isThere) {
    // Still paused from its drain and without a noted tag, so a later run starts it too.
    if (kind === 'activate' && !wasTagged) await startAgain(context, candidate, registration);
    await ensureRouting(context, {
      shard: candidate,
      id: registration,
      routing: await routingWhileChecked(context, candidate),
    });
    if (kind === 'rollback') await startAgain(context, candidate, registration);
    await ensureIntake(context, { shard: candidate, id: registration, intake: 'open' });
    if (kind === 'rollback') await noteIntakeOpened(context, candidate);
  }
  const result = await collectEvidence(context, candidate);
  if (
    result.verdict.kind === 'healthy' ||
    (wasTagged && (await isProvenWithoutCanary(context, candidate, result)))
  ) {
    await journal.write(
      withShard(journal.current(), candidate, { unhealthyInARow: 0, evidence: result.note }),
    );
    return;
  }
  await retreatOrThrow(context, candidate, result);
}

async function startAgain(context: StageContext, shard: Shard, id: RegistrationId): Promise<void> {
  await renewForReturn(context, { shard, id });
  await startShard(context, shard);
}

/** Watches customer jobs while both shards accept jobs. The result decides on the promotion. */
async function observe(
  context: StageContext,
  candidate: Shard,
  facts: Parameters<typeof watchCustomers>[2],
): Promise<void> {
  const { log, settings } = context;
  const requirement = settings.healthcheck.evidence.observe;
  if (requirement === 'off') return;
  const observed = await watchCustomers(context, candidate, facts);
  const reasons = observed.verdict.reasons.join('; ');
  if (observed.verdict.kind === 'healthy') {
    log.act(`Observed ${candidate} under customer jobs: ${reasons}.`);
    return;
  }
  if (requirement === 'optional') {
    log.act(`Continued without evidence from customer jobs, which is optional: ${reasons}.`);
    return;
  }
  const { evidence } = shardEntry(context.journal.current(), candidate);
  if (evidence === undefined) throw new Error(`${candidate} has no evidence for its promotion`);
  await retreatOrThrow(context, candidate, {
    ...observed,
    note: evidence,
    hadCanary: true,
    explanation: [],
    diagnoses: [],
  });
}

/** Always throws. An unhealthy candidate is retreated from first. */
async function retreatOrThrow(
  context: StageContext,
  candidate: Shard,
  result: HealthResult,
): Promise<never> {
  const { settings, log } = context;
  await requireProvenRollbackTarget(context, result.verdict);
  const status = await readSwitchedStatus(context);
  const isNamed = status.kind === 'known' && status.active === candidate;
  const { retiring } = context.journal.current().deployment;
  const service = await proveRetiring(context);
  const other = service?.kind === 'proven' ? retiring : undefined;
  // A candidate that stays gets its tags back and continues to accept jobs if it can.
  if (!isNamed && other === undefined) await restoreTags(context, candidate);
  const left = isNamed || other === undefined ? await checkService(context, candidate) : undefined;
  const explained = await countAndExplain(context, candidate, {
    result,
    accepting: isNamed ? other : undefined,
    left,
  });
  if (result.verdict.kind === 'inconclusive') throw explained;
  // An operator has made the candidate active; a retreat from it would repair nothing.
  if (isNamed) throw explained;
  // Without another verified shard, even an unhealthy candidate stays: it may be the only one.
  if (left !== undefined) {
    warnOfRemainder(context, candidate, { left, other: service });
    throw explained;
  }
  log.warn(`${candidate} is unhealthy before the switch; removing the candidate (retreat).`);
  const removed = await removeCandidate(context, candidate);
  const { reasons } = result.verdict;
  throw retreated({ runner: settings.runnerName, candidate, reasons, ...removed });
}

function warnOfRemainder(
  context: StageContext,
  candidate: Shard,
  { left, other }: { left: Service; other: Service | undefined },
): void {
  const { log, journal } = context;
  const { registration: id } = shardEntry(journal.current(), candidate);
  const why = other === undefined ? 'there is no other shard' : other.reason;
  log.warn(`${describeLeft(candidate, left)} The candidate is not removed (no retreat): ${why}.`);
  if (mayTakeJobs(left))
    log.warn(`Pause ${wordsOf(context).registration} ${id} now if its jobs fail.`);
}

function describeLeft(candidate: Shard, left: Service): string {
  switch (left.kind) {
    case 'proven':
      return `${candidate} still accepts jobs, despite the failed checks.`;
    case 'unknown':
      return `${candidate} is left unpaused, but is not verified: ${left.reason}.`;
    default:
      return `${candidate} is left as it is and accepts no jobs: ${left.reason}.`;
  }
}

/** Returns the tags for the check: an unverified candidate takes no jobs if another shard can. */
async function routingWhileChecked(context: StageContext, candidate: Shard): Promise<Routing> {
  const { journal } = context;
  const record = journal.current();
  // A rollback to an ended process begins without a production tag: unverified too.
  const inDoubt =
    record.deployment.kind === 'deploy' || !shardEntry(record, candidate).productionTag;
  if (inDoubt && (await proveRetiring(context))?.kind === 'proven')
    return quarantineRouting(context);
  await notePromoting(context, candidate);
  return checkedProductionRouting(context);
}

async function proveRetiring(context: StageContext): Promise<Service | undefined> {
  const { retiring } = context.journal.current().deployment;
  return retiring === undefined ? undefined : proveService(context, retiring);
}

async function notePromoting(context: StageContext, candidate: Shard): Promise<void> {
  const { journal } = context;
  const record = journal.current();
  const isBegun = record.deployment.phase === 'promoting';
  if (isBegun && shardEntry(record, candidate).productionTag) return;
  // Uses the status that the gate has read; a later edit is found in the status history.
  const snapshot = await readForGate(context);
  const noted = isBegun ? record : await notingStatus(context, record, snapshot);
  await passGate(context, snapshot, candidate);
  const tagged = withShard(noted, candidate, { productionTag: true });
  await journal.write(withPhase(tagged, 'promoting', timestamp(context)), snapshot);
}

async function notePromoted(
  context: StageContext,
  candidate: Shard,
  registration: RegistrationId,
): Promise<void> {
  const { journal, log, settings } = context;
  await ensureAccepting(context, { shard: candidate, id: registration });
  await noteIntakeOpened(context, candidate);
  const at = timestamp(context);
  const watched = withBake(withoutOriginalRouting(journal.current(), candidate), at, settings.bake);
  await journal.write(withPhase(watched, 'promoted', at));
  log.act(`Promoted ${candidate}.`);
}
