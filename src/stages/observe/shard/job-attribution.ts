import type {
  HostsReading,
  ProcessReading,
  WorkSign,
} from '../../../domain/health/service-observation.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { inParallel } from '../../context/parallel.ts';
import type { ObservedManagers } from './host-ownership.ts';
import { type Report, type SignOfWork, signOfJob } from './work-signs.ts';

interface Where {
  readonly registration: Registration | undefined;
  readonly managers: ObservedManagers;
  readonly hosts: HostsReading;
  readonly reports: readonly Report[];
  /** Returns the age of the proof that the signs give; undefined if they prove nothing. */
  readonly proofAge: (signs: readonly WorkSign[]) => number | undefined;
}

type Managers = ReadonlyMap<string, number>;

/**
 * Attributes signs of work to runner managers. A job proves only the process that it started on.
 * The manager that took it may be gone, and the running manager may never have taken a job. A job
 * without a known manager counts for all managers.
 */
export async function attributeToManagers(
  context: StageContext,
  signs: readonly SignOfWork[],
  where: Where,
): Promise<readonly WorkSign[]> {
  const { registration, hosts } = where;
  const running = runningManagers(where);
  if (registration === undefined || hosts.kind !== 'seen' || running === undefined) return signs;
  const unattributed = signs.filter(isUnattributed);
  const begunOn = (managers: Managers) =>
    unattributed.length > 0 ? jobsBegunOn(context, registration, [...managers.keys()]) : undefined;
  // If every host responds, a sign that belongs to no running manager proves nothing anyway.
  const hasUnresponsive = hosts.processes.some(({ state }) => state === 'silent');
  const barred: Managers = hasUnresponsive ? excludedManagers(where) : new Map();
  const { manager } = wordsOf(context);
  const at = (sign: SignOfWork, place: WorkSign['elsewhere']): WorkSign => {
    if (place === undefined) return sign;
    const on = place === 'ended' ? `on a ${manager} that accepts none` : `on no running ${manager}`;
    return { ...sign, what: `${sign.what}, ${on},`, elsewhere: place };
  };
  const attributed = signs
    .filter((sign) => !isUnattributed(sign))
    .map((sign) => at(sign, placeOf(sign.workers ?? [], running, barred)));
  const proofAge = where.proofAge(attributed);
  // A job that began before the newest proof adds nothing to it.
  if (proofAge !== undefined && unattributed.every(({ ageMs }) => ageMs >= proofAge))
    return attributed;
  const [runningSigns, others] = [await begunOn(running), await begunOn(barred)];
  const placed = [
    ...attributed,
    ...unattributed.map((sign) =>
      at(sign, placeOfJob(sign, { running, otherSigns: runningSigns, others })),
    ),
  ];
  const listed = new Set(signs.map(({ what }) => what));
  return [...placed, ...(runningSigns ?? []).filter(({ what }) => !listed.has(what))];
}

/** Returns whether the registry did not report the manager of a job. */
function isUnattributed({ kind, workers }: SignOfWork): boolean {
  return kind === 'job' && workers === undefined;
}

function placeOfJob(
  { what }: WorkSign,
  {
    running,
    otherSigns: runningSigns,
    others,
  }: {
    running: Managers;
    otherSigns: readonly WorkSign[] | undefined;
    others: readonly WorkSign[] | undefined;
  },
): WorkSign['elsewhere'] {
  const isAmong = (signs: readonly WorkSign[]) => signs.some((one) => one.what === what);
  if (runningSigns !== undefined && isAmong(runningSigns)) return undefined;
  if (others !== undefined && isAmong(others)) return 'ended';
  return running.size > 0 && runningSigns !== undefined ? 'unseen' : undefined;
}

function placeOf(
  workers: readonly number[],
  running: Managers,
  barred: Managers,
): WorkSign['elsewhere'] {
  const isIn = (managers: Managers) => (id: number) => [...managers.values()].includes(id);
  if (workers.length === 0 || workers.some(isIn(running))) return undefined;
  if (workers.every(isIn(barred))) return 'ended';
  return running.size > 0 ? 'unseen' : undefined;
}

/** Returns the running managers by system id; undefined if one has none, so any job may be its. */
function runningManagers(where: Where): Managers | undefined {
  const named = managersOf(where, ['runs']);
  return named.includes(undefined) ? undefined : new Map(named.filter((one) => one !== undefined));
}

/** Returns the managers that report that they take no jobs, if their system id is known. */
function excludedManagers(where: Where): Managers {
  return new Map(managersOf(where, ['ended', 'unready']).filter((one) => one !== undefined));
}

function managersOf(
  { managers, hosts, reports }: Where,
  states: readonly ProcessReading['state'][],
): readonly (readonly [systemId: string, id: number] | undefined)[] {
  const processes = hosts.kind === 'seen' ? hosts.processes : [];
  return processes
    .filter(({ state }) => states.includes(state))
    .map(({ host }) => {
      const systemId = reports.find((one) => one.host === host)?.report.systemId;
      const id = systemId === undefined ? undefined : managers.workers.get(systemId);
      return systemId === undefined || id === undefined ? undefined : ([systemId, id] as const);
    });
}

/** Lists the jobs that started on the given managers; undefined if they cannot be listed. */
async function jobsBegunOn(
  { ports }: StageContext,
  { id }: Registration,
  systemIds: readonly string[],
): Promise<readonly WorkSign[] | undefined> {
  try {
    const found = await inParallel(systemIds, (one) => ports.registry.listBegunJobs(id, one));
    const jobs = found.flatMap((one) => (one.kind === 'found' ? one.value : []));
    return jobs.flatMap((job) => signOfJob(job, ports.clock.now()));
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return undefined;
  }
}
