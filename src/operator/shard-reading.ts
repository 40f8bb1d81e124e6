import type { DeploymentRecord } from '../domain/deployment/record.ts';
import {
  answerOf,
  type HostWordOf,
  type RegistrationFacts,
  type ShardSnapshot,
  tellTrouble,
} from '../domain/doctor/stack-facts.ts';
import { type Service, unansweredService } from '../domain/health/service-verdict.ts';
import { isDead } from '../domain/instance.ts';
import type { Registration } from '../domain/registration.ts';
import { answerOr, isPortFailure } from '../ports/failure.ts';
import type { Host } from '../ports/runner-host.ts';
import { allSettledOrThrow, inParallel } from '../stages/context/parallel.ts';
import { checkService, checkServiceOnce } from '../stages/observe/shard/service-watch.ts';
import type { SharedLook } from '../stages/observe/shard-look.ts';
import { findTokenExpiry } from '../stages/steps/health/token-expiry-search.ts';
import { findVersionExpiries } from '../stages/steps/health/version-expiry-search.ts';
import { readFact } from './fact-read.ts';

/** By every source that `status` and `doctor` tell of, each asked beside the others. */
export async function readShardSnapshot(
  look: SharedLook,
  record: DeploymentRecord | undefined,
  { atOnce }: { readonly atOnce: boolean },
): Promise<ShardSnapshot> {
  const { context, shard } = look;
  const [registered, hosts, service] = await allSettledOrThrow(
    () => readRegistered(look, record),
    () => readFact(context, () => readHosts(look)),
    () => readService(look, atOnce),
  );
  return { shard, ...registered, hosts, service };
}

async function readRegistered(
  look: SharedLook,
  record: DeploymentRecord | undefined,
): Promise<Pick<ShardSnapshot, 'registrations' | 'tokenEndings' | 'endings'>> {
  const { context } = look;
  const registrations = await readFact(context, async () =>
    inParallel(await look.registrations(), (one) => withDetails(look, one)),
  );
  const listed = answerOf(registrations) ?? [];
  const [tokenEndings, endings] = await allSettledOrThrow(
    () => readFact(context, () => listTokenEndings(look, record, listed)),
    () => readEndings(look, listed),
  );
  return { registrations, tokenEndings, ...endings };
}

async function withDetails(
  look: SharedLook,
  registration: Registration,
): Promise<RegistrationFacts> {
  const { id } = registration;
  const [managers, jobs] = await allSettledOrThrow(
    () => readFact(look.context, () => look.workers(id)),
    () => readFact(look.context, () => look.jobs(id)),
  );
  return { ...registration, managers, jobs };
}

async function listTokenEndings(
  { context }: SharedLook,
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

/** Asked only where a registry ends versions, and of versions that are there. */
async function readEndings(
  { context }: SharedLook,
  listed: readonly RegistrationFacts[],
): Promise<Pick<ShardSnapshot, 'endings'>> {
  const workers = listed.flatMap((one) => answerOf(one.managers) ?? []);
  if (context.ports.registry.traits.registrationsPer === 'shard' || workers.length === 0) return {};
  const endings = await readFact(context, async () =>
    (await findVersionExpiries(context, workers)).map(({ text }) => text),
  );
  return { endings };
}

/** Systems Manager lists a machine for minutes after its end, as online. Whoever cannot ask EC2 is shown all. */
async function readHosts(look: SharedLook): Promise<readonly HostWordOf[]> {
  if (look.context.settings.host.access === 'none') return [];
  const hosts = await look.hosts();
  const instances = hosts.length === 0 ? [] : await answerOr(look.instances, []);
  const dead = new Set(instances.filter(isDead).map(({ id }) => id));
  const present = hosts.filter(({ id }) => !dead.has(id));
  return inParallel(present, (host) => readHost(look, host));
}

/** Run Command is more than reading: who may not send one sees everything but the host's own word. */
async function readHost(look: SharedLook, { id, agent }: Host): Promise<HostWordOf> {
  const silent = { id, agent, jobs: 'unknown' as const, log: [] };
  if (agent === 'lost') return { ...silent, process: 'not known: its agent is lost' };
  try {
    const { report } = await look.report(id);
    if (report.kind === 'silent') return { ...silent, process: `not known: ${report.reason}` };
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
    return { ...silent, process: `not known: ${error.detail}` };
  }
}

async function readService(look: SharedLook, atOnce: boolean): Promise<Service> {
  const { context, shard } = look;
  const judge = atOnce ? checkServiceOnce : checkService;
  const asked = await readFact(context, () => judge(context, shard, { seen: look }));
  return asked.kind === 'read' ? asked.value : unansweredService(tellTrouble(asked.trouble));
}
