import type { TaggedKind } from '../../../src/domain/plan/aws-resource.ts';
import { type StackShard, shardDescription } from '../../../src/domain/shard.ts';
import { planRefused } from '../../../src/errors/terraform-errors.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import type {
  Infrastructure,
  InfrastructureEvent,
  InfrastructurePlan,
} from '../../../src/ports/infrastructure.ts';
import type { ProbeResult } from '../../../src/ports/registry.ts';
import { createHost, terminateHost } from '../hosts/hosts.ts';
import type { HostState, InfrastructureState, World } from '../world/world.ts';
import { buildsOf } from './planned-builds.ts';
import { takeStateLock } from './state-lock.ts';

/** Resources without a manager's own. A shard with one manager has 13 in total. */
const network = ['vpc', 'subnet[0]', 'subnet[1]', 'route_table', 'security_group'];
const manager = ['iam_role', 'iam_policy', 'instance_profile'];
const rest = ['log_group', 'alarm[0]', 'alarm[1]', 'dashboard'];

/** Creates an infrastructure that builds in three steps, between which a run may die. */
export function createInfrastructureFake(world: World, clock: Clock): Infrastructure {
  const stateOf = (shard: StackShard): InfrastructureState | undefined =>
    world.infrastructure[shardDescription(shard)];

  async function* apply(
    shard: StackShard,
    plan: InfrastructurePlan,
  ): AsyncGenerator<InfrastructureEvent> {
    const description = shardDescription(shard);
    await takeStateLock(world, clock, shard);
    const failsAt = world.behaviour.applyFailures.shift() ?? 0;
    const managers = managedHosts(world, shard);
    for (const index of replacedBy(plan)) {
      const host = managers[index];
      if (host !== undefined) terminateHost(world, host, 'us');
    }
    const counts = { added: 0, changed: 0, destroyed: 0 };
    const parts = [
      { text: 'network', build: () => addResources(world, shard, network) },
      { text: 'runner manager', build: () => addManagers(world, shard, counts) },
      { text: 'logs and alarms', build: () => addResources(world, shard, rest) },
    ];
    for (const [index, { text, build }] of plan.kind === 'empty' ? [] : parts.entries()) {
      await clock.sleep(world.behaviour.stepMs);
      if (failsAt === index + 1) throw failed('apply', `creating the ${text}: exit status 1`);
      const names = index === 2 ? stillTaken(world, plan) : [];
      if (names.length > 0) {
        yield {
          kind: 'taken',
          names,
          error: failed('apply', 'creating the logs: its name is taken'),
        };
        return;
      }
      const added = build();
      counts.added += added;
      world.history.push({ at: world.now, kind: 'applied', description, changes: added });
      yield { kind: 'progress', text: `${description}: ${text}: created` };
    }
    const state = stateOf(shard);
    if (state !== undefined && plan.kind !== 'empty') state.revision = world.behaviour.revision;
    yield {
      kind: 'done',
      counts,
      outputs: { hosts: managedHosts(world, shard).map(({ id }) => id) },
    };
  }

  async function* destroy(shard: StackShard): AsyncGenerator<InfrastructureEvent> {
    const description = shardDescription(shard);
    await takeStateLock(world, clock, shard);
    const failsAt = world.behaviour.destroyFailures.shift() ?? 0;
    const total = (stateOf(shard)?.resources ?? []).length;
    await clock.sleep(world.behaviour.stepMs);
    if (failsAt === 1) throw failed('destroy', 'deleting the runner manager: exit status 1');
    for (const host of managedHosts(world, shard)) terminateHost(world, host, 'us');
    const state = stateOf(shard);
    if (state !== undefined)
      state.resources = state.resources.filter((name) => network.includes(name));
    world.history.push({ at: world.now, kind: 'destroyed', description, resources: total });
    yield { kind: 'progress', text: `${description}: runner manager is gone` };
    await clock.sleep(world.behaviour.stepMs);
    if (failsAt === 2) throw failed('destroy', 'deleting the network: exit status 1');
    delete world.infrastructure[description];
    yield { kind: 'done', counts: { added: 0, changed: 0, destroyed: total }, outputs: {} };
  }

  return {
    async plan(shard, { replace = [], adopt = [] } = {}) {
      if (world.behaviour.plans === 'unknown')
        return { kind: 'unknown', summary: 'the driver does not plan' };
      await takeStateLock(world, clock, shard);
      const lacks = world.behaviour.planFailures?.shift();
      if (lacks !== undefined) throw failed('plan', lacks);
      world.counters.plan += 1;
      if (replace.length > 0) {
        refuseUnknown(world, shard, replace);
        const summary = replace.map((address) => `replace ${address}`).join(', ');
        return { kind: 'changes', summary, handle: `replace ${hostsNamed(replace).join(' ')}` };
      }
      if (adopt.length > 0) {
        const ids = adopt.map(({ id }) => id).join(' ');
        return { kind: 'changes', summary: `adopt ${ids}`, handle: `adopt ${ids}` };
      }
      const changes = isComplete(world, shard) ? 'empty' : 'changes';
      const summary = changes === 'empty' ? 'no changes' : `changes to ${shardDescription(shard)}`;
      const handle = `plan-${world.counters.plan}`;
      return { kind: changes, summary, handle, builds: buildsOf(world, stateOf(shard)) };
    },
    apply,
    destroy,
    async exists(shard) {
      if (world.behaviour.existence === 'unknown') return 'unknown';
      const built = (stateOf(shard)?.resources ?? []).length > 0;
      return built || managedHosts(world, shard).length > 0 ? 'present' : 'absent';
    },
    async probe(): Promise<readonly ProbeResult[]> {
      return (world.behaviour.infrastructureLacks ?? []).map((detail) => ({
        what: 'infrastructure',
        outcome: 'missing',
        detail,
      }));
    },
    async listKnown(shard) {
      return managedHosts(world, shard).map(({ id, autoScalingGroup }) => autoScalingGroup ?? id);
    },
  };
}

/** Builds a whole shard at once, as after an earlier deployment. */
export function buildInfrastructure(world: World, shard: StackShard): HostState[] {
  addResources(world, shard, network);
  addManagers(world, shard, { added: 0, changed: 0, destroyed: 0 });
  addResources(world, shard, rest);
  return managedHosts(world, shard);
}

function addResources(world: World, shard: StackShard, names: readonly string[]): number {
  const key = shardDescription(shard);
  const { runnerName } = shard;
  const { revision } = world.behaviour;
  const state = world.infrastructure[key] ?? {
    runnerName,
    shard: shard.shard,
    resources: [],
    revision,
  };
  world.infrastructure[key] = state;
  const missing = names.filter((name) => !state.resources.includes(name));
  state.resources.push(...missing);
  return missing.length;
}

interface Counts {
  added: number;
  changed: number;
  destroyed: number;
}

/** Creates missing managers. A changed revision replaces the existing ones. */
function addManagers(world: World, shard: StackShard, counts: Counts): number {
  const state = world.infrastructure[shardDescription(shard)];
  if (state !== undefined && state.revision !== world.behaviour.revision) {
    for (const host of managedHosts(world, shard)) {
      terminateHost(world, host, 'us');
      counts.destroyed += 1;
    }
  }
  const missing = managersOf(world, shard) - managedHosts(world, shard).length;
  for (let index = 0; index < missing; index += 1) createHost(world, shard);
  const instances = Array.from(
    { length: managersOf(world, shard) },
    (_, index) => `instance[${index}]`,
  );
  addResources(world, shard, instances);
  return addResources(world, shard, manager) + Math.max(0, missing);
}

function isComplete(world: World, shard: StackShard): boolean {
  const state = world.infrastructure[shardDescription(shard)];
  if (state === undefined || state.revision !== world.behaviour.revision) return false;
  const managers = managersOf(world, shard);
  const expected = network.length + manager.length + rest.length + managers;
  return state.resources.length === expected && managedHosts(world, shard).length === managers;
}

function managersOf(world: World, { runnerName }: StackShard): number {
  return world.stacks.find((stack) => stack.runnerName === runnerName)?.managers ?? 1;
}

export function managedHosts(world: World, { runnerName, shard }: StackShard): HostState[] {
  return Object.values(world.hosts).filter(
    (host) =>
      host.managed &&
      host.state === 'running' &&
      host.runnerName === runnerName &&
      host.shard === shard,
  );
}

const managerAddress =
  /^module\.runner_manager\.module\.ec2\[(\d+)\]\.aws_instance\.runner_manager$/;

function hostsNamed(addresses: readonly string[]): number[] {
  return addresses.map((address) => Number(managerAddress.exec(address)?.[1]));
}

export function replacedBy({ handle = '' }: InfrastructurePlan): number[] {
  return handle.startsWith('replace ') ? handle.split(' ').slice(1).map(Number) : [];
}

/** Returns existing resources that the plan does not adopt. Adopted ones join the state. */
function stillTaken(world: World, { handle = '' }: InfrastructurePlan) {
  const adopted = handle.startsWith('adopt ') ? handle.split(' ').slice(1) : [];
  const isAdopted = (taken: string) => adopted.includes(taken.split('/').at(-1) ?? taken);
  world.behaviour.taken = world.behaviour.taken.filter((taken) => !isAdopted(taken));
  return world.behaviour.taken.map((taken) => {
    const [kind, id] = taken.split('/');
    const address = `module.runner_manager.${kind}`;
    // A resource whose import id AWS generates is found by its tags.
    return id === undefined
      ? { address, id: taken }
      : { address, kind: kind as TaggedKind, name: `the ${kind}` };
  });
}

/** Refuses unknown addresses as the plan guard does. */
function refuseUnknown(world: World, shard: StackShard, addresses: readonly string[]): void {
  const unknown = addresses.filter((address) => {
    const index = managerAddress.exec(address)?.[1];
    return index === undefined || Number(index) >= managersOf(world, shard);
  });
  if (unknown.length === 0) return;
  throw planRefused({
    runner: shard.runnerName,
    shard: shard.shard,
    binary: 'terraform',
    purpose: 'build',
    rows: unknown.map((address) => `${address}  –  no resource with this address would be rebuilt`),
  });
}

function failed(command: string, detail: string): PortFailure {
  return new PortFailure({ kind: 'refused', effect: 'unknown', source: command, detail });
}
