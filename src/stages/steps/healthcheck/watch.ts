import { type ShardEntry, shardEntry } from '../../../domain/deployment/record.ts';
import type { Evidence, EvidenceKind } from '../../../domain/health/evidence.ts';
import { inTerms } from '../../../domain/registry-terms.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { PortFailure } from '../../../ports/failure.ts';
import type { Worker } from '../../../ports/registry.ts';
import type { Host, HostReport, JobRequests } from '../../../ports/runner-host.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import type { Stall } from './canary-stall.ts';

export interface Exposure {
  readonly secrets: readonly string[];
  readonly url: string;
}

/** What is carried from one look at a shard to the next. */
export interface Watch {
  readonly shard: Shard;
  readonly entry: ShardEntry;
  /** Managers on which a canary has succeeded. */
  readonly proven: Set<number>;
  canaryFailures: number;
  /** Of the canary that failed last, the job. */
  failedCanaryId?: string | undefined;
  /** Set once the canary has failed so often that it counts. */
  failedCanaryUrl?: string | undefined;
  /** Once a canary was given secrets of the deployment: which, and its job. */
  exposed?: Exposure | undefined;
  canaryStarts: number;
  /** Whether one was there to judge, or was begun. */
  hadCanary: boolean;
  canary?: string;
  /** When its newest job was last seen to wait for a runner, on our own clock. */
  canaryWaitedAt?: number | undefined;
  /** While its job waits: when, on our own clock, it was last asked who is in its way, and who is. */
  canaryWaits?: { askedAt: number; foreign?: string | undefined } | undefined;
  /** While its job waits: what the hosts say of their requests for a job. */
  stall?: Stall | undefined;
  /** Whether one that waited too long was replaced by another one. */
  hadSecondCanary: boolean;
  /** Whether GitLab refused us the canary's job, so that a person has to start it. */
  canaryDenied: boolean;
  /** The last such refusal, and when on our own clock it came. */
  canaryRefusal?: { readonly at: number; readonly error: PortFailure };
  /** Managers that count, as last seen. */
  workers: readonly Worker[];
  /** The newest of each kind, with its age on our own clock. */
  readonly kept: Map<EvidenceKind, { readonly evidence: Evidence; readonly elapsed: number }>;
  /** When a kind that is not there yet was first asked for. */
  readonly asked: Map<EvidenceKind, number>;
  hosts: Hosts;
  looks: readonly HostCheck[];
  /** Of each host its requests for a job, as counted at the first check with its present count of failed ones. */
  readonly requestsAtFailure: Map<string, JobRequests>;
  /** Once more running machines carry the name of a manager than there are managers: how many, which. */
  crowd?: string | undefined;
  readonly acceptedTokens: Set<string>;
  readonly refusedTokens: Set<string>;
  /** Whether something is about to be decided, so that the next look comes soon. */
  hot: boolean;
}

export type Hosts = readonly Host[] | { readonly unknown: string };

export interface HostCheck {
  readonly id: string;
  readonly report: HostReport | { readonly kind: 'silent'; readonly reason: string };
}

export function startWatch({ journal }: Pick<StageContext, 'journal'>, shard: Shard): Watch {
  return {
    shard,
    entry: shardEntry(journal.current(), shard),
    proven: new Set(),
    canaryFailures: 0,
    canaryStarts: 0,
    hadCanary: false,
    hadSecondCanary: false,
    canaryDenied: false,
    workers: [],
    kept: new Map(),
    asked: new Map(),
    hosts: [],
    looks: [],
    requestsAtFailure: new Map(),
    acceptedTokens: new Set(),
    refusedTokens: new Set(),
    hot: false,
  };
}

/** Keeps what the hosts report, and from which count on a request that is answered ends what failed before. */
export function keepHostChecks(watch: Watch, looks: readonly HostCheck[]): void {
  watch.looks = looks;
  for (const report of reportsOf(watch)) {
    const before = watch.requestsAtFailure.get(report.id);
    const now = requestsOf(watch, report);
    if (now === undefined) continue;
    const isSame = before?.failed === now.failed && before?.refused === now.refused;
    // A count begins again with the process.
    if (before === undefined || !isSame || now.answered < before.answered)
      watch.requestsAtFailure.set(report.id, now);
  }
}

/** The requests of the shard's own runner, also in a process with several. */
export function requestsOf(
  { entry: { registration } }: Watch,
  { requests, requestsOf = [] }: HostReport,
): JobRequests | undefined {
  return requests ?? requestsOf.find((one) => one.registration === registration)?.requests;
}

interface Reporting {
  readonly id: string;
  /** A request was answered since the last one that failed, by counts of two checks. */
  readonly answeredSince: boolean;
}

/** The hosts that have told something, by their last report. */
export function reportsOf(watch: Watch): readonly (HostReport & Reporting)[] {
  return watch.looks.flatMap(({ id, report }) => {
    if (report.kind !== 'report') return [];
    const before = watch.requestsAtFailure.get(id)?.answered ?? Number.POSITIVE_INFINITY;
    const answeredSince = (requestsOf(watch, report)?.answered ?? 0) > before;
    return [{ id, ...report, answeredSince }];
  });
}

/** Good evidence is not asked for again within this: a Run Command every second finds nothing new. */
const longestKeptMs = 180_000;

/**
 * Evidence that was good a moment ago stands; what is missing is asked for at each look, so that it
 * is seen as soon as it is there. A workload once done stays done.
 */
export async function kept(
  { ports, settings }: StageContext,
  watch: Watch,
  { kind, ask }: { readonly kind: EvidenceKind; readonly ask: () => Promise<Evidence> },
): Promise<Evidence> {
  const now = ports.clock.elapsed();
  const last = watch.kept.get(kind);
  const keptMs =
    kind === 'workload'
      ? Number.POSITIVE_INFINITY
      : Math.min(longestKeptMs, 36 * settings.healthcheck.pollMs);
  if (last?.evidence.state === 'good' && now - last.elapsed < keptMs) return last.evidence;
  const evidence = await ask();
  watch.kept.set(kind, { evidence, elapsed: now });
  return evidence;
}

/** Who has just answered by Run Command runs, and its agent answers: that is not asked for once more. */
export function renewEvidence({ ports }: StageContext, watch: Watch, kind: EvidenceKind): void {
  const last = watch.kept.get(kind);
  if (last !== undefined) watch.kept.set(kind, { ...last, elapsed: ports.clock.elapsed() });
}

/** Counts from when a kind is first asked for until it is there. */
export function expiredKinds(
  { ports, settings }: StageContext,
  watch: Watch,
  evidence: readonly Evidence[],
): ReadonlySet<EvidenceKind> {
  const now = ports.clock.elapsed();
  const expired = new Set<EvidenceKind>();
  for (const { kind, state } of evidence) {
    if (state === 'good') {
      watch.asked.delete(kind);
      continue;
    }
    const since = watch.asked.get(kind) ?? now;
    watch.asked.set(kind, since);
    const limitMs = settings.healthcheck.timeoutsMs[kind];
    if (limitMs !== undefined && now - since >= limitMs) expired.add(kind);
  }
  return expired;
}

const sources: Readonly<Record<EvidenceKind, string>> = {
  instance: 'AWS Systems Manager',
  manager: '{registry}',
  host: 'Run Command',
  workload: 'Run Command',
  capacity: 'Run Command',
  reachability: 'Run Command',
  canary: '{registry}',
  observe: '{registry}',
};

export function note(
  context: Pick<StageContext, 'ports'>,
  kind: EvidenceKind,
  state: Evidence['state'],
  detail: string,
): Evidence {
  const source = inTerms(sources[kind], wordsOf(context));
  return { kind, state, detail, source, at: timestamp(context) };
}
