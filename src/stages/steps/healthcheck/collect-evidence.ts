import { changedSomething } from '../../../domain/deployment/last-apply.ts';
import type { PollHint } from '../../../domain/deployment/pace.ts';
import { type EvidenceNote, shardEntry } from '../../../domain/deployment/record.ts';
import { diagnose, findRegistryFault } from '../../../domain/health/diagnose.ts';
import type { Diagnosis } from '../../../domain/health/diagnosis.ts';
import {
  type Evidence,
  type EvidenceKind,
  type HealthVerdict,
  judgeHealth,
} from '../../../domain/health/evidence.ts';
import type { HealthcheckSettings, StackSettings } from '../../../domain/settings.ts';
import type { Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { cancelCanary } from '../../effects/cancel-canary.ts';
import { explainByMaintenance } from '../../observe/maintenance-mode.ts';
import { readDiagnosisFacts } from './diagnosis-facts.ts';
import { checkEvidence } from './evidence-check.ts';
import { explainEvidence } from './explanation.ts';
import { recheckHosts } from './host-evidence.ts';
import { type Exposure, expiredKinds, startWatch, type Watch } from './watch.ts';

/** Minimum duration of a job after its wait: prepare, fetch sources, run. */
const shortestCanaryMs = 2000;

/** Estimates how near the verdict is, from the evidence of all checks so far. */
function startPace(
  { ports, settings }: StageContext,
  watch: Watch,
): (evidence: readonly Evidence[]) => PollHint {
  const { pollMs } = settings.healthcheck;
  let blindTimes = 0;
  let comingSince: number | undefined;
  let nearSince: number | undefined;
  return (evidence) => {
    const now = ports.clock.elapsed();
    const first = evidence.find(({ state }) => state !== 'good');
    // If neither the source nor the canary responds, many checks probably fail at the same time.
    blindTimes = first?.state === 'unknown' && !watch.hot ? blindTimes + 1 : 0;
    comingSince = first?.kind === 'instance' ? undefined : (comingSince ?? now);
    nearSince = watch.hot ? (nearSince ?? now) : undefined;
    if (blindTimes > 0)
      return { kind: 'failing', times: blindTimes, fraction: ports.random.fraction() };
    if (nearSince !== undefined) {
      const tooEarlyMs = tooEarlyFor(watch, now);
      if (tooEarlyMs > 0) return { kind: 'at', inMs: Math.min(tooEarlyMs, pollMs) };
      return { kind: 'imminent', forMs: now - nearSince };
    }
    if (comingSince === undefined) return { kind: 'booting' };
    return { kind: 'progressing', forMs: now - comingSince };
  };
}

/** Returns the minimum time until a canary that has just waited can end. */
function tooEarlyFor({ canaryWaitedAt }: Watch, now: number): number {
  return canaryWaitedAt === undefined ? 0 : canaryWaitedAt + shortestCanaryMs - now;
}

export interface HealthResult {
  readonly verdict: Exclude<HealthVerdict, { kind: 'waiting' }>;
  readonly evidence: readonly Evidence[];
  readonly note: EvidenceNote;
  /** Sentences about the present and missing evidence and the logs; empty for a healthy shard. */
  readonly explanation: readonly string[];
  readonly diagnoses: readonly Diagnosis[];
  readonly checks: number;
  /** Whether a canary existed. */
  readonly hadCanary: boolean;
  /** The limit that has passed, for an error. */
  readonly within: string;
  /** Present if the canary itself is the reason. */
  readonly canary?: { readonly failures: number; readonly url: string } | undefined;
  /** Deployment secrets that the canary received, after which no canary can prove the shard. */
  readonly exposed?: Exposure | undefined;
}

/** Interval while the canary runs: the verdict follows its end within a second. */
const fineMs = 600;

/** Longer than Workhorse holds a request, so every polling runner has sent another one. */
const recheckMs = 90_000;

/**
 * Returns the time limit for evidence. A shard that already had the whole time and has not changed
 * since gets only a brief check; a canary that it has taken is still awaited.
 */
function startLimit(
  { settings, journal, memory }: StageContext,
  watch: Watch,
): () => { readonly limitMs: number; readonly isBrief: boolean } {
  const { timeoutMs } = settings.healthcheck;
  const { unhealthyInARow, lastApply } = shardEntry(journal.current(), watch.shard);
  const isUntouched = lastApply !== undefined && !changedSomething(lastApply);
  const mayBeBrief = memory.isRecheck && unhealthyInARow > 0 && isUntouched;
  return () => {
    const isTaken = watch.hot && watch.canaryWaitedAt === undefined;
    const isBrief = mayBeBrief && !isTaken && recheckMs < timeoutMs;
    return { limitMs: isBrief ? recheckMs : timeoutMs, isBrief };
  };
}

/** Collects evidence until there is a verdict. The only effect is the canary's job. */
export async function collectEvidence(context: StageContext, shard: Shard): Promise<HealthResult> {
  const { ports, log } = context;
  const { pollMs, successes, evidence: configured } = context.settings.healthcheck;
  const requirements = { ...configured, observe: 'off' as const };
  const startedAt = ports.clock.elapsed();
  const watch = startWatch(context, shard);
  let inARow = 0;
  const pace = startPace(context, watch);
  const limit = startLimit(context, watch);
  const wait = { clock: ports.clock, cadence: { pollMs, fineMs } };
  return pollUntil<HealthResult>(wait, async (checks) => {
    const evidence = await checkEvidence(context, watch);
    const elapsedMs = ports.clock.elapsed() - startedAt;
    const expired = expiredKinds(context, watch, evidence);
    const { limitMs, isBrief } = limit();
    const isExposed = watch.exposed !== undefined && requirements.canary === 'required';
    const final = elapsedMs >= limitMs || isExposed;
    const verdict = judgeHealth({ evidence, requirements, final, expired });
    inARow = verdict.kind === 'healthy' ? inARow + 1 : 0;
    const isEnough = verdict.kind !== 'healthy' || inARow >= successes;
    log.event({ kind: 'evidence', shard, verdict: isEnough ? verdict.kind : 'waiting', evidence });
    if (verdict.kind !== 'waiting' && (isEnough || final)) {
      const given = isEnough ? verdict : tooFew(inARow, successes);
      const within = isBrief ? formatDuration(limitMs) : limitOf(context.settings, expired);
      const outcome = { verdict: given, evidence, checks, within };
      return done(await conclude(context, watch, outcome));
    }
    const reasons = isEnough ? verdict.reasons : [tooFewReports(inARow, successes)];
    if (!isEnough) forget(watch);
    log.wait(
      `Waiting: ${reasons.join('; ')} (${formatDuration(Math.min(elapsedMs, limitMs))} of ${formatDuration(limitMs)}).`,
    );
    return { ...pending(pace(evidence)), atMostMs: Math.max(1, limitMs - elapsedMs) };
  });
}

/** Clears the kept evidence: the next check of the row reads everything again. */
function forget(watch: Watch): void {
  watch.kept.clear();
  watch.hot = false;
}

function tooFewReports(inARow: number, successes: number): string {
  return `healthy ${inARow} of ${successes} times in a row`;
}

/** Returns the verdict for a shard that was healthy in too few checks; no check was negative. */
function tooFew(inARow: number, successes: number): HealthResult['verdict'] {
  return { kind: 'inconclusive', reasons: [tooFewReports(inARow, successes)] };
}

async function conclude(
  context: StageContext,
  watch: Watch,
  seen: Pick<HealthResult, 'verdict' | 'evidence' | 'checks' | 'within'>,
): Promise<HealthResult> {
  const { evidence, checks, within } = seen;
  const { healthcheck, runnerName } = context.settings;
  const result = {
    evidence,
    note: noteOf(context, watch),
    checks,
    hadCanary: watch.hadCanary,
    within,
  };
  if (seen.verdict.kind === 'healthy')
    return { ...result, verdict: seen.verdict, explanation: [], diagnoses: [] };
  await recheckHosts(context, watch);
  const facts = await readDiagnosisFacts(context, watch, evidence);
  const diagnoses = diagnose(facts, {
    runner: runnerName,
    shard: watch.shard,
    words: wordsOf(context),
  });
  const verdict = await withoutRegistrysFault(context, watch.shard, { ...seen, diagnoses });
  const { canaryFailures: failures, failedCanaryUrl: url } = watch;
  const canary = url === undefined ? undefined : { failures, url };
  const explanation = explainEvidence({
    evidence,
    requirements: healthcheck.evidence,
    facts,
    diagnoses,
    job: watch.failedCanaryId,
  });
  await cancelCanary(context);
  return { ...result, verdict, explanation, diagnoses, canary, exposed: watch.exposed };
}

/**
 * Replaces a verdict that the registry's own problem may have caused. Refused requests, a recent
 * maintenance or failing requests do not count against the shard.
 */
async function withoutRegistrysFault(
  context: StageContext,
  shard: Shard,
  { verdict, evidence, diagnoses }: Pick<HealthResult, 'verdict' | 'evidence' | 'diagnoses'>,
): Promise<HealthResult['verdict']> {
  const { ports, journal, log, settings } = context;
  const { registration } = shardEntry(journal.current(), shard);
  if (verdict.kind !== 'unhealthy' || registration === undefined) return verdict;
  const writes = await ports.registry.probeWrites(registration);
  const { registry } = ports.registry.traits.words;
  const failing = findRegistryFault(diagnoses);
  const silenced = hasNoResponse(evidence, settings.healthcheck)
    ? (explainByMaintenance(context) ?? (failing && `${failing.title} (${failing.seen})`))
    : undefined;
  const reason =
    writes.kind === 'refused'
      ? `${registry} accepts no writes now ("${writes.detail}"), so no runner gets a job`
      : silenced;
  if (reason === undefined) return verdict;
  log.warn(`${reason}; missing evidence does not make ${shard} unhealthy.`);
  return { kind: 'inconclusive', reasons: [reason, ...verdict.reasons] };
}

/**
 * Decides whether the runner may be backing off after refusals: it exists but sends no requests.
 */
function hasNoResponse(
  evidence: readonly Evidence[],
  { evidence: requirements }: HealthcheckSettings,
): boolean {
  return evidence
    .filter(({ kind, state }) => requirements[kind] === 'required' && state !== 'good')
    .every(({ kind, state }) => state !== 'bad' && (kind === 'manager' || kind === 'canary'));
}

function limitOf(
  { healthcheck: { timeoutMs, timeoutsMs } }: StackSettings,
  expired: ReadonlySet<EvidenceKind>,
): string {
  const [kind] = expired;
  const limitMs = kind === undefined ? undefined : timeoutsMs[kind];
  return limitMs === undefined
    ? formatDuration(timeoutMs)
    : `${formatDuration(limitMs)} (healthcheck.timeouts.${kind})`;
}

function noteOf(context: StageContext, watch: Watch): EvidenceNote {
  return {
    at: timestamp(context),
    workers: watch.workers.map(({ id }) => id),
    ...(watch.canary === undefined ? {} : { canary: watch.canary }),
  };
}
