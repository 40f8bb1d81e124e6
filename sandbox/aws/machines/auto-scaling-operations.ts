import type { SandboxStore } from '../world/store.ts';
import type { QueryOperation } from './ec2-operations.ts';
import type { Form } from './form.ts';
import { AwsRefusal } from './refusal.ts';

/** Auto Scaling groups as far as their terminating hooks go. */
export class Groups {
  readonly #store: SandboxStore;
  readonly #document: { groups: Group[] };

  constructor(store: SandboxStore) {
    this.#store = store;
    this.#document = store.load<{ groups: Group[] }>('groups') ?? { groups: [] };
  }

  list(): readonly Group[] {
    return this.#document.groups;
  }

  add(group: Group): void {
    this.#document.groups.push(group);
    this.#store.save('groups', this.#document);
  }

  /** Whether an action waited there. */
  complete(name: string, instanceId: string): boolean {
    const group = this.#document.groups.find((one) => one.name === name);
    const waits = group?.waiting.includes(instanceId) ?? false;
    if (group !== undefined) group.waiting = group.waiting.filter((id) => id !== instanceId);
    this.#store.save('groups', this.#document);
    return waits;
  }
}

export interface Group {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly hook: string;
  /** Instances that the terminating hook holds. */
  waiting: string[];
}

export function autoScalingOperations(groups: Groups): Readonly<Record<string, QueryOperation>> {
  return {
    DescribeAutoScalingGroups: (form) => ({ AutoScalingGroups: find(groups, form).map(describe) }),
    DescribeLifecycleHooks: (form) => ({
      LifecycleHooks: [known(groups, form)].map(({ name, hook }) => ({
        LifecycleHookName: hook,
        AutoScalingGroupName: name,
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      })),
    }),
    CompleteLifecycleAction: (form) => {
      const instance = form.text('InstanceId') ?? '';
      if (groups.complete(known(groups, form).name, instance)) return {};
      const text = `No active Lifecycle Action found with instance ID ${instance}`;
      throw new AwsRefusal('ValidationError', text);
    },
  };
}

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
