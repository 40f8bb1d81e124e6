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
  /** How old these signs make the proof that the shard accepts jobs; undefined if they prove nothing. */
  readonly proofAge: (signs: readonly WorkSign[]) => number | undefined;
}

type Managers = ReadonlyMap<string, number>;

/**
 * A job proves the process that it began on: the manager that took it may be gone, and the one that runs may
 * never have taken any. Where nobody tells on which one it began, it stands for all of them.
 */
export async function attributeToManagers(
  context: StageContext,
  signs: readonly SignOfWork[],
  where: Where,
): Promise<readonly WorkSign[]> {
  const { registration, hosts } = where;
  const running = runningManagers(where);
  if (registration === undefined || hosts.kind !== 'seen' || running === undefined) return signs;
  const untold = signs.filter(isUntold);
  const begunOn = (managers: Managers) =>
    untold.length > 0 ? jobsBegunOn(context, registration, [...managers.keys()]) : undefined;
  // Where nobody is silent, whatever is of none that runs proves nothing anyway.
  const isAnySilent = hosts.processes.some(({ state }) => state === 'silent');
  const barred: Managers = isAnySilent ? excludedManagers(where) : new Map();
  const { manager } = wordsOf(context);
  const at = (sign: SignOfWork, place: WorkSign['elsewhere']): WorkSign => {
    if (place === undefined) return sign;
    const on = place === 'ended' ? `on a ${manager} that takes none` : `on no ${manager} that runs`;
    return { ...sign, what: `${sign.what}, ${on},`, elsewhere: place };
  };
  const told = signs
    .filter((sign) => !isUntold(sign))
    .map((sign) => at(sign, placeOf(sign.workers ?? [], running, barred)));
  const proofAge = where.proofAge(told);
  // A job that began before what proves it already adds nothing to the proof.
  if (proofAge !== undefined && untold.every(({ ageMs }) => ageMs >= proofAge)) return told;
  const [theirs, others] = [await begunOn(running), await begunOn(barred)];
  const placed = [
    ...told,
    ...untold.map((sign) => at(sign, placeOfJob(sign, { running, theirs, others }))),
  ];
  const listed = new Set(signs.map(({ what }) => what));
  return [...placed, ...(theirs ?? []).filter(({ what }) => !listed.has(what))];
}

/** A job of which the registry has not said on which manager it began. */
function isUntold({ kind, workers }: SignOfWork): boolean {
  return kind === 'job' && workers === undefined;
}

function placeOfJob(
  { what }: WorkSign,
  {
    running,
    theirs,
    others,
  }: {
    running: Managers;
    theirs: readonly WorkSign[] | undefined;
    others: readonly WorkSign[] | undefined;
  },
): WorkSign['elsewhere'] {
  const isAmong = (signs: readonly WorkSign[]) => signs.some((one) => one.what === what);
  if (theirs !== undefined && isAmong(theirs)) return undefined;
  if (others !== undefined && isAmong(others)) return 'ended';
  return running.size > 0 && theirs !== undefined ? 'unseen' : undefined;
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

/** By system id; undefined where one of them does not say who it is, as any job may be its own. */
function runningManagers(where: Where): Managers | undefined {
  const named = managersOf(where, ['runs']);
  return named.includes(undefined) ? undefined : new Map(named.filter((one) => one !== undefined));
}

/** Of those that take no job by their own word, whoever says who it is. */
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

/** Undefined where that cannot be listed: then nobody tells. */
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
