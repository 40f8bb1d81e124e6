import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard, type Shard, shardDescription } from '../../../src/domain/shard.ts';
import type { HistoryEntry } from '../world/history.ts';
import { registrationOfLive } from '../world/jobs.ts';
import {
  hasProductionTags,
  hostsOf,
  isAcceptingJobs,
  registrationsOf,
  shardOf,
} from '../world/shards.ts';
import type { HostState, World } from '../world/world.ts';
import type { Case } from './invariants.ts';
import type { Instant, SeenService } from './seen-service.ts';

/** Time for which work on an unresponsive host counts as proof (docs/use/drain.md). */
const workOfASilentHostMs = 65_000;

/**
 * Time for which an effect may rely on a check, since check and gate take time (docs/use/drain.md).
 */
const proofStandsForMs = 120_000;

/**
 * Checks S17: no run removes a shard that can still accept jobs while the other shard, when
 * checked, did not.
 */
export function judgeTaking({ world, actor, entry }: Case): string[] {
  const { stack, service } = actor;
  // The operator confirmed that no shard accepts jobs, and what the command removes.
  if (actor.command === 'recover although') return [];
  const taken = takenBy(entry);
  const shard = taken === undefined ? undefined : shardOf(stack, taken.description);
  if (taken === undefined || shard === undefined || !service.usable.includes(shard)) return [];
  const other = otherShard(stack.shards, shard);
  if (wasProvable(world, stack, { shard: other, ...service })) return [];
  return [`S17: ${taken.what} of ${shard}, which could serve, while ${other} did not serve`];
}

function takenBy(entry: HistoryEntry): { what: string; description: string } | undefined {
  switch (entry.kind) {
    case 'registration_removed':
      return { what: `registration ${entry.id} was removed`, description: entry.description };
    case 'token_reset':
      return entry.live
        ? { what: `the token of ${entry.id} was reset`, description: entry.description }
        : undefined;
    case 'host_terminated':
      return { what: `host ${entry.hostId} was terminated`, description: described(entry.name) };
    case 'process_quit':
    case 'process_killed':
      return {
        what: `the process on ${entry.hostId} was ended`,
        description: described(entry.name),
      };
    case 'destroyed':
      return { what: 'the infrastructure was destroyed', description: entry.description };
    default:
      return undefined;
  }
}

function described(name: string): string {
  return name.replace(/_runner-manager$/, '');
}

/**
 * Decides whether a shard accepts jobs, or worked at a time that a current proof may still refer
 * to.
 */
export function wasProvable(
  world: World,
  stack: StackSettings,
  {
    shard,
    checkedAt,
    requestedAt,
  }: { shard: Shard } & Pick<SeenService, 'checkedAt' | 'requestedAt'>,
): boolean {
  if (isAcceptingJobs(world, stack, shard)) return true;
  // The registry reports without delay whether the shard is paused.
  const isOpen = registrationsOf(world, stack, shard).some(
    (one) => !one.paused && hasProductionTags(one, stack),
  );
  const { runnerName } = stack;
  const last = world.checks.worked[shardDescription({ runnerName, shard })];
  if (!isOpen || last === undefined) return false;
  if (last === 'now') return true;
  const agoMs = requestedAt - last.at;
  if (isUnseen(last, checkedAt[shard]) && agoMs <= proofStandsForMs) return true;
  const proofMs = oldestProofMs(world, stack, shard);
  // A host that reports without delay has already reported the end, even at the same moment.
  return proofMs > 0 && agoMs <= proofMs;
}

/**
 * Decides whether an end came after the check. The check sees earlier ends, and a run without
 * any check is not excused.
 */
function isUnseen(end: Instant, check: Instant | undefined): boolean {
  if (check === undefined) return false;
  return end.at > check.at || (end.at === check.at && end.entry > check.entry);
}

/**
 * Returns how old a proof may be. A responding host reports without delay. If a host does not
 * respond, the work that it took counts for a while.
 */
export function oldestProofMs(world: World, stack: StackSettings, shard: Shard): number {
  const living = hostsOf(world, stack, shard);
  // EC2 reports the end of the last machine, and may not respond.
  if (stack.host.access === 'none')
    return living.length > 0 ? stack.healthcheck.evidenceMaxAgeMs : workOfASilentHostMs;
  const hasNoReport = (host: HostState) =>
    host.agent === 'lost' || isUnderAnother(world, stack, { shard, host });
  return living.some(hasNoReport) ? workOfASilentHostMs : 0;
}

/**
 * Decides whether the manager works for a runner without production tags, while the shard has one
 * with them.
 */
function isUnderAnother(
  world: World,
  stack: StackSettings,
  { shard, host }: { shard: Shard; host: HostState },
): boolean {
  const its = registrationOfLive(world, host);
  if (its === undefined || hasProductionTags(its, stack)) return false;
  return registrationsOf(world, stack, shard).some((one) => hasProductionTags(one, stack));
}
