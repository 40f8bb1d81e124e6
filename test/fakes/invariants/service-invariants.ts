import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard, type Shard, shardDescription } from '../../../src/domain/shard.ts';
import type { HistoryEntry } from '../world/history.ts';
import { registrationOfLive } from '../world/jobs.ts';
import {
  hasProductionTags,
  hostsOf,
  isServing,
  registrationsOf,
  shardOf,
} from '../world/serving.ts';
import type { HostState, World } from '../world/world.ts';
import type { Case } from './invariants.ts';
import type { Instant, SeenService } from './seen-service.ts';

/** Where those that would tell are silent, work that began there within a minute counts as proof (docs/use/drain.md). */
const workOfASilentHostMs = 65_000;

/** So long an effect may rest on a look: it and the gate take their time (docs/use/drain.md). */
const proofStandsForMs = 120_000;

/** S17: what can still serve was taken away, and the other shard did not serve when it was looked at. */
export function judgeTaking({ world, actor, entry }: Case): string[] {
  const { stack, service } = actor;
  // A person has typed that nothing serves, and what it takes.
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

/** Whether it serves, or worked at some moment that a proof of now may still be of. */
export function wasProvable(
  world: World,
  stack: StackSettings,
  { shard, checkedAt, askedAt }: { shard: Shard } & Pick<SeenService, 'checkedAt' | 'askedAt'>,
): boolean {
  if (isServing(world, stack, shard)) return true;
  // The registry says at once whether it is open.
  const isOpen = registrationsOf(world, stack, shard).some(
    (one) => !one.paused && hasProductionTags(one, stack),
  );
  const { runnerName } = stack;
  const last = world.checks.worked[shardDescription({ runnerName, shard })];
  if (!isOpen || last === undefined) return false;
  if (last === 'now') return true;
  const agoMs = askedAt - last.at;
  if (isUnseen(last, checkedAt[shard]) && agoMs <= proofStandsForMs) return true;
  const proofMs = oldestProofMs(world, stack, shard);
  // A host that tells at once has told it, also where no time has passed since.
  return proofMs > 0 && agoMs <= proofMs;
}

/** What ended before the look was there to be seen; a run that has never looked is not excused. */
function isUnseen(end: Instant, look: Instant | undefined): boolean {
  if (look === undefined) return false;
  return end.at > look.at || (end.at === look.at && end.entry > look.entry);
}

/** A host that can be asked tells at once; without its word, work that it took counts for a while. */
export function oldestProofMs(world: World, stack: StackSettings, shard: Shard): number {
  const living = hostsOf(world, stack, shard);
  // EC2 tells the end of the last machine, and may not answer.
  if (stack.host.access === 'none')
    return living.length > 0 ? stack.healthcheck.evidenceMaxAgeMs : workOfASilentHostMs;
  const tellsNothing = (host: HostState) =>
    host.agent === 'lost' || isUnderAnother(world, stack, { shard, host });
  return living.some(tellsNothing) ? workOfASilentHostMs : 0;
}

/** Its manager asks for a runner that has no production tags, and the shard has one that has them. */
function isUnderAnother(
  world: World,
  stack: StackSettings,
  { shard, host }: { shard: Shard; host: HostState },
): boolean {
  const its = registrationOfLive(world, host);
  if (its === undefined || hasProductionTags(its, stack)) return false;
  return registrationsOf(world, stack, shard).some((one) => hasProductionTags(one, stack));
}
