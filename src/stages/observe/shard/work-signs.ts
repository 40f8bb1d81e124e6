import { shardEntry } from '../../../domain/deployment/record.ts';
import { blamesRunner } from '../../../domain/health/runner-faults.ts';
import type { WorkSign } from '../../../domain/health/service-observation.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { BegunJob, FinishedJob, Registration, RegistryJob } from '../../../ports/registry.ts';
import type { HostReport, JobRequests } from '../../../ports/runner-host.ts';
import { recordOf, type StageContext, wordsOf } from '../../context/context.ts';
import { findRegistration } from '../observe.ts';
import type { ShardSources } from '../shard-sources.ts';

/** Counters of a host at the previous check. */
export interface Counted extends JobRequests {
  /** Monotonic time of the query. Anything after its response is also after this time. */
  readonly at: number;
  /** Monotonic time of the check that last saw the count of answered requests grow. */
  readonly answeredAfter?: number;
}

export interface Report {
  readonly host: string;
  readonly report: HostReport;
  /** Monotonic time of the query. A hanging host delays the reports of all others. */
  readonly requestedAt: number;
}

/** Sign of work with the managers that the registry or the record names, if they are known. */
export interface SignOfWork extends WorkSign {
  readonly workers?: readonly number[];
}

export interface TakenCanary {
  readonly job: string;
  /** Monotonic time. */
  readonly at: number;
  readonly workers: readonly number[];
}

function signOfCanary(
  { context: { ports }, shard }: ShardSources,
  { job, at, workers }: TakenCanary,
): SignOfWork {
  const ageMs = ports.clock.elapsed() - at;
  return { kind: 'canary', what: `canary job ${job} started on ${shard}`, ageMs, workers };
}

/** Maximum time between two checks of one proof. */
const countedWithinMs = 15_000;

/** Removes old counters: a proof relies on counters from itself or from right before it. */
export function forgetOldCounts(counts: Map<string, Counted>, now: number): void {
  for (const [host, { answeredAfter, ...counted }] of counts) {
    if (now - counted.at > countedWithinMs) counts.delete(host);
    else if (answeredAfter !== undefined && now - answeredAfter > countedWithinMs)
      counts.set(host, counted);
  }
}

/**
 * Returns signs of work from the growth of the host counters. A restarted process counts from zero,
 * which is no growth.
 */
export function requestSigns(
  { ports }: StageContext,
  reports: readonly Report[],
  counts: Map<string, Counted>,
): readonly WorkSign[] {
  const now = ports.clock.elapsed();
  return reports.flatMap(({ host, requestedAt: queriedAt, report }): WorkSign[] => {
    const { requests, jobs, process } = report;
    if (requests === undefined || process !== 'running') {
      counts.delete(host);
      return [];
    }
    const before = counts.get(host);
    const grew = before !== undefined && requests.answered > before.answered;
    const kept = before !== undefined && requests.answered === before.answered;
    const answeredAfter = grew ? before.at : kept ? before.answeredAfter : undefined;
    counts.set(host, {
      ...requests,
      at: queriedAt,
      ...(answeredAfter === undefined ? {} : { answeredAfter }),
    });
    const { slots } = requests;
    const isFull = slots !== undefined && slots > 0 && (jobs?.length ?? 0) >= slots;
    return [
      ...(isFull
        ? [
            {
              kind: 'job' as const,
              what: `all ${slots} slots of ${host} were taken by jobs`,
              ageMs: now - queriedAt,
            },
          ]
        : []),
      ...(answeredAfter === undefined
        ? []
        : [
            {
              kind: 'request' as const,
              what: `a job request of ${host} was answered`,
              ageMs: now - answeredAfter,
            },
          ]),
    ];
  });
}

/**
 * Collects signs of work: jobs that the registry lists, canaries that started, and the canary in
 * the record. A job that ended with a runner system failure is no sign.
 */
export async function workSigns(
  sources: ShardSources,
  {
    registration,
    canaries,
  }: { registration: Registration | undefined; canaries: readonly TakenCanary[] },
): Promise<readonly SignOfWork[]> {
  const { context, shard } = sources;
  const { ports, journal } = context;
  const { jobs, isPart } =
    registration === undefined
      ? { jobs: [], isPart: false }
      : await jobsThatBegan(sources, registration);
  const held = registration === undefined ? [] : await heldConnection(sources, registration);
  // Read after the lists: a job that started meanwhile must not lie in the future.
  const now = ports.clock.now();
  const failed = new Set(jobs.filter(wasFailedByRunner).map(({ id }) => id));
  const mayHaveFailed = (canary: string) =>
    failed.has(canary) || (isPart && !jobs.some(({ id }) => id === canary));
  const begun = canaries.filter(({ job }) => !mayHaveFailed(job));
  const signs: SignOfWork[] = [...begun.map((one) => signOfCanary(sources, one)), ...held];
  const { evidence } = shardEntry(recordOf({ journal }), shard);
  if (evidence?.canary !== undefined && !mayHaveFailed(evidence.canary))
    signs.push({
      kind: 'canary',
      what: `canary job ${evidence.canary} ran on ${shard}`,
      ageMs: now - Date.parse(evidence.at),
      workers: evidence.workers,
    });
  signs.push(...jobs.flatMap((job) => signOfJob(job, now)));
  return signs.filter(({ ageMs }) => !Number.isNaN(ageMs));
}

/** Age after which a contact is read again, because a hanging host has delayed the check. */
const heldWithinMs = 10_000;

async function heldConnection(
  { context, openedAt: { elapsed: queriedAt } }: ShardSources,
  registration: Registration,
): Promise<readonly SignOfWork[]> {
  const { registry, clock } = context.ports;
  if (!registry.traits.contactIsLive) return [];
  const now = clock.elapsed();
  const again = now - queriedAt > heldWithinMs ? await isHeld(context, registration) : undefined;
  if (!(again ?? registration.contacted)) return [];
  const what = `${wordsOf(context).registry} held a connection to the runner`;
  return [
    { kind: 'request', what, ageMs: clock.elapsed() - (again === undefined ? queriedAt : now) },
  ];
}

/** Returns whether the registry holds a connection of the runner; undefined without a response. */
async function isHeld(context: StageContext, { id }: Registration): Promise<boolean | undefined> {
  try {
    return (await findRegistration(context, id))?.contacted ?? false;
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return undefined;
  }
}

export function signOfJob(
  job: Partial<BegunJob> & Pick<BegunJob, 'id' | 'name'>,
  now: number,
): readonly WorkSign[] {
  if (wasFailedByRunner(job)) return [];
  const { id, name, startedAt } = job;
  const ageMs = now - Date.parse(startedAt ?? '');
  return Number.isNaN(ageMs) ? [] : [{ kind: 'job', what: `job ${id} "${name}" started`, ageMs }];
}

function wasFailedByRunner(job: { readonly id: string; readonly failureReason?: string }): boolean {
  return blamesRunner(job.failureReason);
}

type ListedJob = RegistryJob | FinishedJob;

/**
 * Lists the jobs that began on the runner. `isPart`: the list is incomplete, so other jobs may have
 * begun or failed.
 */
async function jobsThatBegan(
  sources: ShardSources,
  { id }: Registration,
): Promise<{ jobs: readonly ListedJob[]; isPart: boolean }> {
  const { ports, settings } = sources.context;
  const { registry, clock } = ports;
  const hasBegun = ({ startedAt }: ListedJob) => startedAt !== undefined;
  const found = await findListed(() => registry.listNewestJobs(id));
  if (found?.kind === 'absent') return { jobs: [], isPart: false };
  if (found !== undefined) {
    const { jobs, finished, isWhole } = found.value;
    const begun = [...jobs, ...finished].filter(hasBegun);
    const { evidenceMaxAgeMs } = settings.healthcheck;
    const isProof = ({ ageMs }: WorkSign) => ageMs >= 0 && ageMs <= evidenceMaxAgeMs;
    const now = clock.now();
    if (isWhole || begun.some((job) => signOfJob(job, now).some(isProof)))
      return { jobs: begun, isPart: !isWhole };
  }
  const jobs: readonly ListedJob[] = (await findListed(() => sources.jobs(id))) ?? [];
  const ended = await findListed(() => registry.listFinishedJobs(id));
  const finished = ended?.kind === 'found' ? ended.value : [];
  return { jobs: [...jobs, ...finished].filter(hasBegun), isPart: false };
}

/** Returns undefined if the list cannot be read, which proves nothing either way. */
async function findListed<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return undefined;
  }
}
