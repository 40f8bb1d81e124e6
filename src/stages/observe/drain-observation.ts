import { shardEntry } from '../../domain/deployment/record.ts';
import type { DrainObservation, HostReading } from '../../domain/drain/drain-check.ts';
import { formatStates, type Instance, isDead } from '../../domain/instance.ts';
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
  sources: ShardSources = openShardSources(context, shard),
): Promise<DrainObservation> {
  const { ports, journal } = context;
  const { registration: id } = shardEntry(journal.current(), shard);
  const at = ports.clock.elapsed();
  const hosts = await listHostReadings(context, shard, sources);
  const whereabouts = await findMissingMachines(sources, hosts);
  // Jobs first: if the runner is then read as paused, no job is assigned after this check.
  const own = id === undefined ? [] : await sources.jobs(id);
  const registration = reportedBy(id === undefined ? undefined : await sources.registration(id));
  const others = await findOthers(sources);
  const otherFacts = {
    ...(others.length === 0 ? {} : { others }),
    jobs: others.flatMap((other) => other.jobs),
  };
  if (id === undefined) return { at, registration, ...otherFacts, hosts, ...whereabouts };
  const listed = [...own, ...otherFacts.jobs];
  const sight =
    ports.registry.traits.idleSource === 'counts' &&
    !whereabouts.hostsGone &&
    needsSight({ registration, jobs: own, hosts })
      ? { sight: await ports.registry.readSight(id) }
      : {};
  return { at, registration, ...otherFacts, jobs: listed, ...sight, hosts, ...whereabouts };
}

/** Decides whether an empty job list needs another source, because one is missing. */
function needsSight({
  registration,
  jobs,
  hosts,
}: Pick<DrainObservation, 'registration' | 'jobs' | 'hosts'>): boolean {
  if (registration.kind === 'gone' || jobs.length > 0) return false;
  const isUnresponsive = hosts.length === 0 || hosts.some(({ kind }) => kind === 'silent');
  return isUnresponsive || registration.execution === 'unknown';
}

export async function listHostReadings(
  context: StageContext,
  shard: Shard,
  sources: ShardSources = openShardSources(context, shard),
): Promise<readonly HostReading[]> {
  if (context.settings.host.access === 'none') return [];
  try {
    const words = await inParallel(await sources.hosts(), async ({ id, agent }) =>
      agent === 'lost'
        ? unresponsive(id, 'the SSM agent does not respond')
        : wordOf(id, async () => (await sources.report(id)).report),
    );
    const unheard = words.filter(({ kind }) => kind === 'silent').map(({ host }) => host);
    const ended = await findEnded(sources, unheard);
    return words.filter(({ host }) => !ended.has(host));
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return [unresponsive('(all)', error.message)];
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
  request: () => ReturnType<RunnerHost['look']>,
): Promise<HostReading> {
  try {
    const report = await request();
    if (report.kind === 'silent') return unresponsive(host, report.reason);
    const ended = report.process === 'stopped' || report.process === 'absent';
    if (ended && !report.restarts) return { kind: 'stopped', host };
    if (report.jobs === undefined)
      return unresponsive(
        host,
        report.listener === 'off'
          ? 'its runner exposes no metrics endpoint (listen_address in its config.toml), so its job list is unavailable'
          : 'its job list does not respond',
      );
    return { kind: 'jobs', host, count: report.jobs.length };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return unresponsive(host, error.message);
  }
}

function unresponsive(host: string, reason: string): HostReading {
  return { kind: 'silent', host, reason };
}

/**
 * Decides whether every machine is gone, which two sources must confirm. No host is listed, and
 * either Terraform reports that nothing exists, or EC2 reports every instance with the shard's name
 * as terminated. An empty EC2 list proves nothing. `whereUnasked` returns the reason for callers
 * that continue if the infrastructure cannot be queried.
 */
export async function findMissingMachines(
  sources: ShardSources,
  hosts: readonly HostReading[],
  whereUnasked: (error: unknown) => string = fail,
): Promise<Pick<DrainObservation, 'hostsGone' | 'noHostListed' | 'noMachineListed' | 'machines'>> {
  const { settings } = sources.context;
  if (settings.host.access === 'none' || hosts.length > 0) return { hostsGone: false };
  let unqueried: string | undefined;
  const exists = await sources.infrastructure().catch((error: unknown) => {
    unqueried = whereUnasked(error);
    return 'unknown' as const;
  });
  if (exists === 'absent') return { hostsGone: true };
  const instances = await listInstances(sources);
  const hostsGone = instances !== undefined && instances.length > 0 && instances.every(isDead);
  return {
    hostsGone,
    noHostListed: exists === 'unknown',
    ...(instances?.length === 0 ? { noMachineListed: true } : {}),
    machines: `Systems Manager lists no responding host, ${describeInfrastructure(exists, unqueried)}, and ${describeInstances(instances)}`,
  };
}

function describeInfrastructure(exists: 'present' | 'unknown', unqueried?: string): string {
  if (unqueried !== undefined) return `the infrastructure ${unqueried}`;
  return exists === 'present'
    ? 'the infrastructure still exists'
    : 'it is unknown whether the infrastructure exists';
}

function describeInstances(instances: readonly Instance[] | undefined): string {
  if (instances === undefined) return 'EC2 returned no list of instances';
  return instances.length === 0
    ? 'EC2 lists no instance'
    : `EC2 reports: ${formatStates(instances)}`;
}

function fail(error: unknown): never {
  throw error;
}
