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
  ensureIntake,
  ensureRouting,
  ensureServing,
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

/** Production tags for the candidate, so that both serve, and only then `deployment_status`. */
export async function promote(context: StageContext, candidate: Shard): Promise<void> {
  const { journal } = context;
  const registration = shardEntry(journal.current(), candidate).registration;
  if (registration === undefined) throw new Error(`${candidate} has no registration to promote`);
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
  await ensureServing(context, { shard: candidate, id: registration });
  await observe(context, candidate, { registration, before });
  await switchStatus(context, candidate);
  await notePromoted(context, candidate, registration);
}

async function collectAgain(context: StageContext, candidate: Shard): Promise<void> {
  context.log.act(
    `Collecting the evidence of ${candidate} again: it is too old, or not from the same managers.`,
  );
  const result = await collectEvidence(context, candidate);
  if (result.verdict.kind !== 'healthy')
    throw await countAndExplain(context, candidate, { result });
  await context.journal.write(
    withShard(context.journal.current(), candidate, { unhealthyInARow: 0, evidence: result.note }),
  );
}

/** Rule 3: from the first production tag on, who comes next checks again and finishes, or retreats. */
async function checkAgain(
  context: StageContext,
  candidate: Shard,
  registration: RegistrationId,
): Promise<void> {
  const { journal, ports, log } = context;
  const { kind } = journal.current().deployment;
  // One that is started anew begins without it, and has only the canary to prove it.
  const wasTagged = shardEntry(journal.current(), candidate).productionTag;
  const why =
    kind === 'deploy'
      ? 'its promotion was begun and not finished'
      : `the ${kind === 'activate' ? 'activation' : 'rollback'} rests on its proof`;
  log.act(`Checking ${candidate}: ${why}.`);
  // One that somebody has deleted is not opened: the evidence says so, and leads to the way back.
  const isThere = (await ports.registry.find(registration)).kind === 'found';
  if (isThere) {
    // Paused as its drain has left it, and before a tag is noted: whoever comes next starts it, too.
    if (kind === 'activate' && !wasTagged) await startAnew(context, candidate, registration);
    await ensureRouting(context, {
      shard: candidate,
      id: registration,
      routing: await routingWhileChecked(context, candidate),
    });
    if (kind === 'rollback') await startAnew(context, candidate, registration);
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

async function startAnew(context: StageContext, shard: Shard, id: RegistrationId): Promise<void> {
  await renewForReturn(context, { shard, id });
  await startShard(context, shard);
}

/** Both shards serve by now; what customers' jobs say of the candidate decides. */
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
    log.act(`Observed ${candidate} under customers' jobs: ${reasons}.`);
    return;
  }
  if (requirement === 'optional') {
    log.act(`Went on without the word of customers' jobs, which is optional: ${reasons}.`);
    return;
  }
  const { evidence } = shardEntry(context.journal.current(), candidate);
  if (evidence === undefined) throw new Error(`${candidate} has no evidence to promote on`);
  await retreatOrThrow(context, candidate, {
    ...observed,
    note: evidence,
    hadCanary: true,
    explanation: [],
    diagnoses: [],
  });
}

/** Never returns: what is in doubt is an error, what is bad is taken back and then one. */
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
  // Whatever is not taken back goes on taking jobs, if it can.
  if (!isNamed && other === undefined) await restoreTags(context, candidate);
  const left = isNamed || other === undefined ? await checkService(context, candidate) : undefined;
  const explained = await countAndExplain(context, candidate, {
    result,
    serving: isNamed ? other : undefined,
    left,
  });
  if (result.verdict.kind === 'inconclusive') throw explained;
  // A person has named it active already: taking back the active shard is nobody's repair.
  if (isNamed) throw explained;
  // Unhealthy or not, it may be all that takes jobs: without another one it is left where it is.
  if (left !== undefined) {
    warnOfRemainder(context, candidate, { left, other: service });
    throw explained;
  }
  log.warn(`${candidate} is unhealthy before the switch; it is taken back.`);
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
  log.warn(`${describeLeft(candidate, left)} It is not taken back: ${why}.`);
  if (mayTakeJobs(left))
    log.warn(`Pause ${wordsOf(context).registration} ${id} now if its jobs fail.`);
}

function describeLeft(candidate: Shard, left: Service): string {
  switch (left.kind) {
    case 'proven':
      return `${candidate} is left serving, whatever its checks say.`;
    case 'unknown':
      return `${candidate} is left open, and it is not proven to serve: ${left.reason}.`;
    default:
      return `${candidate} is left as it is, and it serves nobody: ${left.reason}.`;
  }
}

/** Customers' jobs are kept from a candidate in doubt, as long as another shard is there to take them. */
async function routingWhileChecked(context: StageContext, candidate: Shard): Promise<Routing> {
  const { journal } = context;
  const record = journal.current();
  // A rollback to a process that has ended begins without a production tag: it is in doubt as well.
  const inDoubt =
    record.deployment.kind === 'deploy' || !shardEntry(record, candidate).productionTag;
  if (inDoubt && (await proveRetiring(context))?.kind === 'proven')
    return quarantineRouting(context);
  await notePromoting(context, candidate);
  return checkedProductionRouting(context);
}

/** Undefined where there is no other shard. */
async function proveRetiring(context: StageContext): Promise<Service | undefined> {
  const { retiring } = context.journal.current().deployment;
  return retiring === undefined ? undefined : proveService(context, retiring);
}

async function notePromoting(context: StageContext, candidate: Shard): Promise<void> {
  const { journal } = context;
  const record = journal.current();
  const isBegun = record.deployment.phase === 'promoting';
  if (isBegun && shardEntry(record, candidate).productionTag) return;
  // The gate's own reading of the status: a later edit is found in its history.
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
  await ensureServing(context, { shard: candidate, id: registration });
  await noteIntakeOpened(context, candidate);
  const at = timestamp(context);
  const watched = withBake(withoutOriginalRouting(journal.current(), candidate), at, settings.bake);
  await journal.write(withPhase(watched, 'promoted', at));
  log.act(`Promoted ${candidate}.`);
}
