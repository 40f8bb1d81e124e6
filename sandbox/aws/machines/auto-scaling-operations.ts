import type { Instance } from '../../hosts/instance.ts';
import type { SandboxStore } from '../../surroundings/store.ts';
import type { Form } from '../form.ts';
import { AwsRefusal } from '../refusal.ts';
import type { QueryOperation } from './ec2-operations.ts';

/** Auto Scaling groups with their terminating hooks. */
export class Groups {
  readonly #store: SandboxStore;
  readonly #document: { groups: Group[] };

  readonly #now: () => number;

  constructor(store: SandboxStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#document = store.load<{ groups: Group[] }>('groups') ?? { groups: [] };
  }

  /** Lists groups, without instances whose hook has timed out. */
  list(): readonly Group[] {
    for (const group of this.#document.groups) {
      const endsAtMs =
        (group.since ?? 0) + (group.heartbeatSeconds ?? usualHeartbeatSeconds) * 1000;
      if (group.waiting.length > 0 && this.#now() > endsAtMs) group.waiting = [];
    }
    return this.#document.groups;
  }

  add(group: Group): void {
    this.#document.groups.push({ since: this.#now(), ...group });
    this.#store.save('groups', this.#document);
  }

  /** Lists workers as EC2 shows them, with the group's tags and the group's name. */
  listWorkers(): readonly Instance[] {
    return this.#document.groups.flatMap(({ name, tags, workers = [] }) =>
      workers.map(({ id, nameTag, state, launchedAt }) => ({
        ...{ id, nameTag, state, launchedAt, agent: 'lost' as const },
        ...{ runnerName: '', shard: '', systemId: '' },
        tags: { ...tags, Name: nameTag, 'aws:autoscaling:groupName': name },
      })),
    );
  }

  /** Ends a worker from outside. The group replaces it, because its size is unchanged. */
  endWorker(id: string): boolean {
    const group = this.#document.groups.find(({ workers = [] }) =>
      workers.some((one) => one.id === id && one.state !== 'terminated'),
    );
    if (group === undefined) return false;
    const launchedAt = new Date(this.#now()).toISOString();
    group.workers = (group.workers ?? []).flatMap((one) =>
      one.id === id
        ? [
            { ...one, state: 'terminated' as const },
            { ...one, id: nextId(id), state: 'pending' as const, launchedAt },
          ]
        : [one],
    );
    this.#store.save('groups', this.#document);
    return true;
  }

  /** Completes a hook. Returns whether one was waiting. */
  complete(name: string, instanceId: string): boolean {
    const group = this.list().find((one) => one.name === name);
    if (group?.contended === true) {
      delete group.contended;
      throw new AwsRefusal(
        'ResourceContention',
        'You already have a pending update to an Auto Scaling resource.',
        500,
      );
    }
    const waits = group?.waiting.includes(instanceId) ?? false;
    if (group !== undefined) group.waiting = group.waiting.filter((id) => id !== instanceId);
    this.#store.save('groups', this.#document);
    return waits;
  }
}

/** Instance that an autoscaler requested from its group, without a runner or an agent. */
export interface Worker {
  readonly id: string;
  readonly nameTag: string;
  readonly state: Instance['state'];
  readonly launchedAt: string;
}

/** Returns another id of the same length, with the next last digit. */
function nextId(id: string): string {
  const last = (Number.parseInt(id.slice(-1), 16) + 1) % 16;
  return `${id.slice(0, -1)}${last.toString(16)}`;
}

export interface Group {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly hook: string;
  /** Instances that the terminating hook holds. */
  waiting: string[];
  workers?: readonly Worker[];
  /** Time for which the hook holds them. Default: an hour. */
  heartbeatSeconds?: number;
  since?: number;
  /** Whether another activity of the group makes the next change fail. */
  contended?: boolean;
}

const usualHeartbeatSeconds = 3600;

export function autoScalingOperations(groups: Groups): Readonly<Record<string, QueryOperation>> {
  return {
    DescribeAutoScalingGroups: (form) => {
      const all = find(groups, form);
      const start = Number(form.text('NextToken') ?? 0);
      const end = start + mostOnAPage;
      return {
        AutoScalingGroups: all.slice(start, end).map(describe),
        ...(end < all.length ? { NextToken: String(end) } : {}),
      };
    },
    DescribeLifecycleHooks: (form) => ({
      LifecycleHooks: [known(groups, form)].map(({ name, hook }) => ({
        LifecycleHookName: hook,
        AutoScalingGroupName: name,
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      })),
    }),
    CompleteLifecycleAction: (form) => {
      const instance = form.text('InstanceId') ?? '';
      const { name, hook } = known(groups, form);
      const result = form.text('LifecycleActionResult') ?? '';
      if (!['CONTINUE', 'ABANDON'].includes(result))
        throw new AwsRefusal('ValidationError', `Invalid Lifecycle Action Result: ${result}`);
      const isHook = form.text('LifecycleHookName') === hook;
      if (isHook && groups.complete(name, instance)) return {};
      const text = `No active Lifecycle Action found with instance ID ${instance}`;
      throw new AwsRefusal('ValidationError', text);
    },
  };
}

const mostOnAPage = 2;

function find(groups: Groups, form: Form): readonly Group[] {
  const names = form.list('AutoScalingGroupNames');
  return groups
    .list()
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter(({ tags }) =>
      form.filters().every(({ name, values }) => values.includes(tags[name.slice(4)] ?? '')),
    );
}

function known(groups: Groups, form: Form): Group {
  const name = form.text('AutoScalingGroupName') ?? '';
  const group = groups.list().find((one) => one.name === name);
  if (group !== undefined) return group;
  throw new AwsRefusal('ValidationError', `AutoScalingGroup name not found - ${name}`);
}

function describe({ name, tags, waiting }: Group) {
  return {
    AutoScalingGroupName: name,
    Instances: waiting.map((id) => ({ InstanceId: id, LifecycleState: 'Terminating:Wait' })),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  };
}
