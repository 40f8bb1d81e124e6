import { parseStatus, type Status } from '../../domain/deployment/deployment-status.ts';
import { type DeploymentRecord, expectedActive } from '../../domain/deployment/record.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import type { ReadAge, Registration } from '../../ports/registry.ts';
import type { Host } from '../../ports/runner-host.ts';
import { recordOf, type StageContext } from '../context/context.ts';
import type { ParameterSnapshot } from '../record/parameter-snapshot.ts';
import { readAtLeast } from '../record/parameter-write.ts';
import { openShardSources, type ShardSources } from './shard-sources.ts';

/** `deployment_status` as one read returned it. Version 0 means that the parameter is absent. */
export interface StatusReading {
  readonly status: Status;
  readonly version: number;
  readonly text: string | undefined;
  /** Time of the last write, ISO 8601, by AWS's clock. */
  readonly modifiedAt?: string;
}

/** Reads the status once, for display only; the read may be stale. */
export async function readStatus(context: StageContext): Promise<Status> {
  return (await readStatusOnce(context)).status;
}

/**
 * Reads the status for a decision: never older than the switch of the recorded deployment, if the
 * record was read.
 */
export async function readSwitchedStatus(context: StageContext): Promise<Status> {
  return (await readStatusAfterSwitch(context, recordOf(context))).status;
}

/**
 * Reads the status again if a read is older than `atLeast`.
 * @param snapshot the first read
 */
export async function readStatusOnce(
  context: StageContext,
  { atLeast = 0, snapshot }: { atLeast?: number; snapshot?: ParameterSnapshot | undefined } = {},
): Promise<StatusReading> {
  const { ports, names, settings, log } = context;
  const found = await readAtLeast(ports, names.status, atLeast, snapshot);
  const status = parseStatus(found?.value, settings.shards);
  log.event({ kind: 'status', active: status.kind === 'known' ? status.active : undefined });
  const written = found === undefined ? {} : { modifiedAt: found.modifiedAt };
  return { status, version: found?.version ?? 0, text: found?.value, ...written };
}

/**
 * Reads the status until it shows the switch of the recorded deployment. A deployment whose
 * candidate was already active switched nothing.
 */
export async function readStatusAfterSwitch(
  context: StageContext,
  record: DeploymentRecord | undefined,
  snapshot?: ParameterSnapshot,
): Promise<StatusReading> {
  const reading = await readStatusOnce(context, { snapshot });
  const { statusVersion, candidate } = record?.deployment ?? {};
  if (record === undefined || statusVersion === undefined) return reading;
  const isNamed = reading.status.kind === 'known' && reading.status.active === candidate;
  // A version from before the last two switches names the candidate too.
  if (isNamed && reading.version >= statusVersion) return reading;
  if (expectedActive(record.deployment) !== candidate) return reading;
  context.log.wait(`Waiting: deployment_status does not show the switch to ${candidate} yet.`);
  return readStatusOnce(context, { atLeast: statusVersion + 1 });
}

export function findRegistrations(
  context: StageContext,
  shard: Shard,
): Promise<readonly Registration[]> {
  return openShardSources(context, shard).registrations();
}

/** Age for a check that repeats every minute and that reads again before it changes anything. */
export const sharedAge: ReadAge = { mostMs: 5000 };

/** Reads the runner by its id; undefined if the registry does not have it. */
export async function findRegistration(
  { ports }: Pick<StageContext, 'ports'>,
  id: RegistrationId,
  age?: ReadAge,
): Promise<Registration | undefined> {
  const found = await ports.registry.find(id, age);
  return found.kind === 'found' ? found.value : undefined;
}

export async function listHosts(
  context: StageContext,
  shard: Shard,
  sources: Pick<ShardSources, 'hosts'> = openShardSources(context, shard),
): Promise<readonly Host[] | { readonly unknown: string }> {
  if (context.settings.host.access === 'none')
    return { unknown: 'host access is configured to none' };
  try {
    return await sources.hosts();
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return { unknown: error.message };
  }
}
