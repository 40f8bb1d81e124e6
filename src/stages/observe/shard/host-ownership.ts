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

/**
 * The list of a registration's managers as it was last seen, by system id. Empty: whose a host is, is not
 * known.
 */
export interface ObservedManagers {
  id?: string | undefined;
  /** By our clock that never jumps. */
  readAt?: number;
  workers: ReadonlyMap<string, number>;
}

interface Whose {
  readonly registration?: Registration;
  readonly managers: ObservedManagers;
  /** Whether they were listed just now; undefined where they were not asked about at all. */
  readonly isFresh?: boolean;
}

/** Beside the question to the hosts, once there are some; answers whether they were listed just now. */
export async function refreshManagers(
  sources: ShardSources,
  managers: ObservedManagers,
  registration: Registration,
): Promise<boolean> {
  const { ports, settings } = sources.context;
  const areTold = ports.registry.traits.registrationsPer === 'shard';
  if (settings.host.access === 'none' || !areTold) return true;
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
 * A machine of the shard may run under a second runner: what that one is answered proves nothing for the
 * first. Only a host that says who it is, and is on no list of managers that has any, is known to be
 * another's; a list that is empty or cannot be read takes nothing from anybody.
 */
export async function excludeForeignHosts(
  sources: ShardSources,
  seen: Seen,
  { registration, managers, isFresh }: Whose,
): Promise<Seen> {
  const { word, reports } = seen;
  // Of a closed one no manager is asked about.
  if (registration === undefined || isFresh === undefined || word.kind !== 'seen') return seen;
  const isForeign = ({ report }: { report: HostReport }) =>
    report.process === 'running' &&
    report.systemId !== undefined &&
    managers.workers.size > 0 &&
    !managers.workers.has(report.systemId);
  if (!reports.some(isForeign)) return seen;
  // It may have come since.
  if (!isFresh) await readManagers(sources, managers, registration);
  const others = new Set(reports.filter(isForeign).map(({ host }) => host));
  const { manager, registration: what } = wordsOf(sources.context);
  const processes = word.processes.map((one) =>
    others.has(one.host)
      ? {
          ...one,
          state: 'unready' as const,
          detail: `${one.detail}, and is no ${manager} of ${what} ${registration.id}`,
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

/** Empty as well where one of them sends no id: that row is of any host. */
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
