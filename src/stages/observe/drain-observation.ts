import { shardEntry } from '../../domain/deployment/record.ts';
import type { DrainObservation, HostReading } from '../../domain/drain/drain-check.ts';
import { formatStates, isDead } from '../../domain/instance.ts';
import { type Registration, takesNoNewJob } from '../../domain/registration.ts';
import type { Shard } from '../../domain/shard.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import type { ReadAge } from '../../ports/registry.ts';
import type { CheckLimit, RunnerHost } from '../../ports/runner-host.ts';
import type { StageContext } from '../context/context.ts';
import { inParallel } from '../context/parallel.ts';
import { findOthers } from './foreign-runner-search.ts';
import { findEnded, listInstances } from './host-ends.ts';
import { findRegistration } from './observe.ts';
import { openShardSources, type ShardSources } from './shard-sources.ts';

/** Reads the shard's runner. An aged response can only confirm that it is still paused. */
export async function readShardRegistration(
  context: StageContext,
  shard: Shard,
  age?: ReadAge,
): Promise<DrainObservation['registration']> {
  const { registration: id } = shardEntry(context.journal.current(), shard);
  const found = id === undefined ? undefined : await findRegistration(context, id, age);
  const isPaused = found !== undefined && takesNoNewJob(found);
  if (age !== undefined && !isPaused) return readShardRegistration(context, shard);
  return reportedBy(found);
}

function reportedBy(found: Registration | undefined): DrainObservation['registration'] {
  if (found === undefined) return { kind: 'gone' };
  return { kind: 'seen', paused: takesNoNewJob(found), execution: found.execution };
}

/** Reads both sources in parallel: GitLab's runner and jobs, and each host's report. */
export async function observeDrain(
  context: StageContext,
  shard: Shard,
  look: ShardSources = openShardSources(context, shard),
): Promise<DrainObservation> {
  const { ports, journal } = context;
  const { registration: id } = shardEntry(journal.current(), shard);
  const at = ports.clock.elapsed();
  const hosts = await listHostReadings(context, shard, look);
  const whereabouts = await findMissingMachines(look, hosts);
  // Jobs first: if the runner is then read as paused, no job is assigned after this check.
  const own = id === undefined ? [] : await look.jobs(id);
  const registration = reportedBy(id === undefined ? undefined : await look.registration(id));
  const others = await findOthers(look);
  const theirs = {
    ...(others.length === 0 ? {} : { others }),
    jobs: others.flatMap((other) => other.jobs),
  };
  if (id === undefined) return { at, registration, ...theirs, hosts, ...whereabouts };
  const listed = [...own, ...theirs.jobs];
  const sight =
    ports.registry.traits.idleSource === 'counts' &&
    !whereabouts.hostsGone &&
    needsSight({ registration, jobs: own, hosts })
      ? { sight: await ports.registry.readSight(id) }
      : {};
  return { at, registration, ...theirs, jobs: listed, ...sight, hosts, ...whereabouts };
}

/** Decides whether an empty job list needs another source, because one is missing. */
function needsSight({
  registration,
  jobs,
  hosts,
}: Pick<DrainObservation, 'registration' | 'jobs' | 'hosts'>): boolean {
  if (registration.kind === 'gone' || jobs.length > 0) return false;
  const isSilent = hosts.length === 0 || hosts.some(({ kind }) => kind === 'silent');
  return isSilent || registration.execution === 'unknown';
}

export async function listHostReadings(
  context: StageContext,
  shard: Shard,
  look: ShardSources = openShardSources(context, shard),
): Promise<readonly HostReading[]> {
  if (context.settings.host.access === 'none') return [];
  try {
    const words = await inParallel(await look.hosts(), async ({ id, agent }) =>
      agent === 'lost'
        ? silent(id, 'its agent does not respond')
        : wordOf(id, async () => (await look.report(id)).report),
    );
    const unheard = words.filter(({ kind }) => kind === 'silent').map(({ host }) => host);
    const ended = await findEnded(look, unheard);
    return words.filter(({ host }) => !ended.has(host));
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return [silent('(all)', error.message)];
  }
}

export function checkHost(
  { ports }: StageContext,
  host: string,
  limit: CheckLimit,
): Promise<HostReading> {
  return wordOf(host, () => ports.host.look(host, limit));
}

async function wordOf(
  host: string,
  ask: () => ReturnType<RunnerHost['look']>,
): Promise<HostReading> {
  try {
    const report = await ask();
    if (report.kind === 'silent') return silent(host, report.reason);
    const ended = report.process === 'stopped' || report.process === 'absent';
    if (ended && !report.restarts) return { kind: 'stopped', host };
    if (report.jobs === undefined)
      return silent(
        host,
        report.listener === 'off'
          ? 'its runner exposes no metrics endpoint (listen_address in its config.toml), so its job list is unavailable'
          : 'its job list does not respond',
      );
    return { kind: 'jobs', host, count: report.jobs.length };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return silent(host, error.message);
  }
}

function silent(host: string, reason: string): HostReading {
  return { kind: 'silent', host, reason };
}

/**
 * Decides whether every machine is gone, which two sources must confirm. No host is listed, and
 * either Terraform reports that nothing exists, or EC2 reports every instance with the shard's name
 * as terminated. An empty EC2 list proves nothing. `whereUnasked` returns the reason for callers
 * that continue if the infrastructure cannot be queried.
 */
export async function findMissingMachines(
  look: ShardSources,
  hosts: readonly HostReading[],
  whereUnasked: (error: unknown) => string = fail,
): Promise<Pick<DrainObservation, 'hostsGone' | 'noHostListed' | 'noMachineListed' | 'machines'>> {
  const { settings } = look.context;
  if (settings.host.access === 'none' || hosts.length > 0) return { hostsGone: false };
  let said: string | undefined;
  const exists = await look.infrastructure().catch((error: unknown) => {
    said = whereUnasked(error);
    return 'unknown' as const;
  });
  if (exists === 'absent') return { hostsGone: true };
  const instances = await listInstances(look);
  const hostsGone = instances !== undefined && instances.length > 0 && instances.every(isDead);
  const words = instances === undefined ? undefined : formatStates(instances);
  return {
    hostsGone,
    noHostListed: exists === 'unknown',
    ...(instances?.length === 0 ? { noMachineListed: true } : {}),
    machines: `Systems Manager lists no responding host, the infrastructure ${said ?? `is ${exists}`}, and EC2 reports: ${words === undefined ? 'nothing' : words || 'none'}`,
  };
}

function fail(error: unknown): never {
  throw error;
}
