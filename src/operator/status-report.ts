import type { Status } from '../domain/deployment/deployment-status.ts';
import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import type { DeploymentRecord } from '../domain/deployment/record.ts';
import { tellSituation } from '../domain/deployment/situation-text.ts';
import { areSettled } from '../domain/deployment/tally.ts';
import { findRegistryOnly } from '../domain/drain/registry-only.ts';
import type { RegistryTerms } from '../domain/registry-terms.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { RegistryJob } from '../ports/registry.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';
import { allSettledOrThrow } from '../stages/context/parallel.ts';
import { lookAtDrain } from '../stages/observe/drain-look.ts';
import { readStatus } from '../stages/observe/observe.ts';
import { readHold } from '../stages/record/hold-parameter.ts';
import { readSituation } from '../stages/run/situation.ts';
import { type DeploymentReport, reportDeployment } from './deployment-report.ts';
import { reportLock } from './lock-owner.ts';
import { reportShard, type ShardReport, serviceOf } from './shard-report.ts';
import { hostTimeoutMs, memoizeReads } from './snapshot-ports.ts';

/** Both shards at a glance; plain data, printed as a table or as JSON. */
export interface StackReport {
  readonly runner: string;
  /** Whose runners they are, and how its people call what stands below. */
  readonly registry: Pick<RegistryTerms, 'registry' | 'registration' | 'managers' | 'paused'>;
  readonly now: string;
  readonly deployment_status: Status;
  readonly deployment: DeploymentReport | null;
  readonly lock: LockReport | null;
  readonly hold: { readonly who: string; readonly why: string; readonly since: string } | null;
  readonly shards: readonly ShardReport[];
  readonly history: DeploymentRecord['history'];
}

/** Reads only; takes no lock. A source that cannot be asked is shown as such and fails nothing else. */
export async function reportStack(asked: StageContext): Promise<StackReport> {
  const context = memoizeReads(asked, { hostsWithinMs: hostTimeoutMs });
  const { journal, ports, names, settings } = context;
  const { registry, registration, managers, paused } = wordsOf(context);
  const [record, status, lock, hold] = await allSettledOrThrow(
    () => journal.read(),
    () => readStatus(context),
    () => reportLock(context),
    () => readHold(ports.parameters, names.hold),
  );
  // One look: who types `status` waits for an answer, and `--watch` looks again anyway.
  const [situation, ofOne, ofTwo] = await allSettledOrThrow(
    () => readSituation(context, { atOnce: true, status }),
    () => reportShard(context, settings.shards[0], { status, record }),
    () => reportShard(context, settings.shards[1], { status, record }),
  );
  return {
    runner: settings.runnerName,
    registry: { registry, registration, managers, paused },
    now: tellSituation({ ...situation, registryOnly: await findUnreported(context, record) }),
    deployment_status: status,
    deployment: reportDeployment(record),
    lock,
    hold: hold ?? null,
    shards: [ofOne, ofTwo].map(({ shard, role, ...seen }) => ({
      shard,
      role,
      service: serviceOf(situation.service(shard)),
      ...seen,
    })),
    history: record?.history ?? [],
  };
}

/** Only GitLab waits for a job whose last update was lost; the hosts of GitHub's runners decide. */
async function findUnreported(
  context: StageContext,
  record: DeploymentRecord | undefined,
): Promise<readonly RegistryJob[]> {
  const { phase, retiring } = record?.deployment ?? {};
  if (phase !== 'draining' && phase !== 'drained') return [];
  if (retiring === undefined || context.ports.registry.traits.idleWord !== 'counts') return [];
  try {
    const look = await lookAtDrain(context, retiring);
    const rules = { ...context.settings, words: wordsOf(context), pollOfRunnerMs: 0 };
    const jobs = findRegistryOnly([look], rules)?.jobs ?? [];
    return areSettled(jobs, record?.deployment.tally?.drain) ? [] : jobs;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [];
  }
}
