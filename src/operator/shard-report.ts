import type { Status } from '../domain/deployment/deployment-status.ts';
import { type DeploymentRecord, shardEntry } from '../domain/deployment/record.ts';
import {
  answerOf,
  formatTrouble,
  type Read,
  type RegistrationFacts,
  type ShardSnapshot,
} from '../domain/doctor/stack-facts.ts';
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
import type { StackSettings } from '../domain/settings.ts';
import type { Shard } from '../domain/shard.ts';

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

/** Accepts a list, or a text with the reason for a failed read. */
function listOrWhy<Value>(items: JsonShape<Value>): JsonShape<readonly Value[] | string> {
  return either(listOf(items), textShape);
}

/** Shape of a shard in `status`, from which its JSON Schema and its type follow. */
export const shardReport = object(
  {
    shard: textShape,
    role: textShape,
    // Whether the shard would run a customer job that is submitted now, with the reason.
    service: object(
      { verdict: oneOf('proven', 'closed', 'disproven', 'unknown'), reason: textShape },
      { missing: textShape, age_ms: wholeShape },
    ),
    unhealthy_in_a_row: wholeShape,
    registrations: listOrWhy(registration),
    hosts: listOrWhy(object({ id: textShape, agent: textShape })),
    // Versions of managers whose support ends within weeks, one sentence each; a text if unknown.
    endings: listOrWhy(textShape),
    // Tokens of the runners that expire within weeks, one sentence each.
    token_endings: listOf(textShape),
    jobs: listOf(job),
  },
  // ISO 8601, from the record: the times of the last build and of the last healthy verdict.
  { applied_at: textShape, proven_at: textShape },
);

export type ShardReport = ShapeValue<typeof shardReport>;

/**
 * Returns whether a shard does not exist: it has no runner, no host and no job, and nothing
 * contradicts that. Without access to hosts, its runners decide. After a failed read of any
 * source, nothing does.
 */
export function isAbsent(
  { service, registrations, hosts, jobs }: ShardReport,
  { unanswered }: { readonly unanswered: readonly string[] },
): boolean {
  if (unanswered.length > 0) return false;
  const hasNoHost = typeof hosts === 'string' || hosts.length === 0;
  const hasNoRunner = typeof registrations !== 'string' && registrations.length === 0;
  return hasNoRunner && hasNoHost && jobs.length === 0 && service.verdict !== 'proven';
}

interface Known {
  readonly status: Status;
  readonly record: DeploymentRecord | undefined;
  readonly settings: StackSettings;
  readonly registrationsPer: 'shard' | 'worker';
}

export function reportShard(seen: ShardSnapshot, known: Known): ShardReport {
  const { shard, hosts } = seen;
  const { unhealthyInARow, lastApply, evidence } = shardEntry(known.record, shard);
  // Without credentials, the other AWS sources fail too.
  if (hosts.kind === 'unknown' && ['refused', 'ended'].includes(hosts.trouble.why))
    throw hosts.trouble.failure;
  return {
    shard,
    role: roleOf(shard, known),
    service: serviceOf(seen.service),
    unhealthy_in_a_row: unhealthyInARow,
    ...(lastApply === undefined ? {} : { applied_at: lastApply.at }),
    ...(evidence === undefined ? {} : { proven_at: evidence.at }),
    ...reportRegistrations(seen, known),
    hosts:
      known.settings.host.access === 'none'
        ? 'host.access is none'
        : listed(hosts, (host) => ({ id: host.id, agent: host.agent })),
  };
}

function serviceOf(service: Service): ShardReport['service'] {
  const { kind: verdict, reason } = service;
  if (service.kind === 'proven') return { verdict, reason, age_ms: service.ageMs };
  return { verdict, reason, ...(service.kind === 'unknown' ? { missing: service.missing } : {}) };
}

function reportRegistrations(
  { registrations, tokenEndings, endings }: ShardSnapshot,
  { registrationsPer }: Known,
): Pick<ShardReport, 'registrations' | 'jobs' | 'endings' | 'token_endings'> {
  const found = answerOf(registrations) ?? [];
  const reads = [registrations, ...found.map(({ managers }) => managers), tokenEndings];
  const unknown = reads.find((read) => read.kind === 'unknown');
  if (unknown?.kind === 'unknown') {
    const why = formatTrouble(unknown.trouble);
    return { registrations: why, jobs: [], endings: [], token_endings: [] };
  }
  return {
    registrations: found.map(({ id, paused, tags, contacted, managers }) => ({
      id,
      paused,
      tags,
      contacted,
      managers: (answerOf(managers) ?? []).map((one) => ({
        id: one.id,
        version: one.version,
        system_id: one.systemId,
        ...(registrationsPer === 'worker' ? {} : { created_at: one.createdAt }),
        ...(one.contactedAt === undefined ? {} : { contacted_at: one.contactedAt }),
      })),
    })),
    jobs: found.flatMap(({ jobs }) => jobsOf(jobs)),
    endings: endings === undefined ? [] : listed(endings, (text) => text),
    token_endings: answerOf(tokenEndings) ?? [],
  };
}

function jobsOf(jobs: RegistrationFacts['jobs']): ShardReport['jobs'] {
  if (jobs.kind === 'unknown')
    return [{ id: '?', name: formatTrouble(jobs.trouble), status: 'unknown', url: '' }];
  return jobs.value.map(({ id, name, status, url, startedAt }) => ({
    id,
    name,
    status,
    url,
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
  }));
}

function listed<Seen, Told>(
  read: Read<readonly Seen[]>,
  report: (one: Seen) => Told,
): readonly Told[] | string {
  return read.kind === 'read' ? read.value.map(report) : formatTrouble(read.trouble);
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
