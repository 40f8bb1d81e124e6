import type { HostsWord } from '../../domain/health/service.ts';
import { areOurCredentialsOut, isPortFailure } from '../../ports/failure.ts';
import type { Registration } from '../../ports/registry.ts';
import type { HostReport } from '../../ports/runner-host.ts';
import { type StageContext, wordsOf } from '../walk/context.ts';
import type { Report } from './work-signs.ts';

interface Seen {
  readonly word: HostsWord;
  readonly reports: readonly Report[];
}

/**
 * A machine of the shard may run under a second runner: what that one is answered proves nothing for the
 * first. Only a host that says who it is, and is on no list of managers that has any, is known to be
 * another's; a list that is empty or cannot be read takes nothing from anybody.
 * @param known managers that were on the list before, as `id system id`: those are not asked about again
 */
export async function withoutAnothers(
  context: StageContext,
  { word, reports }: Seen,
  { registration, known }: { registration: Registration | undefined; known: Set<string> },
): Promise<Seen> {
  const { traits } = context.ports.registry;
  if (registration === undefined || word.kind !== 'seen' || traits.registrationsPer === 'worker')
    return { word, reports };
  const { id } = registration;
  const isKnown = ({ systemId }: HostReport) =>
    systemId === undefined || known.has(`${id} ${systemId}`);
  const running = reports.filter(({ report }) => report.process === 'running');
  if (running.every(({ report }) => isKnown(report))) return { word, reports };
  const listed = await listSystemIds(context, registration);
  if (listed.length === 0) return { word, reports };
  for (const systemId of listed) known.add(`${id} ${systemId}`);
  const others = new Set(running.filter(({ report }) => !isKnown(report)).map(({ host }) => host));
  const { manager, registration: what } = wordsOf(context);
  const processes = word.processes.map((one) =>
    others.has(one.host)
      ? {
          ...one,
          state: 'silent' as const,
          detail: `${one.detail}, and is no ${manager} of ${what} ${id}`,
        }
      : one,
  );
  return { word: { kind: 'seen', processes }, reports: reports.map(withoutCounts(others)) };
}

function withoutCounts(others: ReadonlySet<string>): (one: Report) => Report {
  return ({ host, report }) => {
    const { requests: _, ...rest } = report;
    return { host, report: others.has(host) ? rest : report };
  };
}

/** Empty as well where one of them sends no id: that row is of any host. */
async function listSystemIds(
  { ports }: StageContext,
  { id }: Registration,
): Promise<readonly string[]> {
  try {
    const found = await ports.registry.listWorkers(id);
    const ids = found.kind === 'found' ? found.value.map(({ systemId }) => systemId) : [];
    return ids.includes('<legacy>') ? [] : ids;
  } catch (error) {
    if (!isPortFailure(error) || areOurCredentialsOut(error)) throw error;
    return [];
  }
}
