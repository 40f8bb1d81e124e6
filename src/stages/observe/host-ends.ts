import { unansweredLimitMs } from '../../domain/health/service-verdict.ts';
import { formatStates, isDead } from '../../domain/instance.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { listHosts } from './observe.ts';
import { openShardSources, type ShardSources } from './shard-sources.ts';

/** Undefined where EC2 does not tell. Credentials that are out end the run: what follows would be a guess. */
export async function listInstances(sources: Pick<ShardSources, 'instances'>) {
  try {
    return await sources.instances();
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return undefined;
  }
}

/**
 * Those of them that are no machine any more. Systems Manager lists a machine for minutes after its end, as
 * online; one that does not answer and that EC2 calls terminated never comes back. None where EC2 does not
 * tell, which is asked only if somebody is silent.
 */
export async function findEnded(
  sources: Pick<ShardSources, 'instances'>,
  silent: readonly string[],
): Promise<ReadonlySet<string>> {
  if (silent.length === 0) return new Set();
  const instances = await listInstances(sources);
  const dead = new Set((instances ?? []).filter(isDead).map(({ id }) => id));
  return new Set(silent.filter((id) => dead.has(id)));
}

/**
 * Where hosts are not asked the judge disproves nothing. A machine that EC2 calls terminated is waited for
 * in vain all the same: what is refused by one source takes nothing away. An empty list has forgotten, or
 * never known, and counts only where the registry has not heard of the shard either.
 */
export async function whyEndedUnasked(
  sources: ShardSources,
  registration: RegistrationId | undefined,
): Promise<string | undefined> {
  const { context, shard } = sources;
  if (context.settings.host.access !== 'none') return undefined;
  const machines = await listInstances(sources);
  if (machines === undefined || !machines.every(isDead)) return undefined;
  if (machines.length > 0)
    return `EC2 lists no machine of ${shard} that has not ended: ${formatStates(machines)}`;
  const ageMs = registration === undefined ? undefined : await contactAge(sources, registration);
  if (ageMs !== undefined && ageMs <= unansweredLimitMs) return undefined;
  const { manager, registry } = wordsOf(context);
  const since = ageMs === undefined ? '' : ` for ${formatDuration(ageMs)}`;
  return `EC2 lists no machine of ${shard}, and no ${manager} of it has contacted ${registry}${since}`;
}

/** Since the last of its managers contacted the registry, by the registry; undefined where it does not say. */
export async function contactAge(
  { context, workers }: Pick<ShardSources, 'context' | 'workers'>,
  id: RegistrationId,
): Promise<number | undefined> {
  const times = (await workers(id)).map(({ contactedAt }) => Date.parse(contactedAt ?? ''));
  const last = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return Number.isFinite(last) ? Math.max(0, context.ports.clock.now() - last) : undefined;
}

/** The hosts of a shard without those that are listed and have ended, for whoever does not look at each. */
export async function listPresentHosts(
  context: StageContext,
  shard: Shard,
): ReturnType<typeof listHosts> {
  const sources = openShardSources(context, shard);
  const hosts = await listHosts(context, shard, sources);
  if ('unknown' in hosts) return hosts;
  const ids = hosts.map(({ id }) => id);
  const ended = await findEnded(sources, ids);
  return hosts.filter(({ id }) => !ended.has(id));
}
