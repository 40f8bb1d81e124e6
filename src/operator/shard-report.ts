import type { Status } from '../domain/deployment/deployment-status.ts';
import { type DeploymentRecord, shardEntry } from '../domain/deployment/record.ts';
import type { Service } from '../domain/health/service-verdict.ts';
import {
  either,
  flagShape,
  type JsonShape,
  listOf,
  object,
  oneOf,
  type ShapeValue,
  textShape,
  wholeShape,
} from '../domain/output/json-shape.ts';
import type { RegistrationId, Shard } from '../domain/shard.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Worker } from '../ports/registry.ts';
import type { StageContext } from '../stages/context/context.ts';
import { allSettledOrThrow } from '../stages/context/parallel.ts';
import { listPresentHosts } from '../stages/observe/host-ends.ts';
import { findRegistrations } from '../stages/observe/observe.ts';
import { findTokenExpiry } from '../stages/steps/health/token-expiry-search.ts';
import { findVersionExpiries } from '../stages/steps/health/version-expiry-search.ts';

const job = object(
  { id: textShape, name: textShape, status: textShape, url: textShape },
  // ISO 8601, by the registry's clock.
  { started_at: textShape },
);

const manager = object(
  { id: wholeShape, version: textShape, system_id: textShape },
  // By the registry's clock. GitHub reports no time of creation.
  { created_at: textShape, contacted_at: textShape },
);

const registration = object({
  id: textShape,
  paused: flagShape,
  tags: listOf(textShape),
  contacted: flagShape,
  managers: listOf(manager),
});

/** A list, or a text that says why it could not be asked. */
function listOrWhy<Value>(items: JsonShape<Value>): JsonShape<readonly Value[] | string> {
  return either(listOf(items), textShape);
}

/** A shard as `status` reports it. Its JSON Schema and its type follow from this. */
export const shardReport = object(
  {
    shard: textShape,
    role: textShape,
    // Whether a customer's job submitted now would be run there, and what says so.
    service: object(
      { verdict: oneOf('proven', 'closed', 'disproven', 'unknown'), reason: textShape },
      { missing: textShape, age_ms: wholeShape },
    ),
    unhealthy_in_a_row: wholeShape,
    registrations: listOrWhy(registration),
    hosts: listOrWhy(object({ id: textShape, agent: textShape })),
    // Versions of its managers that end within weeks, a sentence each; a text where nobody says.
    endings: listOrWhy(textShape),
    // Tokens of its registrations that end within weeks, a sentence each.
    token_endings: listOf(textShape),
    jobs: listOf(job),
  },
  // ISO 8601, by the record: when it was last built, and when it was last proven healthy.
  { applied_at: textShape, proven_at: textShape },
);

export type ShardReport = ShapeValue<typeof shardReport>;
type RegistrationReport = ShapeValue<typeof registration>;

interface Known {
  readonly status: Status;
  readonly record: DeploymentRecord | undefined;
}

export async function reportShard(
  context: StageContext,
  shard: Shard,
  known: Known,
): Promise<Omit<ShardReport, 'service'> & { readonly shard: Shard }> {
  const [hosts, registered] = await allSettledOrThrow(
    () => listPresentHosts(context, shard),
    () => reportRegistrations(context, shard, known),
  );
  const { unhealthyInARow, lastApply, evidence } = shardEntry(known.record, shard);
  return {
    shard,
    role: roleOf(shard, known),
    unhealthy_in_a_row: unhealthyInARow,
    ...(lastApply === undefined ? {} : { applied_at: lastApply.at }),
    ...(evidence === undefined ? {} : { proven_at: evidence.at }),
    ...registered,
    hosts:
      'unknown' in hosts
        ? hosts.unknown
        : hosts.map((host) => ({ id: host.id, agent: host.agent })),
  };
}

export function serviceOf(service: Service): ShardReport['service'] {
  const { kind: verdict, reason } = service;
  if (service.kind === 'proven') return { verdict, reason, age_ms: service.ageMs };
  return { verdict, reason, ...(service.kind === 'unknown' ? { missing: service.missing } : {}) };
}

async function reportRegistrations(
  context: StageContext,
  shard: Shard,
  { record }: Known,
): Promise<Pick<ShardReport, 'registrations' | 'jobs' | 'endings' | 'token_endings'>> {
  const { ports } = context;
  try {
    const registrations: RegistrationReport[] = [];
    const jobs: ShardReport['jobs'][number][] = [];
    const all: Worker[] = [];
    const tokens: string[] = [];
    for (const { id, paused, tags, contacted } of await findRegistrations(context, shard)) {
      const workers = await ports.registry.listWorkers(id);
      const listed = workers.kind === 'found' ? workers.value : [];
      all.push(...listed);
      const managers = listed.map((one) => ({
        id: one.id,
        version: one.version,
        system_id: one.systemId,
        ...(ports.registry.traits.registrationsPer === 'worker'
          ? {}
          : { created_at: one.createdAt }),
        ...(one.contactedAt === undefined ? {} : { contacted_at: one.contactedAt }),
      }));
      registrations.push({ id, paused, tags, contacted, managers });
      jobs.push(...(await jobsOf(context, id)));
      const ending = await findTokenExpiry(context, record, id);
      if (ending !== undefined) tokens.push(ending.text);
    }
    const endings = await endingsOf(context, all);
    return { registrations, jobs, endings, token_endings: tokens };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { registrations: error.message, jobs: [], endings: [], token_endings: [] };
  }
}

async function endingsOf(
  context: StageContext,
  workers: readonly Worker[],
): Promise<ShardReport['endings']> {
  try {
    return (await findVersionExpiries(context, workers)).map(({ text }) => text);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return error.message;
  }
}

async function jobsOf({ ports }: StageContext, id: RegistrationId) {
  try {
    const found = await ports.registry.listJobs(id);
    const jobs = found.kind === 'found' ? found.value : [];
    return jobs.map(({ id: job, name, status, url, startedAt }) => ({
      id: job,
      name,
      status,
      url,
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
    }));
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [{ id: '?', name: error.message, status: 'unknown', url: '' }];
  }
}

function roleOf(shard: Shard, { status, record }: Known): string {
  const roles: string[] = [];
  if (status.kind === 'known') roles.push(status.active === shard ? 'active' : 'inactive');
  const { deployment } = record ?? {};
  if (deployment !== undefined && deployment.phase !== 'done') {
    if (deployment.candidate === shard) roles.push('candidate');
    if (deployment.retiring === shard) roles.push('retiring');
  }
  return roles.join(', ') || 'not known';
}
