import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { type Instance, isEndable } from '../../../domain/instance.ts';
import { managerHostName, type StackShard } from '../../../domain/shard.ts';
import type { LifecycleHooks, WaitingHook } from '../../../ports/cloud/lifecycle-hooks.ts';
import { lacking } from '../aws-client.ts';
import type { AutoScaling, Ec2 } from '../services.ts';
import { listNamedGroups, listTaggedGroups, nameOf } from './auto-scaling-groups.ts';
import { findInstance, listByName } from './ec2-instances.ts';
import type { TagKeys } from './tag-match.ts';

export interface LifecycleHooksOptions {
  readonly autoScaling: AutoScaling;
  readonly ec2: Ec2;
  readonly keys: TagKeys;
}

/**
 * Lists hooks of groups with the shard's tags, and of other groups that contain one of its
 * managers.
 */
export function createLifecycleHooks(options: LifecycleHooksOptions): LifecycleHooks {
  return {
    listWaiting: (shard) => listWaiting(options, shard),
    complete: (hook) => complete(options.autoScaling, hook),
  };
}

async function listWaiting(
  { autoScaling, ec2, keys }: LifecycleHooksOptions,
  shard: StackShard,
): Promise<readonly WaitingHook[]> {
  const managers = await listByName(ec2, managerHostName(shard));
  const ownGroups = await listTaggedGroups(autoScaling, keys, shard);
  const known = ownGroups.map(nameOf);
  const foreign = [...new Set(managers.flatMap(({ autoScalingGroup }) => autoScalingGroup ?? []))];
  const others = await listNamedGroups(
    autoScaling,
    foreign.filter((name) => !known.includes(name)),
  );
  const managerIds = managers.map(({ id }) => id);
  const waiting: WaitingHook[] = [];
  for (const group of ownGroups) waiting.push(...(await waitingIn({ autoScaling, ec2 }, group)));
  for (const group of others) {
    const all = await waitingIn({ autoScaling, ec2 }, group);
    waiting.push(...all.filter(({ instanceId }) => managerIds.includes(instanceId)));
  }
  return waiting;
}

async function waitingIn(
  { autoScaling, ec2 }: Pick<LifecycleHooksOptions, 'autoScaling' | 'ec2'>,
  group: AutoScalingGroup,
): Promise<WaitingHook[]> {
  const name = nameOf(group);
  const incomplete = (missing: string) =>
    lacking(autoScaling, `DescribeAutoScalingGroups ${name}`, missing);
  if (group.Instances === undefined) throw incomplete('no Instances');
  const ids = group.Instances.flatMap(({ InstanceId: id, LifecycleState: state }) => {
    if (id === undefined || state === undefined)
      throw incomplete('an instance without its id or its state');
    return state === 'Terminating:Wait' ? id : [];
  });
  if (ids.length === 0) return [];
  const hooks = await terminatingHooks(autoScaling, name);
  const waiting: WaitingHook[] = [];
  for (const instanceId of ids) {
    const instance = formatState(await findInstance(ec2, instanceId));
    waiting.push(...hooks.map((hook) => ({ group: name, hook, instanceId, instance })));
  }
  return waiting;
}

async function terminatingHooks(autoScaling: AutoScaling, group: string): Promise<string[]> {
  const what = `DescribeLifecycleHooks ${group}`;
  const answer = await autoScaling.send({
    what,
    effect: 'read',
    call: (client, options) =>
      client.describeLifecycleHooks({ AutoScalingGroupName: group }, options),
  });
  const hooks = answer.kind === 'answer' ? answer.value.LifecycleHooks : undefined;
  if (hooks === undefined) throw lacking(autoScaling, what, 'no LifecycleHooks');
  return hooks.flatMap(({ LifecycleHookName: name, LifecycleTransition: transition }) => {
    if (name === undefined || transition === undefined)
      throw lacking(autoScaling, what, 'a hook without its name or its transition');
    return transition === 'autoscaling:EC2_INSTANCE_TERMINATING' ? name : [];
  });
}

async function complete(
  autoScaling: AutoScaling,
  { group, hook, instanceId }: WaitingHook,
): Promise<'completed' | 'gone'> {
  const what = `CompleteLifecycleAction ${group} ${hook} ${instanceId}`;
  const answer = await autoScaling.send({
    what,
    effect: 'write',
    call: (client) =>
      client.completeLifecycleAction({
        AutoScalingGroupName: group,
        LifecycleHookName: hook,
        InstanceId: instanceId,
        LifecycleActionResult: 'CONTINUE',
      }),
    answers: ['ValidationError'],
  });
  if (answer.kind === 'answer') return 'completed';
  if (/no active lifecycle action/i.test(answer.message)) return 'gone';
  throw autoScaling.refused(what, answer.message);
}

function formatState(instance: Instance | undefined): WaitingHook['instance'] {
  if (instance === undefined) return 'absent';
  if (instance.state === 'terminated') return 'terminated';
  return isEndable(instance) ? 'alive' : 'ending';
}
