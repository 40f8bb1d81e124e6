import type { HostsReading } from '../../../domain/health/service-observation.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { Registration } from '../../../ports/registry.ts';
import type { HostReport } from '../../../ports/runner-host.ts';
import { wordsOf } from '../../context/context.ts';
import type { ShardSources } from '../shard-sources.ts';
import type { Report } from './work-signs.ts';

interface Seen {
  readonly word: HostsReading;
  readonly reports: readonly Report[];
}

/** Managers of a runner by system id, as last listed. If empty, the owner of a host is unknown. */
export interface ObservedManagers {
  id?: string | undefined;
  /** Monotonic time. */
  readAt?: number;
  workers: ReadonlyMap<string, number>;
}

interface Whose {
  readonly registration?: Registration;
  readonly managers: ObservedManagers;
  /** Whether the managers were listed in this check; undefined if they were not queried at all. */
  readonly isFresh?: boolean;
}

/** Lists the managers once, beside the host checks. Returns whether the list is fresh. */
export async function refreshManagers(
  sources: ShardSources,
  managers: ObservedManagers,
  registration: Registration,
): Promise<boolean> {
  const { ports, settings } = sources.context;
  const isPerShard = ports.registry.traits.registrationsPer === 'shard';
  if (settings.host.access === 'none' || !isPerShard) return true;
  if (managers.id === registration.id && managers.workers.size > 0) return false;
  managers.id = registration.id;
  await readManagers(sources, managers, registration);
  return true;
}

async function readManagers(
  sources: ShardSources,
  managers: ObservedManagers,
  registration: Registration,
): Promise<void> {
  managers.readAt = sources.context.ports.clock.elapsed();
  managers.workers = await listWorkers(sources, registration);
}

/**
 * Excludes hosts under another runner: their requests prove nothing for this runner. A host is
 * foreign only if it reports a system id that is absent from a non-empty manager list.
 */
export async function excludeForeignHosts(
  sources: ShardSources,
  seen: Seen,
  { registration, managers, isFresh }: Whose,
): Promise<Seen> {
  const { word, reports } = seen;
  // The managers of a paused runner are not queried.
  if (registration === undefined || isFresh === undefined || word.kind !== 'seen') return seen;
  const isForeign = ({ report }: { report: HostReport }) =>
    report.process === 'running' &&
    report.systemId !== undefined &&
    managers.workers.size > 0 &&
    !managers.workers.has(report.systemId);
  if (!reports.some(isForeign)) return seen;
  // A new manager may be missing from the older list.
  if (!isFresh) await readManagers(sources, managers, registration);
  const others = new Set(reports.filter(isForeign).map(({ host }) => host));
  const { manager, registration: what } = wordsOf(sources.context);
  const processes = word.processes.map((one) =>
    others.has(one.host)
      ? {
          ...one,
          state: 'unready' as const,
          detail: `${one.detail}, but it is not a ${manager} of ${what} ${registration.id}`,
        }
      : one,
  );
  return { word: { kind: 'seen', processes }, reports: reports.map(withoutCounts(others)) };
}

function withoutCounts(others: ReadonlySet<string>): (one: Report) => Report {
  return (one) => {
    const { requests: _, ...rest } = one.report;
    return others.has(one.host) ? { ...one, report: rest } : one;
  };
}

/** Lists the managers; empty if one sends no id, because that entry could be any host. */
async function listWorkers(
  sources: ShardSources,
  { id }: Registration,
): Promise<ObservedManagers['workers']> {
  try {
    const listed = await sources.workers(id);
    const isLegacy = listed.some(({ systemId }) => systemId === '<legacy>');
    return new Map(isLegacy ? [] : listed.map((worker) => [worker.systemId, worker.id]));
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return new Map();
  }
}
