import type { Status } from '../domain/deployment/deployment-status.ts';
import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import type { DeploymentRecord } from '../domain/deployment/record.ts';
import { formatSituation, watchedShard } from '../domain/deployment/situation-text.ts';
import { areSettled } from '../domain/deployment/tally.ts';
import { situationOf } from '../domain/doctor/state-line.ts';
import { findRegistryOnly } from '../domain/drain/registry-only.ts';
import type { RegistryTerms } from '../domain/registry-terms.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { RegistryJob } from '../ports/registry.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';
import { observeDrain } from '../stages/observe/drain-observation.ts';
import type { ShardSources } from '../stages/observe/shard-sources.ts';
import {
  type DeploymentReport,
  type FinishedReport,
  reportDeployment,
  reportHistory,
} from './deployment-report.ts';
import { answerOrThrow } from './fact-read.ts';
import { reportLock } from './lock-status.ts';
import { reportShard, type ShardReport } from './shard-report.ts';
import { hostTimeoutMs, readShards, readStoredState } from './stack-reading.ts';

/** Overview of a stack as plain data, printed as a table or as JSON. */
export interface StackReport {
  readonly runner: string;
  /** Registry of the stack's runners, with the terms that its users know. */
  readonly registry: Pick<RegistryTerms, 'registry' | 'registration' | 'managers' | 'paused'>;
  readonly now: string;
  readonly deployment_status: Status;
  readonly deployment: DeploymentReport | null;
  readonly lock: LockReport | null;
  readonly hold: { readonly who: string; readonly why: string; readonly since: string } | null;
  readonly shards: readonly ShardReport[];
  readonly history: readonly FinishedReport[];
}

/**
 * Reads the stack without the lock and changes nothing. Fails without the stack's parameters. A
 * failed source of a shard is shown as such.
 */
export async function reportStack(context: StageContext): Promise<StackReport> {
  const stored = await readStoredState(context);
  const record = answerOrThrow(stored.record);
  if (record !== undefined && 'kind' in record) throw record.error;
  const status = answerOrThrow(stored.status);
  const lock = reportLock(answerOrThrow(stored.lock));
  const hold = answerOrThrow(stored.hold) ?? null;
  const watched = watchedShard(record?.deployment);
  // One check: `status` must respond fast, and `--watch` repeats it anyway.
  const seen = await readShards(context, record, {
    atOnce: true,
    hostsWithinMs: hostTimeoutMs,
    watched: watched === undefined ? [] : [watched],
    more: async (sources) => ({ registryOnly: await findUnreported(sources, record) }),
  });
  const { registry, registration, managers, paused } = seen.words;
  const { registrationsPer } = context.ports.registry.traits;
  const registryOnly = seen.shards.flatMap((shard) => shard.registryOnly);
  return {
    runner: context.settings.runnerName,
    registry: { registry, registration, managers, paused },
    now: formatSituation({ ...situationOf({ ...stored, ...seen }), registryOnly }),
    deployment_status: status,
    deployment: reportDeployment(record),
    lock,
    hold,
    shards: seen.shards.map((shard) =>
      reportShard(shard, { status, record, settings: seen.settings, registrationsPer }),
    ),
    history: reportHistory(record),
  };
}

/**
 * Finds jobs that only the registry lists. Only GitLab waits for a job whose last update was lost;
 * on GitHub the hosts decide.
 */
async function findUnreported(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
): Promise<readonly RegistryJob[]> {
  const { context, shard } = sources;
  const { phase, retiring } = record?.deployment ?? {};
  if (retiring !== shard || (phase !== 'draining' && phase !== 'drained')) return [];
  if (context.ports.registry.traits.idleSource !== 'counts') return [];
  try {
    const drain = await observeDrain(context, shard, sources);
    const rules = { ...context.settings, words: wordsOf(context), pollOfRunnerMs: 0 };
    const jobs = findRegistryOnly([drain], rules)?.jobs ?? [];
    return areSettled(jobs, record?.deployment.tally?.drain) ? [] : jobs;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [];
  }
}
