import type { Status } from '../domain/deployment/deployment-status.ts';
import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import { type DeploymentRecord, shardEntry } from '../domain/deployment/record.ts';
import { tellSituation } from '../domain/deployment/situation-text.ts';
import { areSettled } from '../domain/deployment/tally.ts';
import { findRegistryOnly } from '../domain/drain/registry-only.ts';
import type { Service } from '../domain/health/service-verdict.ts';
import type { RegistryTerms } from '../domain/registry-terms.ts';
import type { RegistrationId, Shard } from '../domain/shard.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { RegistryJob, Worker } from '../ports/registry.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';
import { allSettledOrThrow } from '../stages/context/parallel.ts';
import { lookAtDrain } from '../stages/observe/drain-look.ts';
import { listPresentHosts } from '../stages/observe/host-ends.ts';
import { findRegistrations, readStatus } from '../stages/observe/observe.ts';
import { readHold } from '../stages/record/hold-parameter.ts';
import { readSituation } from '../stages/run/situation.ts';
import { findTokenExpiry } from '../stages/steps/health/token-expiry-search.ts';
import { findVersionExpiries } from '../stages/steps/health/version-expiry-search.ts';
import { type DeploymentReport, reportDeployment } from './deployment-report.ts';
import { reportLock } from './lock-owner.ts';
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

export interface ShardReport {
  readonly shard: string;
  readonly role: string;
  /** Whether a customer's job submitted now would be run there, and what says so. */
  readonly service: {
    readonly verdict: Service['kind'];
    readonly reason: string;
    readonly missing?: string;
    readonly age_ms?: number;
  };
  readonly unhealthy_in_a_row: number;
  /** ISO 8601, by the record: when it was last built, and when it was last proven healthy. */
  readonly applied_at?: string;
  readonly proven_at?: string;
  /** A text where they could not be asked. */
  readonly registrations: readonly RegistrationReport[] | string;
  readonly hosts: readonly { readonly id: string; readonly agent: string }[] | string;
  /** Versions of its managers that end within weeks, a sentence each; a text where nobody says. */
  readonly endings: readonly string[] | string;
  /** Tokens of its registrations that end within weeks, a sentence each. */
  readonly token_endings: readonly string[];
  readonly jobs: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly url: string;
    /** ISO 8601, by the registry's clock. */
    readonly started_at?: string;
  }[];
}

export interface RegistrationReport {
  readonly id: string;
  readonly paused: boolean;
  readonly tags: readonly string[];
  readonly contacted: boolean;
  readonly managers: readonly {
    readonly id: number;
    readonly version: string;
    readonly system_id: string;
    /** By the registry's clock; GitHub does not tell. */
    readonly created_at?: string;
    /** By the registry's clock. */
    readonly contacted_at?: string;
  }[];
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

interface Known {
  readonly status: Status;
  readonly record: DeploymentRecord | undefined;
}

async function reportShard(
  context: StageContext,
  shard: Shard,
  known: Known,
): Promise<Omit<ShardReport, 'service'> & { readonly shard: Shard }> {
  const [hosts, registered] = await allSettledOrThrow(
    () => listPresentHosts(context, shard),
    () => reportRegistrations(context, shard, known),
  );
  const { unhealthyInARow, lastApply, evidence } = shardEntry(known.record, shard);
  return {
    shard,
    role: roleOf(shard, known),
    unhealthy_in_a_row: unhealthyInARow,
    ...(lastApply === undefined ? {} : { applied_at: lastApply.at }),
    ...(evidence === undefined ? {} : { proven_at: evidence.at }),
    ...registered,
    hosts:
      'unknown' in hosts
        ? hosts.unknown
        : hosts.map((host) => ({ id: host.id, agent: host.agent })),
  };
}

function serviceOf(service: Service): ShardReport['service'] {
  const { kind: verdict, reason } = service;
  if (service.kind === 'proven') return { verdict, reason, age_ms: service.ageMs };
  return { verdict, reason, ...(service.kind === 'unknown' ? { missing: service.missing } : {}) };
}

async function reportRegistrations(
  context: StageContext,
  shard: Shard,
  { record }: Known,
): Promise<Pick<ShardReport, 'registrations' | 'jobs' | 'endings' | 'token_endings'>> {
  const { ports } = context;
  try {
    const registrations: RegistrationReport[] = [];
    const jobs: ShardReport['jobs'][number][] = [];
    const all: Worker[] = [];
    const tokens: string[] = [];
    for (const { id, paused, tags, contacted } of await findRegistrations(context, shard)) {
      const workers = await ports.registry.listWorkers(id);
      const listed = workers.kind === 'found' ? workers.value : [];
      all.push(...listed);
      const managers = listed.map((one) => ({
        id: one.id,
        version: one.version,
        system_id: one.systemId,
        ...(ports.registry.traits.registrationsPer === 'worker'
          ? {}
          : { created_at: one.createdAt }),
        ...(one.contactedAt === undefined ? {} : { contacted_at: one.contactedAt }),
      }));
      registrations.push({ id, paused, tags, contacted, managers });
      jobs.push(...(await jobsOf(context, id)));
      const ending = await findTokenExpiry(context, record, id);
      if (ending !== undefined) tokens.push(ending.text);
    }
    const endings = await endingsOf(context, all);
    return { registrations, jobs, endings, token_endings: tokens };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { registrations: error.message, jobs: [], endings: [], token_endings: [] };
  }
}

async function endingsOf(
  context: StageContext,
  workers: readonly Worker[],
): Promise<ShardReport['endings']> {
  try {
    return (await findVersionExpiries(context, workers)).map(({ text }) => text);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return error.message;
  }
}

async function jobsOf({ ports }: StageContext, id: RegistrationId) {
  try {
    const found = await ports.registry.listJobs(id);
    const jobs = found.kind === 'found' ? found.value : [];
    return jobs.map(({ id: job, name, status, url, startedAt }) => ({
      id: job,
      name,
      status,
      url,
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
    }));
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [{ id: '?', name: error.message, status: 'unknown', url: '' }];
  }
}

function roleOf(shard: Shard, { status, record }: Known): string {
  const roles: string[] = [];
  if (status.kind === 'known') roles.push(status.active === shard ? 'active' : 'inactive');
  const { deployment } = record ?? {};
  if (deployment !== undefined && deployment.phase !== 'done') {
    if (deployment.candidate === shard) roles.push('candidate');
    if (deployment.retiring === shard) roles.push('retiring');
  }
  return roles.join(', ') || 'not known';
}
