import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { deploymentOf } from '../deployment-of.ts';
import type { TraceEntry } from '../faults/trace.ts';
import type { HistoryEntry } from '../world/history.ts';
import {
  activeOf,
  activeShard,
  hasProductionTags,
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
  shardOf,
} from '../world/shards.ts';
import type { World } from '../world/world.ts';
import { judgeBake } from './bake-invariant.ts';
import { judgeBelonging } from './belonging-invariant.ts';
import {
  foreign,
  foreignHost,
  foreignParameter,
  foreignRegistration,
} from './foreign-invariant.ts';
import type { SeenService } from './seen-service.ts';
import { judgeTaking } from './service-invariants.ts';

/** Run whose effect is checked. */
export interface Actor {
  readonly incarnation: string;
  readonly deploymentId: string;
  /** Command of the run. */
  readonly command: string;
  readonly stack: StackSettings;
  readonly call: Pick<TraceEntry, 'port' | 'method' | 'args'>;
  /**
   * Active shard that the checks right before the effect could read. No check can prevent an edit
   * between the last read and the effect: two systems have no common compare-and-swap.
   */
  readonly wasVisible?: Shard | undefined;
  readonly service: SeenService;
}

export interface Case {
  readonly world: World;
  readonly actor: Actor;
  readonly entry: HistoryEntry;
}

/** Lists violations by one effect of a run that only the world's data can prove. */
export function judgeEntry(one: Case): string[] {
  return [...judgeKind(one), ...judgeTaking(one), ...judgeBelonging(one), ...judgeBake(one)];
}

function judgeKind({ world, actor, entry }: Case): string[] {
  switch (entry.kind) {
    case 'registration_removed':
      return [
        ...foreign(actor, entry.description),
        ...hit(world, `S2: registration ${entry.id} was removed`, entry.jobs),
        ...removedActive(world, actor, entry.description),
      ];
    case 'registration_routed':
      return foreignRegistration(world, actor, entry);
    case 'registration_created':
      return foreign(actor, entry.description);
    case 'intake_set':
      return [...foreignRegistration(world, actor, entry), ...pausedActive(world, actor, entry)];
    case 'token_reset':
      return [
        ...foreign(actor, entry.description),
        ...hit(world, `S2: the token of registration ${entry.id} was reset`, entry.jobs),
        ...(entry.live ? [`S2: registration ${entry.id} lost the token that a manager uses`] : []),
      ];
    case 'host_terminated':
      return [
        ...foreignHost(actor, entry.name),
        ...hit(world, `S2: host ${entry.hostId} was terminated`, entry.jobs),
      ];
    case 'worker_removed':
      // The worker's manager may have a job there that no other source reports.
      return entry.managers.map((id) => `S2: worker ${entry.id} was removed while ${id} lives`);
    case 'process_killed':
      if (world.behaviour.killAllowed) return foreignHost(actor, entry.name);
      return [
        ...foreignHost(actor, entry.name),
        ...hit(world, `S2: the runner on ${entry.hostId} was killed`, entry.jobs),
      ];
    case 'process_quit':
      return foreignHost(actor, entry.name);
    case 'applied':
      return [
        ...foreign(actor, entry.description),
        ...appliedInProduction(world, actor, entry.description),
      ];
    case 'destroyed':
      return [
        ...foreign(actor, entry.description),
        ...checkDestroy(world, actor, entry.description),
      ];
    case 'parameter_written':
      return judgeWrite({ world, actor, entry });
    case 'parameter_removed':
      return [...foreignParameter(actor, entry.name), ...tokenTaken(world, actor, entry)];
    default:
      return [];
  }
}

function hit(world: World, what: string, jobs: readonly string[]): string[] {
  // A job on a host that died by itself is already lost, even if GitLab still lists it.
  const living = jobs.filter(
    (id) => world.jobs[id]?.interruptedBy !== 'world' && !isGivenUp(world, id),
  );
  return living.map((id) => `${what} under job ${id} "${world.jobs[id]?.name}"`);
}

/** A cancelled canary counts as no loss. A machine without a network still runs it. */
function isGivenUp({ jobs }: World, id: string): boolean {
  return jobs[id]?.kind === 'canary' && jobs[id].status === 'canceling';
}

function isActive(world: World, { stack, wasVisible }: Actor, shard: Shard): boolean {
  return activeShard(world, stack) === shard && (wasVisible === undefined || wasVisible === shard);
}

function pausedActive(
  world: World,
  actor: Actor,
  entry: { description: string; to: string },
): string[] {
  const shard = shardOf(actor.stack, entry.description);
  if (entry.to === 'open' || shard === undefined || !isActive(world, actor, shard)) return [];
  return [`S10: ${shard} is active and was paused`];
}

function removedActive(world: World, actor: Actor, description: string): string[] {
  const { stack } = actor;
  const shard = shardOf(stack, description);
  if (shard === undefined || !isActive(world, actor, shard)) return [];
  if (hostsOf(world, stack, shard).length === 0 || registrationsOf(world, stack, shard).length > 0)
    return [];
  return [`S7: the registration of ${shard} was removed, which is active`];
}

function appliedInProduction(world: World, actor: Actor, description: string): string[] {
  const { stack } = actor;
  const shard = shardOf(stack, description);
  if (shard === undefined) return [];
  if (isActive(world, actor, shard)) return [`S6: an apply on ${shard}, which is active`];
  const tagged = registrationsOf(world, stack, shard).find((one) => hasProductionTags(one, stack));
  if (tagged === undefined) return [];
  return [`S6: an apply on ${shard}, whose registration ${tagged.id} has production tags`];
}

function checkDestroy(world: World, actor: Actor, description: string): string[] {
  const { stack } = actor;
  const shard = shardOf(stack, description);
  if (shard === undefined) return [];
  if (isActive(world, actor, shard)) return [`S7: ${shard} was destroyed, which is active`];
  const open = registrationsOf(world, stack, shard).find(
    (one) => !one.paused && hasProductionTags(one, stack),
  );
  return open === undefined
    ? []
    : [`S7: ${shard} was destroyed while registration ${open.id} is open to customers' jobs`];
}

function judgeWrite({
  world,
  actor,
  entry,
}: Case & { entry: HistoryEntry & { kind: 'parameter_written' } }): string[] {
  const names = parametersOf(actor.stack);
  const found = foreignParameter(actor, entry.name);
  if (entry.name === names.status) found.push(...judgeSwitch(world, actor, entry));
  if (entry.name === names.record) found.push(...judgeDirection(world, entry.value, actor.stack));
  if (!entry.secret && containsToken(world, entry.value)) {
    found.push(`S12: ${entry.name} contains a runner's token`);
  }
  return [...found, ...tokenTaken(world, actor, entry)];
}

function judgeSwitch(
  world: World,
  { stack, deploymentId }: Actor,
  entry: { value: string; before?: string },
): string[] {
  const before = activeOf(stack, entry.before);
  const after = activeOf(stack, entry.value);
  if (after === undefined) return [`S5: ${parametersOf(stack).status} says ${entry.value}`];
  if (before === after) return [];
  // A rollback by a job of the same pipeline counts as a separate deployment.
  const record = deploymentOf(parameterValue(world, parametersOf(stack).record));
  const { id = deploymentId } = record;
  const key = `${stack.runnerName} ${id}`;
  // Writing a deleted status again from the record is no switch.
  const isPutBack = before === undefined && record.phase === 'done' && record.candidate === after;
  if (isPutBack && world.checks.switches[key] !== undefined) return [];
  const count = (world.checks.switches[key] ?? 0) + 1;
  world.checks.switches[key] = count;
  return count > 1 ? [`S5: deployment ${id} switched the status for the ${count}. time`] : [];
}

function judgeDirection(world: World, text: string, { runnerName }: StackSettings): string[] {
  const { id, candidate } = deploymentOf(text);
  if (id === undefined || candidate === undefined) return [];
  const key = `${runnerName} ${id}`;
  const known = world.checks.directions[key] ?? candidate;
  world.checks.directions[key] = known;
  if (known === candidate) return [];
  return [`S5: deployment ${id} changed its candidate from ${known} to ${candidate}`];
}

function containsToken(world: World, text: string): boolean {
  return Object.values(world.registrations).some(({ token }) => text.includes(token));
}

/** Checks that a token in use by a live manager stays in its parameter. */
function tokenTaken(
  world: World,
  { stack }: Actor,
  entry: { name: string; before?: string; value?: string },
): string[] {
  const shard = stack.shards.find((one) => parametersOf(stack).token(one) === entry.name);
  if (shard === undefined || entry.before === undefined || entry.value === entry.before) return [];
  const holder = registrationsOf(world, stack, shard).find(({ token }) => token === entry.before);
  const used = hostsOf(world, stack, shard).some(
    (host) => host.token === entry.before && host.process === 'running',
  );
  if (holder === undefined || !used) return [];
  return [
    `S2: the token of registration ${holder.id} was taken from ${entry.name}, and a manager uses it`,
  ];
}
