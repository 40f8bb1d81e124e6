import { unansweredLimitMs } from '../../domain/health/service-verdict.ts';
import { formatStates, isDead } from '../../domain/instance.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { listHosts } from './observe.ts';
import { openShardSources, type ShardSources } from './shard-sources.ts';

/**
 * Lists the shard's instances; undefined if EC2 does not respond. Expired credentials end the run,
 * because later steps would have to guess.
 */
export async function listInstances(sources: Pick<ShardSources, 'instances'>) {
  try {
    return await sources.instances();
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return undefined;
  }
}

/**
 * Returns the unresponsive hosts that EC2 reports as terminated. Systems Manager lists a machine as
 * online for minutes after its end, but a terminated machine never returns. EC2 is queried only if
 * a host is unresponsive; without a response from EC2 the result is empty.
 */
export async function findEnded(
  sources: Pick<ShardSources, 'instances'>,
  unresponsive: readonly string[],
): Promise<ReadonlySet<string>> {
  if (unresponsive.length === 0) return new Set();
  const instances = await listInstances(sources);
  const dead = new Set((instances ?? []).filter(isDead).map(({ id }) => id));
  return new Set(unresponsive.filter((id) => dead.has(id)));
}

/**
 * Explains why a shard without host access has no machine that could run a job. One source is
 * enough to refuse a step: a terminated machine will never respond. An empty EC2 list may have
 * dropped old machines. It counts only if no manager has contacted the registry recently.
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
    return `EC2 lists only terminated machines of ${shard}: ${formatStates(machines)}`;
  const ageMs = registration === undefined ? undefined : await contactAge(sources, registration);
  if (ageMs !== undefined && ageMs <= unansweredLimitMs) return undefined;
  const { manager, registry } = wordsOf(context);
  const since = ageMs === undefined ? '' : ` for ${formatDuration(ageMs)}`;
  return `EC2 lists no machine of ${shard}, and no ${manager} of ${shard} has contacted ${registry}${since}`;
}

/** Returns the time since any manager's last contact, by the registry; undefined without one. */
export async function contactAge(
  { context, workers }: Pick<ShardSources, 'context' | 'workers'>,
  id: RegistrationId,
): Promise<number | undefined> {
  const times = (await workers(id)).map(({ contactedAt }) => Date.parse(contactedAt ?? ''));
  const last = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return Number.isFinite(last) ? Math.max(0, context.ports.clock.now() - last) : undefined;
}

/** Lists the shard's hosts that have not ended, for callers that do not check each host. */
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
