import { formatDuration } from '../domain/duration.ts';
import { type Evidence, judgeHealth, type Verdict } from '../domain/health.ts';
import { type EvidenceNote, shardEntry, withPhase, withShard } from '../domain/record.ts';
import type { Shard } from '../domain/shard.ts';
import { healthcheckTimedOut, healthInconclusive } from '../errors/shards.ts';
import { isPortFailure } from '../ports/failure.ts';
import { type StageContext, timestamp } from './context.ts';
import { look } from './evidence.ts';
import { startWatch, type Watch } from './watch.ts';

export interface HealthResult {
  readonly verdict: Exclude<Verdict, { kind: 'waiting' }>;
  readonly evidence: readonly Evidence[];
  readonly note: EvidenceNote;
  /** The last words of the runners' logs, as far as their hosts could be asked. */
  readonly hostLogs: readonly string[];
  readonly checks: number;
}

/** While something is about to be decided the next look comes this soon. */
const hotPollMs = 1000;

/** Collects evidence until there is a verdict. Changes nothing but the canary's job. */
export async function collectEvidence(context: StageContext, shard: Shard): Promise<HealthResult> {
  const { ports, settings, log } = context;
  const { timeoutMs, pollMs, evidence: requirements } = settings.healthcheck;
  const startedAt = ports.clock.elapsed();
  const watch = startWatch(context, shard);
  for (let checks = 1; ; checks += 1) {
    const evidence = await look(context, watch);
    const elapsedMs = ports.clock.elapsed() - startedAt;
    const verdict = judgeHealth({ evidence, requirements, final: elapsedMs >= timeoutMs });
    log.event({ kind: 'evidence', shard, verdict: verdict.kind, evidence });
    if (verdict.kind !== 'waiting') {
      if (verdict.kind !== 'healthy') await cancelCanary(context);
      return {
        verdict,
        evidence,
        note: noteOf(context, watch),
        hostLogs: lastWordsOf(watch),
        checks,
      };
    }
    log.wait(
      `Waiting: ${verdict.reasons.join('; ')}, ${formatDuration(elapsedMs)} of ${formatDuration(timeoutMs)}.`,
    );
    await ports.clock.sleep(
      Math.min(
        watch.hot ? Math.min(hotPollMs, pollMs) : pollMs,
        Math.max(1, timeoutMs - elapsedMs),
      ),
    );
  }
}

function lastWordsOf({ hostReports }: Watch): readonly string[] {
  return hostReports.flatMap(({ log }) => log.filter((line) => line.trim() !== '').slice(-2));
}

function noteOf(context: StageContext, watch: Watch): EvidenceNote {
  return {
    at: timestamp(context),
    workers: [...watch.workers],
    ...(watch.canary === undefined ? {} : { canary: watch.canary }),
  };
}

/** The step: evidence into the record, a verdict that counts, or an error that says why not. */
export async function healthcheck(context: StageContext, candidate: Shard): Promise<void> {
  const { journal, log } = context;
  const { phase } = journal.current().deployment;
  if (phase === 'healthy' && (await isFresh(context, candidate))) {
    log.act(`Kept the evidence of ${candidate}: nothing was changed since and it is young enough.`);
    return;
  }
  const result = await collectEvidence(context, candidate);
  if (result.verdict.kind !== 'healthy') throw await countAndExplain(context, candidate, result);
  const healthy = withShard(journal.current(), candidate, {
    unhealthyInARow: 0,
    evidence: result.note,
  });
  await journal.write(
    phase === 'promoting' ? healthy : withPhase(healthy, 'healthy', timestamp(context)),
  );
  log.act(`Proved ${candidate} healthy: ${result.verdict.reasons.join('; ')}.`);
}

/** Rule 2: from the same managers, and younger than `evidence_max_age`. */
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

/** Only `unhealthy` is counted against the shard. */
export async function countAndExplain(
  context: StageContext,
  candidate: Shard,
  result: HealthResult,
) {
  const { journal, settings } = context;
  const { verdict, checks } = result;
  const runner = settings.runnerName;
  const within = formatDuration(settings.healthcheck.timeoutMs);
  if (verdict.kind === 'inconclusive') {
    return healthInconclusive({
      runner,
      candidate,
      within,
      reasons: verdict.reasons,
      ...(verdict.reasons.some((reason) => reason.includes('canary')) ? byHand(context) : {}),
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
  const { added, changed, destroyed } = entry.lastApply ?? {};
  const noChange = added === 0 && changed === 0 && destroyed === 0;
  return healthcheckTimedOut({
    runner,
    candidate,
    within,
    checks,
    reasons: [...verdict.reasons, ...explainVerdict(result)],
    noChange,
    inARow,
  });
}

/** The last evidence reached, what the host itself says, and whether waiting longer could help. */
export function explainVerdict({ evidence, hostLogs }: HealthResult): readonly string[] {
  const reached = evidence.findLast(({ state }) => state === 'good');
  const refused = hostLogs.some((line) => line.includes('unhealthy and will be disabled'));
  return [
    ...(reached === undefined ? [] : [`the last evidence reached: ${reached.detail}`]),
    ...(hostLogs.length === 0 ? [] : [`the runner's log ends: ${hostLogs.join(' | ')}`]),
    ...(refused
      ? ['the runner was refused three times and is silent for an hour: waiting on cannot help']
      : []),
  ];
}

function byHand({ ports, settings }: StageContext): { byHand?: string } {
  return settings.canary.kind === 'off' ? {} : { byHand: ports.canary.byHand };
}

/** Leftovers of the canary; that they cannot be cancelled stops nothing. */
export async function cancelCanary({ ports, settings, log }: StageContext): Promise<void> {
  if (settings.canary.kind === 'off') return;
  try {
    const cancelled = await ports.canary.cancel();
    if (cancelled > 0) log.act(`Cancelled ${cancelled} canary jobs.`);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`The canary's job could not be cancelled: ${error.message}.`);
  }
}
