import { shardEntry } from '../../domain/deployment/record.ts';
import type { DrainLook, HostWord } from '../../domain/drain/drain.ts';
import { runsJobs } from '../../domain/drain/drain-by-hosts.ts';
import { isDead, tellStates } from '../../domain/instance.ts';
import { isClosed } from '../../domain/registration.ts';
import type { Shard } from '../../domain/shard.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { findEnded, listInstances } from '../observe/ended-hosts.ts';
import { findOthers } from '../observe/other-runners.ts';
import type { StageContext } from '../walk/context.ts';
import { inParallel } from '../walk/in-parallel.ts';

/** While a job is seen to run, everything else is asked for no more often than this. */
const wholeEveryMs = 30_000;
/** Where only a host's own word tells the end of a job, it is asked more often. */
const hostsEveryMs = 10_000;

/** Looks at one shard, as cheaply as its last word allows. */
export interface DrainWatch {
  look(): Promise<DrainLook>;
}

/**
 * A registration that says of itself that it is busy needs no second witness: one request then, until
 * it says otherwise or a whole look is due, which sees that its hosts are gone.
 */
export function watchDrain(context: StageContext, shard: Shard): DrainWatch {
  const { clock, registry } = context.ports;
  const byHosts = registry.traits.idleWord === 'proves_nothing';
  let whole: DrainLook | undefined;
  let wholeAt = 0;
  return {
    async look() {
      const everyMs = byHosts ? hostsEveryMs : wholeEveryMs;
      const isDue = whole === undefined || clock.elapsed() - wholeAt >= everyMs;
      if (
        !isDue &&
        whole !== undefined &&
        (byHosts ? whole.hosts.some(runsJobs) : isActive(whole.registration))
      ) {
        const registration = await seeRegistration(context, shard);
        const at = clock.elapsed();
        if (byHosts) return { ...whole, at, registration };
        if (isActive(registration) && registration.paused)
          return { ...whole, at, registration, hosts: [] };
      }
      wholeAt = clock.elapsed();
      whole = await lookAtDrain(context, shard);
      return whole;
    },
  };
}

async function seeRegistration(
  { ports, journal }: StageContext,
  shard: Shard,
): Promise<DrainLook['registration']> {
  const { registration: id } = shardEntry(journal.current(), shard);
  const found = id === undefined ? undefined : await ports.registry.find(id);
  return found?.kind === 'found'
    ? { kind: 'seen', paused: isClosed(found.value), execution: found.value.execution }
    : { kind: 'gone' };
}

function isActive(
  registration: DrainLook['registration'],
): registration is Extract<DrainLook['registration'], { kind: 'seen' }> {
  return registration.kind === 'seen' && registration.execution === 'active';
}

/** Both sources at once: what GitLab says of the registration and its jobs, and each host's own word. */
export async function lookAtDrain(context: StageContext, shard: Shard): Promise<DrainLook> {
  const { ports, journal } = context;
  const { registration: id } = shardEntry(journal.current(), shard);
  const at = ports.clock.elapsed();
  const hosts = await hostWords(context, shard);
  const whereabouts = await lookForHosts(context, shard, hosts);
  // Jobs before the registration: a pause that is seen now was in force for no job assigned later.
  const jobs = id === undefined ? undefined : await ports.registry.listJobs(id);
  const registration = await seeRegistration(context, shard);
  const others = await findOthers(context, shard);
  const theirs = {
    ...(others.length === 0 ? {} : { others }),
    jobs: others.flatMap((other) => other.jobs),
  };
  if (id === undefined) return { at, registration, ...theirs, hosts, ...whereabouts };
  const own = jobs?.kind === 'found' ? jobs.value : [];
  const listed = [...own, ...theirs.jobs];
  const sight =
    ports.registry.traits.idleWord === 'counts' &&
    !whereabouts.hostsGone &&
    needsSight({ registration, jobs: own, hosts })
      ? { sight: await ports.registry.readSight(id) }
      : {};
  return { at, registration, ...theirs, jobs: listed, ...sight, hosts, ...whereabouts };
}

/** An empty list settles nothing by itself where the hosts or the runner's own word are missing. */
function needsSight({
  registration,
  jobs,
  hosts,
}: Pick<DrainLook, 'registration' | 'jobs' | 'hosts'>): boolean {
  if (registration.kind === 'gone' || jobs.length > 0) return false;
  const isSilent = hosts.length === 0 || hosts.some(({ kind }) => kind === 'silent');
  return isSilent || registration.execution === 'unknown';
}

export async function hostWords(context: StageContext, shard: Shard): Promise<readonly HostWord[]> {
  const { ports, settings } = context;
  if (settings.host.access === 'none') return [];
  try {
    const hosts = await ports.host.list({ runnerName: settings.runnerName, shard });
    const words = await inParallel(hosts, async ({ id, agent }) =>
      agent === 'lost' ? silent(id, 'its agent is lost') : ask(context, id),
    );
    const unheard = words.filter(({ kind }) => kind === 'silent').map(({ host }) => host);
    const ended = await findEnded(context, shard, unheard);
    return words.filter(({ host }) => !ended.has(host));
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return [silent('(all)', error.message)];
  }
}

async function ask({ ports }: StageContext, host: string): Promise<HostWord> {
  try {
    const report = await ports.host.look(host);
    if (report.kind === 'silent') return silent(host, report.reason);
    const ended = report.process === 'stopped' || report.process === 'absent';
    if (ended && !report.restarts) return { kind: 'stopped', host };
    if (report.jobs === undefined)
      return silent(
        host,
        report.listener === 'off'
          ? 'its runner has no listener (listen_address in its config.toml), and so no list of its jobs'
          : 'its job list does not answer',
      );
    return { kind: 'jobs', host, count: report.jobs.length };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return silent(host, error.message);
  }
}

function silent(host: string, reason: string): HostWord {
  return { kind: 'silent', host, reason };
}

/**
 * Two sources again: no host in the list that answers, and the infrastructure says that nothing exists, or
 * EC2 that every instance with the shard's name is terminated. An empty list of EC2's proves nothing.
 * `whereUnasked`: what holds where the infrastructure cannot be asked, for whom that is no end.
 */
export async function lookForHosts(
  { ports, settings }: StageContext,
  shard: Shard,
  hosts: readonly HostWord[],
  whereUnasked: (error: unknown) => string = fail,
): Promise<Pick<DrainLook, 'hostsGone' | 'noHostListed' | 'noMachineListed' | 'machines'>> {
  if (settings.host.access === 'none' || hosts.length > 0) return { hostsGone: false };
  const place = { runnerName: settings.runnerName, shard };
  let said: string | undefined;
  const exists = await ports.infrastructure.exists(place).catch((error: unknown) => {
    said = whereUnasked(error);
    return 'unknown' as const;
  });
  if (exists === 'absent') return { hostsGone: true };
  const instances = await listInstances(ports, place);
  const hostsGone = instances !== undefined && instances.length > 0 && instances.every(isDead);
  const words = instances === undefined ? undefined : tellStates(instances);
  return {
    hostsGone,
    noHostListed: exists === 'unknown',
    ...(instances?.length === 0 ? { noMachineListed: true } : {}),
    machines: `Systems Manager has none that answers, the infrastructure ${said ?? `is ${exists}`}, EC2 says: ${words === undefined ? 'nothing' : words || 'none'}`,
  };
}

function fail(error: unknown): never {
  throw error;
}
