import { shardEntry } from '../../../domain/deployment/record.ts';
import type { HostsReading, ProcessReading } from '../../../domain/health/service-observation.ts';
import { formatStates, isDead, mayRun } from '../../../domain/instance.ts';
import { isDeployError } from '../../../errors/deploy-error.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { Host, HostReport } from '../../../ports/runner-host.ts';
import { recordOf } from '../../context/context.ts';
import { withTimeout } from '../../context/timeout.ts';
import { findMissingMachines } from '../drain-observation.ts';
import { findEnded, listInstances } from '../host-ends.ts';
import { listHosts } from '../observe.ts';
import type { ShardSources } from '../shard-sources.ts';
import type { Counted, Report } from './work-signs.ts';

export const noHost = 'no host is listed';

interface HostStates {
  readonly word: HostsReading;
  readonly reports: readonly Report[];
}

/** Reads the process states from the shard's hosts, and from EC2 for hosts that do not respond. */
export async function readHostStates(
  sources: ShardSources,
  counts: Map<string, Counted>,
  limitMs?: number,
): Promise<HostStates> {
  const states = readHostReports(sources, counts);
  if (limitMs === undefined) return states;
  // A hanging host takes 90 seconds to time out. The other reports are useful without it.
  const late = () => unknownHosts('its hosts did not respond in time');
  return withTimeout(states, { clock: sources.context.ports.clock, limitMs, late });
}

async function readHostReports(
  sources: ShardSources,
  counts: Map<string, Counted>,
): Promise<HostStates> {
  const { context, shard } = sources;
  if (context.settings.host.access === 'none')
    return { word: await readWithoutHosts(sources), reports: [] };
  const hosts = await listHosts(context, shard, sources);
  if ('unknown' in hosts) return unknownHosts(`the hosts cannot be listed: ${hosts.unknown}`);
  if (hosts.length === 0) return readMachines(sources, noHost);
  const { registration } = shardEntry(recordOf(context), shard);
  const listed = await Promise.all(hosts.map((host) => readHost(sources, registration, host)));
  const unresponsive = listed.filter(({ seen }) => seen === undefined).map(({ host }) => host);
  const ended = await findEnded(sources, unresponsive);
  const remaining = listed.filter(({ host }) => !ended.has(host));
  if (remaining.length === 0)
    return readMachines(sources, `${unresponsive.join(', ')} is listed and does not respond`);
  const readings = remaining.map(({ host, seen, detail }) =>
    seen === undefined ? unheard(host, detail) : readProcessState(host, seen.report, counts),
  );
  const processes = [...readings, ...(await readUnlisted(sources, readings))];
  const reports = remaining.flatMap(({ seen }) => seen ?? []);
  return { word: { kind: 'seen', processes }, reports };
}

function unheard(host: string, detail: string): ProcessReading {
  return { host, state: 'silent', detail, refused: false };
}

/**
 * Finds running machines that Systems Manager does not list: a machine is listed only after its
 * agent has registered. Its list alone cannot prove that every process has ended.
 */
async function readUnlisted(
  sources: ShardSources,
  readings: readonly ProcessReading[],
): Promise<readonly ProcessReading[]> {
  if (!readings.every(({ state }) => state === 'ended')) return [];
  const machines = await listInstances(sources);
  return (machines ?? [])
    .filter(({ id, state }) => mayRun(state) && !readings.some(({ host }) => host === id))
    .map(({ id, state }) =>
      unheard(id, `Systems Manager does not list this instance, but EC2 reports it as ${state}`),
    );
}

/**
 * Reads only EC2, if host access is off. Started jobs then count as evidence until their maximum
 * age, and only EC2 can report a terminated machine. An empty list proves nothing: EC2 drops
 * terminated machines.
 */
async function readWithoutHosts(sources: ShardSources): Promise<HostsReading> {
  try {
    const machines = await sources.instances();
    if (machines.length === 0 || !machines.every(isDead)) return { kind: 'not_asked' };
    return { kind: 'ended', reason: `EC2 reports its machines as ${formatStates(machines)}` };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return { kind: 'unknown', reason: `its hosts are not queried, and ${error.message}` };
  }
}

function unknownHosts(reason: string): HostStates {
  return { word: { kind: 'unknown', reason }, reports: [] };
}

/** Finds out whether any machine is left, if no host responds; `why` states the cause. */
export async function readMachines(sources: ShardSources, why: string): Promise<HostStates> {
  try {
    const { hostsGone, machines } = await findMissingMachines(sources, [], unreadableHosts);
    if (!hostsGone) return unknownHosts(machines ?? why);
    return {
      word: {
        kind: 'gone',
        reason: machines ?? `${why}, and its infrastructure is absent`,
      },
      reports: [],
    };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return unknownHosts(`${why}, and ${error.message}`);
  }
}

/**
 * Turns a failed infrastructure query into a reason. An availability check must work without
 * Terraform; a destructive step queries again and fails. A cancel is rethrown.
 */
function unreadableHosts(error: unknown): string {
  if (!isDeployError(error) || error.exitCode === 130) throw error;
  return `cannot be queried ("${error.fields.what}")`;
}

async function readHost(
  sources: ShardSources,
  registration: string | undefined,
  { id: host, agent }: Host,
): Promise<{ host: string; detail: string; seen?: Report }> {
  if (agent === 'lost') return { host, detail: 'the SSM agent does not respond' };
  try {
    const { report: word, requestedAt: queriedAt } = await sources.report(host);
    if (word.kind === 'silent') return { host, detail: word.reason };
    const report = ofRegistration(word, registration);
    return { host, detail: word.process, seen: { host, report, requestedAt: queriedAt } };
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return { host, detail: error.message };
  }
}

/** Keeps the request counts of the shard's runner only, if one process has several runners. */
function ofRegistration(report: HostReport, id: string | undefined): HostReport {
  const { requestsOf } = report;
  if (requestsOf === undefined) return report;
  const [own, ...more] = requestsOf.filter(({ registration }) => registration === id);
  const isUnique = id !== undefined && own !== undefined && more.length === 0;
  return isUnique ? { ...report, requests: own.requests } : report;
}

function readProcessState(
  host: string,
  { process, restarts, requests, requestsOf }: HostReport,
  counts: ReadonlyMap<string, Counted>,
): ProcessReading {
  const before = counts.get(host);
  // After three refusals the runner sends no request for an hour. A first report with refusals and
  // without an answered request therefore counts at once.
  const refused =
    requests !== undefined &&
    (requests.refused > 0 && requests.answered === 0
      ? true
      : before !== undefined &&
        requests.refused > before.refused &&
        requests.answered <= before.answered);
  const ofSeveral = requestsOf === undefined ? undefined : reportedBy(requests);
  return {
    host,
    state: stateOf({ process, restarts }),
    detail: `the process is ${process}`,
    refused,
    ...(ofSeveral === undefined ? {} : { ofSeveral }),
  };
}

/** Classifies the counts of the shard's runner in a process with several runners. */
function reportedBy(own: HostReport['requests']): ProcessReading['ofSeveral'] {
  if (own === undefined) return 'unidentified';
  return own.answered === 0 && own.byRouter !== true ? 'no_answer' : undefined;
}

/**
 * Maps a process to its state. A process that is stopping or starting takes no job now and may
 * still have one.
 */
function stateOf({
  process,
  restarts,
}: Pick<HostReport, 'process' | 'restarts'>): ProcessReading['state'] {
  if (process === 'running') return 'runs';
  if (process === 'unknown') return 'silent';
  const hasEnded = process === 'stopped' || process === 'absent';
  return hasEnded && !restarts ? 'ended' : 'unready';
}
