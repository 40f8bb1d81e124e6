import type { Instance } from '../../../src/domain/instance.ts';
import type { TaggedResource } from '../../../src/domain/plan/aws-resource.ts';
import { removedKinds } from '../../../src/domain/plan/sweep-plan.ts';
import { managerHostName, type StackShard } from '../../../src/domain/shard.ts';
import type { Account } from '../../../src/ports/cloud/account.ts';
import type { Instances } from '../../../src/ports/cloud/instances.ts';
import type { Inventory } from '../../../src/ports/cloud/inventory.ts';
import type { LifecycleHooks } from '../../../src/ports/cloud/lifecycle-hooks.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import { terminateHost } from '../hosts/hosts.ts';
import type { HostState, World } from '../world/world.ts';

export function createAccountFake(world: World): Account {
  return {
    credentialsEnd: () => world.behaviour.credentialsEndAt,
    readIdentity: () =>
      Promise.resolve({
        account: '111122223333',
        arn: 'arn:aws:sts::111122223333:assumed-role/deploy/job',
        region: 'eu-central-1',
      }),
  };
}

/** Creates the world's hosts as EC2 reports them, including terminated ones. */
export function createInstancesFake(world: World): Instances {
  return {
    async list(shard) {
      const name = managerHostName(shard);
      return Object.values(world.hosts)
        .filter((host) => host.name === name)
        .map(toInstance);
    },
    async listWorkers(shard) {
      const name = managerHostName(shard);
      return world.tagged
        .filter((one) => isOf(one, shard) && one.resource.kind === 'instance')
        .filter(({ resource }) => resource.name !== name)
        .map(({ resource }) => toWorker(world, resource));
    },
    async find(id) {
      const host = world.hosts[id];
      return host === undefined ? undefined : toInstance(host);
    },
    rehearseTermination: () => Promise.resolve({ kind: 'allowed' }),
    async terminate({ id, shard }) {
      const host = world.hosts[id];
      if (host === undefined || host.name !== managerHostName(shard)) {
        throw refused(`TerminateInstances ${id}`, 'its Name tag is another one');
      }
      if (host.state === 'terminated') return 'ended_already';
      terminateHost(world, host, 'us');
      return 'ending';
    },
  };
}

/** Lists the hosts, which carry their shard's tags, and the resources of `world.tagged`. */
export function createInventoryFake(world: World): Inventory {
  return {
    async list(shard) {
      const hosts = Object.values(world.hosts)
        .filter((host) => isOf(host, shard) && host.state !== 'terminated')
        .map(
          ({ id, name, state, autoScalingGroup }): TaggedResource => ({
            kind: 'instance',
            id,
            name,
            state,
            ...(autoScalingGroup === undefined ? {} : { partOf: autoScalingGroup }),
          }),
        );
      const others = world.tagged.filter((one) => isOf(one, shard)).map(({ resource }) => resource);
      // AWS lists resources in no order. Hosts come last here to expose code that relies on the
      // order.
      return [...others, ...hosts];
    },
    async remove({ kind, id }, shard) {
      const host = world.hosts[id];
      if (host !== undefined && isOf(host, shard)) {
        if (host.state === 'terminated') return 'absent';
        terminateHost(world, host, 'us');
        return 'removed';
      }
      if (!removedKinds.includes(kind))
        throw refused(`removal of ${id}`, `hosted-runner does not remove a ${kind}`);
      const at = world.tagged.findIndex((one) => isOf(one, shard) && one.resource.id === id);
      if (at < 0) return 'absent';
      world.tagged.splice(at, 1);
      if (kind === 'instance') {
        const managers = Object.values(world.hosts)
          .filter((one) => isOf(one, shard) && one.state !== 'terminated')
          .map((one) => one.id);
        world.history.push({ at: world.now, kind: 'worker_removed', id, managers });
      }
      return 'removed';
    },
  };
}

export function createLifecycleHooksFake(world: World): LifecycleHooks {
  return {
    async listWaiting(shard) {
      return world.hooks.filter((one) => isOf(one, shard)).map(({ hook }) => hook);
    },
    async complete({ hook, instanceId }) {
      const at = world.hooks.findIndex(
        (one) => one.hook.hook === hook && one.hook.instanceId === instanceId,
      );
      if (at < 0) return 'gone';
      world.hooks.splice(at, 1);
      return 'completed';
    },
  };
}

function isOf(one: { runnerName: string; shard: string }, place: StackShard): boolean {
  return one.runnerName === place.runnerName && one.shard === place.shard;
}

function toWorker({ now }: World, { id, name = '', state, partOf }: TaggedResource): Instance {
  return {
    id,
    state: state as Instance['state'],
    launchedAt: new Date(now).toISOString(),
    tags: { Name: name },
    ...(partOf === undefined ? {} : { autoScalingGroup: partOf }),
  };
}

function toInstance(host: HostState): Instance {
  const { id, name, state, createdAt, runnerName, shard, autoScalingGroup } = host;
  return {
    id,
    state,
    launchedAt: new Date(createdAt).toISOString(),
    tags: { Name: name, 'hosted-runner:stack': runnerName, 'hosted-runner:shard': shard },
    ...(autoScalingGroup === undefined ? {} : { autoScalingGroup }),
  };
}

function refused(what: string, detail: string): PortFailure {
  return new PortFailure({ kind: 'refused', effect: 'none', source: `EC2 ${what}`, detail });
}
