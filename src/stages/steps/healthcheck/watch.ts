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

/** State that is kept between the checks of a shard. */
export interface Watch {
  readonly shard: Shard;
  readonly entry: ShardEntry;
  /** Managers on which a canary has succeeded. */
  readonly proven: Set<number>;
  canaryFailures: number;
  /** Job of the canary that failed last. */
  failedCanaryId?: string | undefined;
  /** Set after the canary has failed often enough to count. */
  failedCanaryUrl?: string | undefined;
  /** Deployment secrets that a canary received, with its job. */
  exposed?: Exposure | undefined;
  canaryStarts: number;
  /** Whether a canary existed or was started. */
  hadCanary: boolean;
  canary?: string;
  /** Monotonic time at which the newest canary was last seen waiting for a runner. */
  canaryWaitedAt?: number | undefined;
  /** Last search for a job that blocks the waiting canary, with its monotonic time. */
  canaryWaits?: { requestedAt: number; foreign?: string | undefined } | undefined;
  /** Hosts' job requests while the canary waits. */
  stall?: Stall | undefined;
  /** Whether a canary that waited too long was replaced. */
  hadSecondCanary: boolean;
  /** Whether GitLab refused the start of the canary, so an operator must start it. */
  canaryDenied: boolean;
  /** Last such refusal, with its monotonic time. */
  canaryRefusal?: { readonly at: number; readonly error: PortFailure };
  /** Accepted managers, as last read. */
  workers: readonly Worker[];
  /** Newest evidence of each kind, with its monotonic time. */
  readonly kept: Map<EvidenceKind, { readonly evidence: Evidence; readonly elapsed: number }>;
  /** Time of the first check of a kind that is still missing. */
  readonly requestedAt: Map<EvidenceKind, number>;
  hosts: Hosts;
  hostChecks: readonly HostCheck[];
  /** Job requests of each host at the first check with its present count of failed requests. */
  readonly requestsAtFailure: Map<string, JobRequests>;
  /** Set if more running machines than managers carry a manager's name: their number and ids. */
  crowd?: string | undefined;
  readonly acceptedTokens: Set<string>;
  readonly refusedTokens: Set<string>;
  /** Whether a decision is near and the next check must come soon. */
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
    requestedAt: new Map(),
    hosts: [],
    hostChecks: [],
    requestsAtFailure: new Map(),
    acceptedTokens: new Set(),
    refusedTokens: new Set(),
    hot: false,
  };
}

/** Keeps the hosts' reports, and the count after which an answer outweighs earlier failures. */
export function keepHostChecks(watch: Watch, checks: readonly HostCheck[]): void {
  watch.hostChecks = checks;
  for (const report of reportsOf(watch)) {
    const before = watch.requestsAtFailure.get(report.id);
    const now = requestsOf(watch, report);
    if (now === undefined) continue;
    const isSame = before?.failed === now.failed && before?.refused === now.refused;
    // A new process counts from zero.
    if (before === undefined || !isSame || now.answered < before.answered)
      watch.requestsAtFailure.set(report.id, now);
  }
}

/** Returns the requests of the shard's runner, even in a process with several runners. */
export function requestsOf(
  { entry: { registration } }: Watch,
  { requests, requestsOf = [] }: HostReport,
): JobRequests | undefined {
  return requests ?? requestsOf.find((one) => one.registration === registration)?.requests;
}

interface Reporting {
  readonly id: string;
  /** Whether the counts of two checks show an answered request after the last failed one. */
  readonly answeredSince: boolean;
}

/** Lists the last report of each host that has responded. */
export function reportsOf(watch: Watch): readonly (HostReport & Reporting)[] {
  return watch.hostChecks.flatMap(({ id, report }) => {
    if (report.kind !== 'report') return [];
    const before = watch.requestsAtFailure.get(id)?.answered ?? Number.POSITIVE_INFINITY;
    const answeredSince = (requestsOf(watch, report)?.answered ?? 0) > before;
    return [{ id, ...report, answeredSince }];
  });
}

/** Maximum age of good evidence. A Run Command every second would find no change. */
const longestKeptMs = 180_000;

/**
 * Returns good evidence that is recent, and otherwise checks again, so missing evidence is found
 * early. A successful workload check stays valid.
 */
export async function kept(
  { ports, settings }: StageContext,
  watch: Watch,
  { kind, check }: { readonly kind: EvidenceKind; readonly check: () => Promise<Evidence> },
): Promise<Evidence> {
  const now = ports.clock.elapsed();
  const last = watch.kept.get(kind);
  const keptMs =
    kind === 'workload'
      ? Number.POSITIVE_INFINITY
      : Math.min(longestKeptMs, 36 * settings.healthcheck.pollMs);
  if (last?.evidence.state === 'good' && now - last.elapsed < keptMs) return last.evidence;
  const evidence = await check();
  watch.kept.set(kind, { evidence, elapsed: now });
  return evidence;
}

/** Renews the age of evidence that another successful Run Command has just confirmed. */
export function renewEvidence({ ports }: StageContext, watch: Watch, kind: EvidenceKind): void {
  const last = watch.kept.get(kind);
  if (last !== undefined) watch.kept.set(kind, { ...last, elapsed: ports.clock.elapsed() });
}

/** Lists the kinds whose time limit has passed since their first check. */
export function expiredKinds(
  { ports, settings }: StageContext,
  watch: Watch,
  evidence: readonly Evidence[],
): ReadonlySet<EvidenceKind> {
  const now = ports.clock.elapsed();
  const expired = new Set<EvidenceKind>();
  for (const { kind, state } of evidence) {
    if (state === 'good') {
      watch.requestedAt.delete(kind);
      continue;
    }
    const since = watch.requestedAt.get(kind) ?? now;
    watch.requestedAt.set(kind, since);
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
