import { type DeploymentKind, shardEntry } from '../../domain/deployment/record.ts';
import { isReturnable } from '../../domain/deployment/stages-and-steps.ts';
import { mayBeStopped } from '../../domain/drain/shard-intake.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import type { StageContext } from '../context/context.ts';
import { findEnded, whyEndedUnasked } from '../observe/host-ends.ts';
import { listHosts } from '../observe/observe.ts';
import { openShardSources } from '../observe/shard-sources.ts';

/** Process on the old shard, the target of a rollback. */
export type OldProcess =
  | { readonly kind: 'runs' | 'can_be_started' }
  | { readonly kind: 'none'; readonly reason: string }
  /** The hosts do not respond, or cannot report the process. */
  | { readonly kind: 'unknown'; readonly reason: string };

export async function findOldProcess(context: StageContext, shard: Shard): Promise<OldProcess> {
  const hosts = await listHosts(context, shard);
  if ('unknown' in hosts) {
    const { registration } = shardEntry(context.journal.current(), shard);
    const ended = await whyEndedUnasked(openShardSources(context, shard), registration);
    if (ended !== undefined) return { kind: 'none', reason: ended };
    return { kind: 'unknown', reason: hosts.unknown };
  }
  let canBeStarted = false;
  const unconfirmed = new Map<string, string>();
  for (const { id } of hosts) {
    const report = await context.ports.host.look(id);
    if (report.kind !== 'report') {
      unconfirmed.set(id, `${id}: ${report.reason}`);
      continue;
    }
    if (report.process === 'running') return { kind: 'runs' };
    if (report.process === 'stopped' || report.process === 'quitting') canBeStarted = true;
    // A starting process may run in a moment. A process in an unknown state may run already.
    if (report.process === 'starting' || report.process === 'unknown')
      unconfirmed.set(id, `${id}: its process is ${report.process}`);
  }
  if (canBeStarted) return { kind: 'can_be_started' };
  for (const id of await findEnded(openShardSources(context, shard), [...unconfirmed.keys()]))
    unconfirmed.delete(id);
  // A process may run unless its end is confirmed.
  if (unconfirmed.size === 0)
    return {
      kind: 'none',
      reason: `no host of ${shard} has a runner process that runs or can be started`,
    };
  return { kind: 'unknown', reason: [...unconfirmed.values()].join(', ') };
}

/** Returns whether the runner is absent. Its processes then have an invalid token. */
async function isUnregistered(
  { ports }: StageContext,
  id: RegistrationId | undefined,
): Promise<boolean> {
  return id !== undefined && (await ports.registry.find(id)).kind === 'absent';
}

/** Returns for an error the kind of deployment that a rollback to this shard would reverse. */
export async function findRollbackTarget(
  context: StageContext,
  shard: Shard,
): Promise<DeploymentKind | undefined> {
  const { journal } = context;
  if (journal.version() === 0) return undefined;
  const { deployment, shards } = journal.current();
  const { kind, phase, retiring } = deployment;
  if (retiring !== shard || shards[shard]?.removal !== undefined) return undefined;
  if (!isReturnable(phase)) return undefined;
  try {
    if (await isUnregistered(context, shards[shard]?.registration)) return undefined;
    const process = await findOldProcess(context, shard);
    if (process.kind === 'none') return undefined;
    return process.kind === 'unknown' && mayBeStopped(deployment) ? undefined : kind;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return kind;
  }
}
