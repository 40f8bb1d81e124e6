import { type DeploymentRecord, shardEntry } from '../domain/deployment/record.ts';
import { type Evidence, judgeHealth } from '../domain/health/evidence.ts';
import type { Requirement } from '../domain/settings.ts';
import type { Shard } from '../domain/shard.ts';
import { notPrepared } from '../errors/state-errors.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { StageContext } from '../stages/context/context.ts';
import { readStatus } from '../stages/observe/observe.ts';
import { checkEvidence } from '../stages/steps/healthcheck/evidence-check.ts';
import { reportsOf, startWatch, type Watch } from '../stages/steps/healthcheck/watch.ts';

export interface ShardHealth {
  readonly shard: Shard;
  /** `draining`: healthy, but paused. `inconclusive`: a source did not respond. */
  readonly status: 'healthy' | 'unhealthy' | 'inconclusive' | 'draining';
  readonly phase: string;
  readonly reasons: readonly string[];
  readonly components: readonly (Evidence & { readonly required: boolean })[];
  /** Number of jobs in the hosts' lists; absent if a host did not report. */
  readonly jobs?: number;
}

/** Interval for the workload check, which creates a volume and a container. */
const workloadAgeMs = 600_000;

/**
 * Creates a repeatable check of one shard that changes nothing and never starts a canary. Without a
 * shard it checks the shard that is active at the time.
 */
export function createChecker(context: StageContext, chosen?: Shard): () => Promise<ShardHealth> {
  const checkContext = withoutProof(context);
  let seen: { readonly watch: Watch; readonly key: string; readonly since: number } | undefined;
  return async () => {
    const { journal, ports, settings, stage } = checkContext;
    const record = await journal.read();
    if (record === undefined)
      throw notPrepared({
        runner: settings.runnerName,
        stage,
        reason: 'there is no deployment record',
        isTyped: checkContext.run.ci === 'terminal',
      });
    const shard = chosen ?? (await activeShard(checkContext, record));
    const key = `${shard} ${JSON.stringify(shardEntry(record, shard))}`;
    const now = ports.clock.elapsed();
    if (seen?.key !== key || now - seen.since >= workloadAgeMs)
      seen = { watch: startWatch(checkContext, shard), key, since: now };
    const workload = seen.watch.kept.get('workload');
    seen.watch.kept.clear();
    if (workload !== undefined) seen.watch.kept.set('workload', workload);
    return judge(checkContext, seen.watch, record);
  };
}

async function activeShard(context: StageContext, record: DeploymentRecord): Promise<Shard> {
  const status = await readStatus(context);
  return status.kind === 'known' ? status.active : record.deployment.candidate;
}

async function judge(
  context: StageContext,
  watch: Watch,
  record: DeploymentRecord,
): Promise<ShardHealth> {
  const { evidence: requirements } = context.settings.healthcheck;
  const evidence = await checkEvidence(context, watch);
  const verdict = judgeHealth({ evidence, requirements, final: true });
  const takesNoNewJob = await isIntakePaused(context, watch);
  const kind = verdict.kind === 'waiting' ? 'inconclusive' : verdict.kind;
  const jobs = countJobs(watch);
  return {
    shard: watch.shard,
    status: kind === 'healthy' && takesNoNewJob ? 'draining' : kind,
    phase: record.deployment.phase,
    reasons: takesNoNewJob ? ['its intake is paused', ...verdict.reasons] : verdict.reasons,
    components: evidence.map((one) => ({ ...one, required: isRequired(requirements[one.kind]) })),
    ...(jobs === undefined ? {} : { jobs }),
  };
}

function isRequired(requirement: Requirement): boolean {
  return requirement === 'required';
}

async function isIntakePaused({ ports }: StageContext, { entry }: Watch): Promise<boolean> {
  if (entry.registration === undefined) return false;
  try {
    const found = await ports.registry.find(entry.registration);
    return found.kind === 'found' && found.value.paused;
  } catch (error) {
    // The manager's evidence reports whether GitLab responds.
    if (!isPortFailure(error)) throw error;
    return false;
  }
}

function countJobs(watch: Watch): number | undefined {
  const reports = reportsOf(watch);
  if (reports.length < watch.hostChecks.length || reports.length === 0) return undefined;
  return reports.every(({ jobs }) => jobs !== undefined)
    ? reports.reduce((sum, { jobs = [] }) => sum + jobs.length, 0)
    : undefined;
}

/** Turns off the canary, because a probe must not start jobs, and `observe`, used by promotion. */
function withoutProof(context: StageContext): StageContext {
  const { healthcheck } = context.settings;
  const evidence = { ...healthcheck.evidence, canary: 'off', observe: 'off' } as const;
  return {
    ...context,
    settings: { ...context.settings, healthcheck: { ...healthcheck, evidence } },
  };
}
