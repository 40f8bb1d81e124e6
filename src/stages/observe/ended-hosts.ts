import { isDead } from '../../domain/instance.ts';
import type { Shard, StackShard } from '../../domain/shard.ts';
import { areOurCredentialsOut, isPortFailure } from '../../ports/failure.ts';
import type { StageContext } from '../walk/context.ts';
import { listHosts } from './observe.ts';

/** Undefined where EC2 does not tell. Credentials that are out end the run: what follows would be a guess. */
export async function listInstances(ports: StageContext['ports'], place: StackShard) {
  try {
    return await ports.instances.list(place);
  } catch (error) {
    if (!isPortFailure(error) || areOurCredentialsOut(error)) throw error;
    return undefined;
  }
}

/**
 * Those of them that are no machine any more. Systems Manager lists a machine for minutes after its end, as
 * online; one that does not answer and that EC2 calls terminated never comes back. None where EC2 does not
 * tell, which is asked only if somebody is silent.
 */
export async function findEnded(
  { ports, settings }: Pick<StageContext, 'ports' | 'settings'>,
  shard: Shard,
  silent: readonly string[],
): Promise<ReadonlySet<string>> {
  if (silent.length === 0) return new Set();
  const instances = await listInstances(ports, { runnerName: settings.runnerName, shard });
  const dead = new Set((instances ?? []).filter(isDead).map(({ id }) => id));
  return new Set(silent.filter((id) => dead.has(id)));
}

/**
 * Whether EC2 calls every machine of a shard terminated, where no host may say it. A list of none proves
 * nothing: its machines may have another Name tag.
 */
export async function haveEndedUnasked(
  { ports, settings }: Pick<StageContext, 'ports' | 'settings'>,
  shard: Shard,
): Promise<boolean> {
  if (settings.host.access !== 'none') return false;
  const machines = await listInstances(ports, { runnerName: settings.runnerName, shard });
  return machines !== undefined && machines.length > 0 && machines.every(isDead);
}

/** The hosts of a shard without those that are listed and have ended, for whoever does not look at each. */
export async function listPresentHosts(
  context: StageContext,
  shard: Shard,
): ReturnType<typeof listHosts> {
  const hosts = await listHosts(context, shard);
  if ('unknown' in hosts) return hosts;
  const ids = hosts.map(({ id }) => id);
  const ended = await findEnded(context, shard, ids);
  return hosts.filter(({ id }) => !ended.has(id));
}
