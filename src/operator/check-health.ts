import { shardEntry } from '../domain/deployment/record.ts';
import { isBefore, isPastQuarantine } from '../domain/deployment/stages-and-steps.ts';
import { findRegistryFault } from '../domain/health/diagnose.ts';
import { isHealthSettled } from '../domain/health/evidence.ts';
import { mayTakeJobs } from '../domain/health/service-answers.ts';
import type { Service } from '../domain/health/service-verdict.ts';
import type { Shard } from '../domain/shard.ts';
import { healthcheckTimedOut } from '../errors/healthcheck-errors.ts';
import { canaryExposed, healthInconclusive } from '../errors/shard-errors.ts';
import { notPrepared } from '../errors/state-errors.ts';
import type { StageContext } from '../stages/context/context.ts';
import type { StageResult } from '../stages/context/result.ts';
import { checkService } from '../stages/observe/shard/service-watch.ts';
import { listAvailableMethods } from '../stages/steps/candidate/available-recovery.ts';
import { collectEvidence } from '../stages/steps/healthcheck/collect-evidence.ts';

/** Runs `healthcheck` alone: collects evidence and changes nothing except the canary's job. */
export async function checkHealth(context: StageContext): Promise<StageResult> {
  const { journal, settings, log } = context;
  const runner = settings.runnerName;
  const record = await journal.read();
  if (record === undefined)
    throw notPrepared({
      runner,
      stage: 'healthcheck',
      reason: 'there is no deployment record',
      isTyped: context.run.ci === 'terminal',
    });
  const { candidate, phase } = record.deployment;
  const isActive = isPastQuarantine(phase);
  const what = isActive ? 'active' : 'candidate';
  log.act(`Checking ${candidate}, the ${what} shard.`);
  const checkContext = isActive ? withoutCanary(context, candidate) : context;
  const result = await collectEvidence(checkContext, candidate);
  const { verdict, evidence, checks } = result;
  for (const one of evidence) log.act(`${one.kind}: ${one.state}, ${one.detail} (${one.source})`);
  const { within } = result;
  const { unhealthyInARow } = shardEntry(record, candidate);
  // Contacts may be old, so all sources are queried whether the shard accepts jobs now.
  const service =
    verdict.kind === 'healthy' && !isBefore(phase, 'promoted')
      ? await checkService(context, candidate)
      : undefined;
  const against = service === undefined ? undefined : explainNotAccepting(service);
  if (verdict.kind === 'healthy' && against === undefined)
    return { kind: 'done', summary: [`${candidate} is healthy: ${verdict.reasons.join('; ')}`] };
  if (verdict.kind === 'inconclusive') {
    const facts = { runner, candidate, again: 'healthcheck' as const };
    if (result.exposed !== undefined) throw canaryExposed({ ...facts, ...result.exposed });
    const failing = findRegistryFault(result.diagnoses);
    const acts = failing?.acts ?? [];
    throw healthInconclusive({ ...facts, within, reasons: verdict.reasons, acts });
  }
  throw healthcheckTimedOut({
    runner,
    candidate,
    within,
    checks,
    isSettled:
      against !== undefined ||
      isHealthSettled(evidence, checkContext.settings.healthcheck.evidence),
    reasons: against === undefined ? [...verdict.reasons, ...result.explanation] : [against],
    diagnoses: result.diagnoses,
    canary: result.canary,
    noChange: undefined,
    // A health check alone counts no verdicts, so rule 6 uses the recorded count.
    inARow: unhealthyInARow,
    openMethods: isActive ? [] : await listAvailableMethods(context, candidate, unhealthyInARow),
    isActive,
  });
}

/** Returns the reason why the shard does not accept jobs; a missing proof is no reason. */
function explainNotAccepting(service: Service): string | undefined {
  const isEnded = service.kind === 'unknown' && service.ended === true;
  return !mayTakeJobs(service) || isEnded ? service.reason : undefined;
}

/** Turns off the canary for a shard that accepts jobs: without its tag, it would never start. */
function withoutCanary(context: StageContext, shard: Shard): StageContext {
  const { settings, log } = context;
  const { healthcheck } = settings;
  if (healthcheck.evidence.canary === 'off') return context;
  log.act(`Skipped the canary: ${shard} takes customer jobs and lacks the canary's tag.`);
  const evidence = { ...healthcheck.evidence, canary: 'off' as const };
  return { ...context, settings: { ...settings, healthcheck: { ...healthcheck, evidence } } };
}
