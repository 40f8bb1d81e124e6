import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { tokenLifeMs } from '../../domain/deployment/renewal.ts';
import {
  answerOf,
  type HostWordOf,
  type Read,
  type RegistrationFacts,
  type ShardFacts,
} from '../../domain/doctor/stack-facts.ts';
import { requestWithinMs, type Service } from '../../domain/health/service-verdict.ts';
import { isDead } from '../../domain/instance.ts';
import { notInState } from '../../domain/plan/aws-resource.ts';
import type { Registration } from '../../domain/registration.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { Host } from '../../ports/runner-host.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { allSettledOrThrow, inParallel } from '../../stages/context/parallel.ts';
import { contactAge, whyEndedUnasked } from '../../stages/observe/host-ends.ts';
import type { Mutex } from '../../stages/record/mutex.ts';
import { findToken } from '../../stages/record/token.ts';
import { findTokenExpiry } from '../../stages/steps/health/token-expiry-search.ts';
import { findVersionExpiries } from '../../stages/steps/health/version-expiry-search.ts';
import { readFact } from './fact-read.ts';

interface Asking {
  readonly record: DeploymentRecord | undefined;
  readonly service: () => Promise<Service>;
  /** One for all shards of the stack. */
  readonly building: Mutex;
}

/** One shard by every source that there is, each asked beside the others. */
export async function gatherShard(
  context: StageContext,
  shard: Shard,
  { record, service, building }: Asking,
): Promise<ShardFacts> {
  const { ports, settings } = context;
  const place = { runnerName: settings.runnerName, shard };
  const [registered, built, instances, hosts, ended, judged, token] = await allSettledOrThrow(
    () => gatherRegistered(context, shard, record),
    () => gatherBuilt(context, shard, building),
    () => readFact(() => ports.instances.list(place)),
    () => askHosts(context, shard),
    () => readFact(() => askEnded(context, shard, shardEntry(record, shard).registration)),
    service,
    () => askToken(context, shard),
  );
  const present = withoutEnded(hosts, instances);
  const seen = { shard, service: judged, instances, hosts: present, ended };
  return { ...seen, ...registered, ...built, ...token };
}

async function gatherRegistered(
  context: StageContext,
  shard: Shard,
  record: DeploymentRecord | undefined,
): Promise<Pick<ShardFacts, 'registrations' | 'recorded' | 'tokenEndings' | 'endings'>> {
  const recorded = shardEntry(record, shard).registration;
  const { registrations, state } = await askRegistrations(context, shard, recorded);
  const [tokenEndings, endings] = await allSettledOrThrow(
    () => readFact(() => listTokenEndings(context, record, registrations)),
    () => askEndings(context, registrations),
  );
  return {
    registrations,
    ...(state === undefined ? {} : { recorded: state }),
    tokenEndings,
    ...endings,
  };
}

/** One after the other, of all shards: each may be Terraform's word, which is had from one folder. */
async function gatherBuilt(
  context: StageContext,
  shard: Shard,
  building: Mutex,
): Promise<Pick<ShardFacts, 'infrastructure' | 'known' | 'leftovers'>> {
  const { ports, settings } = context;
  const place = { runnerName: settings.runnerName, shard };
  const infrastructure = await building(() => orUnknown(() => ports.infrastructure.exists(place)));
  const known = await building(() => orUnknown(() => ports.infrastructure.listKnown(place)));
  return {
    infrastructure,
    known,
    ...(await askLeftovers(context, shard, { infrastructure, known })),
  };
}

/** By the rules that the commands go by, so that what is printed is not refused. */
async function askEnded(
  context: StageContext,
  shard: Shard,
  registration: RegistrationId | undefined,
): Promise<{ readonly silent: boolean } | undefined> {
  if ((await whyEndedUnasked(context, shard, registration)) === undefined) return undefined;
  const ageMs = registration === undefined ? undefined : await contactAge(context, registration);
  return { silent: ageMs !== undefined && ageMs > requestWithinMs };
}

async function askToken(
  { ports, names }: StageContext,
  shard: Shard,
): Promise<Pick<ShardFacts, 'token' | 'tokenEndedMs'>> {
  let ageMs = 0;
  const token = await readFact(async () => {
    const found = await findToken(ports.parameters, names.token(shard));
    if (found === undefined) return 'absent';
    ageMs = ports.clock.now() - Date.parse(found.modifiedAt);
    return 'present';
  });
  const ends = ports.registry.traits.tokens === 'expiring' && ageMs >= tokenLifeMs;
  return { token, ...(ends ? { tokenEndedMs: ageMs } : {}) };
}

async function listTokenEndings(
  context: StageContext,
  record: DeploymentRecord | undefined,
  registrations: ShardFacts['registrations'],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id } of answerOf(registrations) ?? []) {
    const ending = await findTokenExpiry(context, record, id);
    if (ending !== undefined) found.push(ending.text);
  }
  return found;
}

/** Asked only where a registry ends versions, and of versions that are there. */
async function askEndings(
  context: StageContext,
  registrations: ShardFacts['registrations'],
): Promise<Pick<ShardFacts, 'endings'>> {
  const workers = (answerOf(registrations) ?? []).flatMap((one) => answerOf(one.managers) ?? []);
  if (context.ports.registry.traits.registrationsPer === 'shard' || workers.length === 0) return {};
  return {
    endings: await readFact(async () =>
      (await findVersionExpiries(context, workers)).map(({ text }) => text),
    ),
  };
}

async function askRegistrations(context: StageContext, shard: Shard, recorded: string | undefined) {
  const { ports, settings } = context;
  const place = { runnerName: settings.runnerName, shard };
  let state: 'absent' | 'present' | undefined;
  const registrations = await readFact(async () => {
    const found = [...(await ports.registry.findByShard(place))];
    if (recorded !== undefined && !found.some(({ id }) => id === recorded)) {
      const one = await ports.registry.find(recorded as Registration['id']);
      state = one.kind === 'found' ? 'present' : 'absent';
      if (one.kind === 'found') found.push(one.value);
    }
    return inParallel(found, (one) => withDetails(context, one));
  });
  return { registrations, state };
}

async function withDetails(
  { ports }: StageContext,
  registration: Registration,
): Promise<RegistrationFacts> {
  const { id } = registration;
  const [managers, jobs] = await allSettledOrThrow(
    () =>
      readFact(async () => {
        const found = await ports.registry.listWorkers(id);
        return found.kind === 'found' ? found.value : [];
      }),
    () =>
      readFact(async () => {
        const found = await ports.registry.listJobs(id);
        return found.kind === 'found' ? found.value : [];
      }),
  );
  return { ...registration, managers, jobs };
}

/** Without the driver's word nobody can tell what is left from what is used. */
async function askLeftovers(
  { ports, settings }: StageContext,
  shard: Shard,
  { infrastructure, known }: Pick<ShardFacts, 'infrastructure' | 'known'>,
): Promise<Pick<ShardFacts, 'leftovers'>> {
  const ids = answerOf(infrastructure) === 'absent' ? [] : answerOf(known);
  if (settings.aws.sweep === 'off' || ids === undefined || ids === 'unknown') return {};
  const place = { runnerName: settings.runnerName, shard };
  const found = await readFact(() => ports.inventory.list(place));
  if (found.kind === 'unknown') return { leftovers: found };
  return { leftovers: { ...found, value: notInState(found.value, new Set(ids)) } };
}

async function askHosts(
  { ports, settings }: StageContext,
  shard: Shard,
): Promise<Read<readonly HostWordOf[]>> {
  if (settings.host.access === 'none') return { kind: 'read', value: [] };
  return readFact(async () => {
    const hosts = await ports.host.list({ runnerName: settings.runnerName, shard });
    return inParallel(hosts, (host) => lookAt(ports, host));
  });
}

/** Systems Manager lists a machine for minutes after its end, as online. */
function withoutEnded(
  hosts: ShardFacts['hosts'],
  instances: ShardFacts['instances'],
): ShardFacts['hosts'] {
  const dead = new Set((answerOf(instances) ?? []).filter(isDead).map(({ id }) => id));
  if (hosts.kind !== 'read') return hosts;
  return { ...hosts, value: hosts.value.filter(({ id }) => !dead.has(id)) };
}

/** Run Command is more than reading: who may not send one sees everything but the host's own word. */
async function lookAt(
  ports: Pick<StageContext['ports'], 'host'>,
  { id, agent }: Host,
): Promise<HostWordOf> {
  const silent = { id, agent, jobs: 'unknown' as const, log: [] };
  if (agent === 'lost') return { ...silent, process: 'not known: its agent is lost' };
  try {
    const report = await ports.host.look(id);
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

/** Where Terraform itself is not at hand, its state is not known, and nothing is concluded from it. */
async function orUnknown<T>(question: () => Promise<T>): Promise<Read<T | 'unknown'>> {
  try {
    return await readFact(question);
  } catch (error) {
    if (isDeployError(error)) return { kind: 'read', value: 'unknown' };
    throw error;
  }
}
