import type { HostsWord, WorkSign } from '../../domain/health/service-look.ts';
import { areOurCredentialsOut, isPortFailure } from '../../ports/failure.ts';
import type { Registration } from '../../ports/registry.ts';
import { type StageContext, wordsOf } from '../walk/context.ts';
import { inParallel } from '../walk/in-parallel.ts';
import type { SeenManagers } from './whose-hosts.ts';
import { type Report, type SignOfWork, signOfJob } from './work-signs.ts';

interface Where {
  readonly registration: Registration | undefined;
  readonly managers: SeenManagers;
  readonly hosts: HostsWord;
  readonly reports: readonly Report[];
}

/**
 * A job proves the process that it began on: the manager that took it may be gone, and the one that runs may
 * never have taken any. Where nobody tells on which one it began, it stands for all of them.
 */
export async function byTheirManagers(
  context: StageContext,
  signs: readonly SignOfWork[],
  { registration, managers, hosts, reports }: Where,
): Promise<readonly WorkSign[]> {
  const running = runningManagers({ managers, hosts, reports });
  if (registration === undefined || running.size === 0) return signs;
  const isTheirs = (workers: readonly number[]) =>
    workers.length === 0 || [...running.values()].some((id) => workers.includes(id));
  const { manager } = wordsOf(context);
  const elsewhere = (sign: SignOfWork): WorkSign => ({
    ...sign,
    what: `${sign.what}, on no ${manager} that runs,`,
    elsewhere: true,
  });
  const isOfAny = ({ kind, workers }: SignOfWork) => kind === 'job' && workers === undefined;
  const theirs = signs.some(isOfAny)
    ? await jobsBegunOn(context, registration, [...running.keys()])
    : undefined;
  const isTold = ({ what }: WorkSign) => theirs?.some((one) => one.what === what) === true;
  const isOthers = (sign: SignOfWork) =>
    sign.workers === undefined
      ? isOfAny(sign) && theirs !== undefined && !isTold(sign)
      : !isTheirs(sign.workers);
  const listed = new Set(signs.map(({ what }) => what));
  return [
    ...signs.map((sign) => (isOthers(sign) ? elsewhere(sign) : sign)),
    ...(theirs ?? []).filter(({ what }) => !listed.has(what)),
  ];
}

/** By system id; empty as well where one of them does not say who it is, as any job may be its own. */
function runningManagers({
  managers,
  hosts,
  reports,
}: Omit<Where, 'registration'>): ReadonlyMap<string, number> {
  const processes = hosts.kind === 'seen' ? hosts.processes : [];
  const running = new Map<string, number>();
  for (const { host, state } of processes) {
    if (state !== 'runs') continue;
    const systemId = reports.find((one) => one.host === host)?.report.systemId;
    const id = systemId === undefined ? undefined : managers.workers.get(systemId);
    if (systemId === undefined || id === undefined) return new Map();
    running.set(systemId, id);
  }
  return running;
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
    if (!isPortFailure(error) || areOurCredentialsOut(error)) throw error;
    return undefined;
  }
}
