import type { DeploymentRecord } from '../domain/deployment/record.ts';
import {
  answerOf,
  formatTrouble,
  type HostReadingOf,
  type RegistrationFacts,
  type ShardSnapshot,
} from '../domain/doctor/stack-facts.ts';
import { type Service, unansweredService } from '../domain/health/service-verdict.ts';
import { isDead } from '../domain/instance.ts';
import type { Registration } from '../domain/registration.ts';
import { answerOr, isPortFailure } from '../ports/failure.ts';
import type { Host } from '../ports/runner-host.ts';
import { allSettledOrThrow, inParallel } from '../stages/context/parallel.ts';
import { checkService, checkServiceOnce } from '../stages/observe/shard/service-watch.ts';
import type { ShardSources } from '../stages/observe/shard-sources.ts';
import { findTokenExpiry } from '../stages/steps/healthcheck/token-expiry-search.ts';
import { findVersionExpiries } from '../stages/steps/healthcheck/version-expiry-search.ts';
import { readFact } from './fact-read.ts';

/** Reads all sources of a shard for `status` and `doctor`, in parallel. */
export async function readShardSnapshot(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
  { atOnce }: { readonly atOnce: boolean },
): Promise<ShardSnapshot> {
  const { context, shard } = sources;
  const [registered, hosts, service] = await allSettledOrThrow(
    () => readRegistered(sources, record),
    () => readFact(context, () => readHosts(sources)),
    () => readService(sources, atOnce),
  );
  return { shard, ...registered, hosts, service };
}

async function readRegistered(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
): Promise<Pick<ShardSnapshot, 'registrations' | 'tokenEndings' | 'endings'>> {
  const { context } = sources;
  const registrations = await readFact(context, async () =>
    inParallel(await sources.registrations(), (one) => withDetails(sources, one)),
  );
  const listed = answerOf(registrations) ?? [];
  const [tokenEndings, endings] = await allSettledOrThrow(
    () => readFact(context, () => listTokenEndings(sources, record, listed)),
    () => readEndings(sources, listed),
  );
  return { registrations, tokenEndings, ...endings };
}

async function withDetails(
  sources: ShardSources,
  registration: Registration,
): Promise<RegistrationFacts> {
  const { id } = registration;
  const [managers, jobs] = await allSettledOrThrow(
    () => readFact(sources.context, () => sources.workers(id)),
    () => readFact(sources.context, () => sources.jobs(id)),
  );
  return { ...registration, managers, jobs };
}

async function listTokenEndings(
  { context }: ShardSources,
  record: DeploymentRecord | undefined,
  listed: readonly Registration[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id } of listed) {
    const ending = await findTokenExpiry(context, record, id);
    if (ending !== undefined) found.push(ending.text);
  }
  return found;
}

/** Reads the ends of support of the versions in use, if the registry ends versions. */
async function readEndings(
  { context }: ShardSources,
  listed: readonly RegistrationFacts[],
): Promise<Pick<ShardSnapshot, 'endings'>> {
  const workers = listed.flatMap((one) => answerOf(one.managers) ?? []);
  if (context.ports.registry.traits.registrationsPer === 'shard' || workers.length === 0) return {};
  const endings = await readFact(context, async () =>
    (await findVersionExpiries(context, workers)).map(({ text }) => text),
  );
  return { endings };
}

/**
 * Lists the present hosts. Systems Manager lists a machine as online for minutes after its end.
 * Without access to EC2, all hosts are shown.
 */
async function readHosts(sources: ShardSources): Promise<readonly HostReadingOf[]> {
  if (sources.context.settings.host.access === 'none') return [];
  const hosts = await sources.hosts();
  const instances = hosts.length === 0 ? [] : await answerOr(sources.instances, []);
  const dead = new Set(instances.filter(isDead).map(({ id }) => id));
  const present = hosts.filter(({ id }) => !dead.has(id));
  return inParallel(present, (host) => readHost(sources, host));
}

/**
 * Reads one host. Run Command needs more than read permissions; without it, everything except the
 * host's report is shown.
 */
async function readHost(sources: ShardSources, { id, agent }: Host): Promise<HostReadingOf> {
  const unresponsive = { id, agent, jobs: 'unknown' as const, log: [] };
  if (agent === 'lost') return { ...unresponsive, process: 'not known: its agent is lost' };
  try {
    const { report } = await sources.report(id);
    if (report.kind === 'silent')
      return { ...unresponsive, process: `not known: ${report.reason}` };
    const { process, jobs = 'unknown', clockOffMs, hostTimeMs, log } = report;
    return {
      id,
      agent,
      process,
      jobs,
      log,
      ...(clockOffMs === undefined ? {} : { clockOffMs }),
      ...(hostTimeMs === undefined ? {} : { hostTimeMs }),
    };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { ...unresponsive, process: `not known: ${error.detail}` };
  }
}

async function readService(sources: ShardSources, atOnce: boolean): Promise<Service> {
  const { context, shard } = sources;
  const judge = atOnce ? checkServiceOnce : checkService;
  const reading = await readFact(context, () => judge(context, shard, { seen: sources }));
  return reading.kind === 'read'
    ? reading.value
    : unansweredService(formatTrouble(reading.trouble));
}
