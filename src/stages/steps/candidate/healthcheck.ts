import { broughtChange, describeNoChange } from '../../../domain/deployment/last-apply.ts';
import { shardEntry, withPhase, withShard } from '../../../domain/deployment/record.ts';
import { isBefore } from '../../../domain/deployment/stages-and-steps.ts';
import { findRegistryFault } from '../../../domain/health/diagnose.ts';
import { isHealthSettled } from '../../../domain/health/evidence.ts';
import { mayTakeJobs } from '../../../domain/health/service-answers.ts';
import type { Service } from '../../../domain/health/service-verdict.ts';
import type { Shard } from '../../../domain/shard.ts';
import { healthcheckTimedOut } from '../../../errors/healthcheck-errors.ts';
import { canaryExposed, healthInconclusive } from '../../../errors/shard-errors.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { noteMaintenance } from '../../observe/maintenance-mode.ts';
import { findToken } from '../../record/token.ts';
import { findForceableShard } from '../../service/recovery-by-force.ts';
import { collectEvidence, type HealthResult } from '../healthcheck/collect-evidence.ts';
import { removeTwins } from '../removal/duplicates.ts';
import { listAvailableMethods } from './available-recovery.ts';
import { onboard } from './onboard.ts';

/** Collects evidence into the record; ends with a verdict or with an error that explains it. */
export async function healthcheck(context: StageContext, candidate: Shard): Promise<void> {
  const { journal, log } = context;
  const { phase } = journal.current().deployment;
  if (phase === 'healthy' && (await isFresh(context, candidate))) {
    log.act(
      `Kept the evidence of ${candidate}: it is recent enough, and nothing has changed since.`,
    );
    return;
  }
  await keepToken(context, candidate);
  const first = await collectEvidence(context, candidate);
  const result =
    (await keepToken(context, candidate)) === 'kept'
      ? first
      : await collectEvidence(context, candidate);
  if (result.verdict.kind !== 'healthy')
    throw await countAndExplain(context, candidate, { result });
  await removeLateTwins(context, candidate);
  const healthy = withShard(journal.current(), candidate, {
    unhealthyInARow: 0,
    evidence: result.note,
  });
  await journal.write(
    phase === 'promoting' ? healthy : withPhase(healthy, 'healthy', timestamp(context)),
  );
  log.act(`Found ${candidate} healthy: ${result.verdict.reasons.join('; ')}.`);
}

/** Removes duplicate runners before the promotion: later the candidate may be the only shard. */
async function removeLateTwins(context: StageContext, candidate: Shard): Promise<void> {
  const { journal, ports } = context;
  const { registration } = shardEntry(journal.current(), candidate);
  if (registration === undefined || ports.registry.traits.registrationsPer === 'worker') return;
  if (isBefore(journal.current().deployment.phase, 'promoting'))
    await removeTwins(context, candidate, registration);
}

/** Returns whether the evidence is from the same managers and young enough (rule 2). */
export async function isFresh(
  { ports, settings, journal }: StageContext,
  shard: Shard,
): Promise<boolean> {
  const { evidence, registration } = shardEntry(journal.current(), shard);
  if (evidence === undefined || registration === undefined) return false;
  const ageMs = ports.clock.now() - Date.parse(evidence.at);
  if (!(ageMs >= 0 && ageMs <= settings.healthcheck.evidenceMaxAgeMs)) return false;
  const workers = await ports.registry.listWorkers(registration);
  if (workers.kind === 'absent') return false;
  const present = new Set(workers.value.map(({ id }) => id));
  return evidence.workers.every((id) => present.has(id));
}

/**
 * Counts an `unhealthy` verdict and creates the error. `serving`: the shard that accepts jobs if
 * the status names the candidate.
 */
export async function countAndExplain(
  context: StageContext,
  candidate: Shard,
  {
    result,
    accepting,
    left,
  }: {
    result: HealthResult;
    accepting?: Shard | undefined;
    /** Availability of a candidate that stays although it is unhealthy. */
    left?: Service | undefined;
  },
) {
  const { journal, settings } = context;
  const { verdict, checks } = result;
  const runner = settings.runnerName;
  const { within } = result;
  const { registration } = shardEntry(journal.current(), candidate);
  const open =
    left !== undefined && mayTakeJobs(left) && registration !== undefined
      ? { open: `${wordsOf(context).registration} ${registration}` }
      : {};
  if (verdict.kind === 'inconclusive') {
    await noteMaintenance(context);
    if (result.exposed !== undefined)
      return canaryExposed({ runner, candidate, ...result.exposed, ...open });
    return healthInconclusive({
      runner,
      candidate,
      within,
      reasons: verdict.reasons,
      ...open,
      ...fixesOf(context, result),
    });
  }
  const entry = shardEntry(journal.current(), candidate);
  const inARow = entry.unhealthyInARow + 1;
  const { evidence: _, ...kept } = entry;
  const record = journal.current();
  await journal.write({
    ...record,
    shards: { ...record.shards, [candidate]: { ...kept, unhealthyInARow: inARow } },
    ...(record.deployment.phase === 'healthy'
      ? {
          deployment: {
            ...record.deployment,
            phase: 'applied' as const,
            phaseAt: timestamp(context),
          },
        }
      : {}),
  });
  const { lastApply } = entry;
  const noChange =
    lastApply === undefined || broughtChange(lastApply) ? undefined : describeNoChange(lastApply);
  return healthcheckTimedOut({
    runner,
    candidate,
    within,
    checks,
    isSettled: isHealthSettled(result.evidence, settings.healthcheck.evidence),
    reasons: [...verdict.reasons, ...result.explanation],
    diagnoses: result.diagnoses,
    canary: result.canary,
    noChange,
    inARow,
    ...open,
    openMethods: await listAvailableMethods(context, candidate, inARow),
    accepting,
    removable:
      left !== undefined && left.kind !== 'proven' && accepting === undefined
        ? await findForceableShard(context)
        : undefined,
  });
}

/**
 * Returns the fixes. While the registry fails the requests for jobs, a canary that an operator
 * starts would wait too.
 */
function fixesOf(
  context: StageContext,
  result: HealthResult,
): { acts?: readonly string[]; byHand?: string } {
  const failing = findRegistryFault(result.diagnoses);
  if (failing !== undefined) return { acts: failing.acts };
  return lacksCanary(result) ? byHand(context) : {};
}

/** Returns whether the canary is missing, which an operator can start by hand. */
function lacksCanary({ evidence }: HealthResult): boolean {
  return evidence.some(({ kind, state }) => kind === 'canary' && state !== 'good');
}

function byHand({ ports, settings }: StageContext): { byHand?: string } {
  return settings.canary.kind === 'off' ? {} : { byHand: ports.canary.byHand };
}

/**
 * Replaces a lost token. The delayed removal of the shard's last token may delete the new one. A
 * new token takes its place until a manager has used the lost one. Later the candidate is not
 * promoted (`TokenLost`), because it could not be started again.
 */
async function keepToken(context: StageContext, candidate: Shard): Promise<'kept' | 'new'> {
  const { ports, names, journal, log } = context;
  if (!isBefore(journal.current().deployment.phase, 'promoting')) return 'kept';
  const name = names.token(candidate);
  if ((await findToken(ports.parameters, name)) !== undefined) return 'kept';
  log.warn(`The token in ${name} was deleted after it was stored.`);
  await onboard(context, candidate);
  return 'new';
}
