import { shardEntry } from '../../../domain/deployment/record.ts';
import { blamesRunner } from '../../../domain/health/runner-faults.ts';
import type { WorkSign } from '../../../domain/health/service-observation.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { BegunJob, FinishedJob, Registration, RegistryJob } from '../../../ports/registry.ts';
import type { HostReport, JobRequests } from '../../../ports/runner-host.ts';
import { recordOf, type StageContext, wordsOf } from '../../context/context.ts';
import { findRegistration } from '../observe.ts';
import type { ShardSources } from '../shard-sources.ts';

/** What a host counted at the look before. */
export interface Counted extends JobRequests {
  /** When it was asked, by our own clock that never jumps: what came later than its answer is later than this. */
  readonly at: number;
  /** When the count of answers was last seen to have grown, which is later than this. */
  readonly answeredAfter?: number;
}

export interface Report {
  readonly host: string;
  readonly report: HostReport;
  /** By our clock that never jumps; a host that hangs keeps the answers of all others waiting. */
  readonly askedAt: number;
}

/** A sign with the managers that the registry or the record says that it is of, where they are told. */
export interface SignOfWork extends WorkSign {
  readonly workers?: readonly number[];
}

export interface TakenCanary {
  readonly job: string;
  /** Of our own clock that never jumps. */
  readonly at: number;
  readonly workers: readonly number[];
}

function signOfCanary({ ports }: StageContext, { job, at, workers }: TakenCanary): SignOfWork {
  const ageMs = ports.clock.elapsed() - at;
  return { kind: 'canary', what: `canary job ${job} began there`, ageMs, workers };
}

/** As long as two looks of one proof may be apart. */
const countedWithinMs = 15_000;

/** What a proof may rest on was seen in it, or right before it. */
export function forgetOldCounts(counts: Map<string, Counted>, now: number): void {
  for (const [host, { answeredAfter, ...counted }] of counts) {
    if (now - counted.at > countedWithinMs) counts.delete(host);
    else if (answeredAfter !== undefined && now - answeredAfter > countedWithinMs)
      counts.set(host, counted);
  }
}

/** A process that was started anew counts from zero again: that is no growth. */
export function requestSigns(
  { ports }: StageContext,
  reports: readonly Report[],
  counts: Map<string, Counted>,
): readonly WorkSign[] {
  const now = ports.clock.elapsed();
  return reports.flatMap(({ host, askedAt, report }): WorkSign[] => {
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
      at: askedAt,
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
              ageMs: now - askedAt,
            },
          ]
        : []),
      ...(answeredAfter === undefined
        ? []
        : [
            {
              kind: 'request' as const,
              what: `a request of ${host} for a job was answered`,
              ageMs: now - answeredAfter,
            },
          ]),
    ];
  });
}

/**
 * Jobs that began there, by the registry, the canaries that were seen to begin, and the one that the record
 * keeps. What ended there by the runner's own fault is no sign that it can do any work.
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
  // What began while they were listed is no job of the future.
  const now = ports.clock.now();
  const failed = new Set(jobs.filter(wasFailedByRunner).map(({ id }) => id));
  const mayHaveFailed = (canary: string) =>
    failed.has(canary) || (isPart && !jobs.some(({ id }) => id === canary));
  const begun = canaries.filter(({ job }) => !mayHaveFailed(job));
  const signs: SignOfWork[] = [...begun.map((one) => signOfCanary(context, one)), ...held];
  const { evidence } = shardEntry(recordOf({ journal }), shard);
  if (evidence?.canary !== undefined && !mayHaveFailed(evidence.canary))
    signs.push({
      kind: 'canary',
      what: `canary job ${evidence.canary} ran there`,
      ageMs: now - Date.parse(evidence.at),
      workers: evidence.workers,
    });
  signs.push(...jobs.flatMap((job) => signOfJob(job, now)));
  return signs.filter(({ ageMs }) => !Number.isNaN(ageMs));
}

/** An answer that a host that hangs has kept waiting for longer is asked for once more. */
const heldWithinMs = 10_000;

async function heldConnection(
  { context, openedAt: { elapsed: askedAt } }: ShardSources,
  registration: Registration,
): Promise<readonly SignOfWork[]> {
  const { registry, clock } = context.ports;
  if (!registry.traits.contactIsLive) return [];
  const now = clock.elapsed();
  const again = now - askedAt > heldWithinMs ? await isHeld(context, registration) : undefined;
  if (!(again ?? registration.contacted)) return [];
  const what = `${wordsOf(context).registry} held a connection of it`;
  return [
    { kind: 'request', what, ageMs: clock.elapsed() - (again === undefined ? askedAt : now) },
  ];
}

/** Undefined where nobody answers. */
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
  return Number.isNaN(ageMs) ? [] : [{ kind: 'job', what: `job ${id} "${name}" began`, ageMs }];
}

function wasFailedByRunner(job: { readonly id: string; readonly failureReason?: string }): boolean {
  return blamesRunner(job.failureReason);
}

type ListedJob = RegistryJob | FinishedJob;

/** `isPart`: a job that is not among these may have begun there, or have failed. */
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

/** What cannot be listed proves nothing, and its absence neither. */
async function findListed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return undefined;
  }
}
