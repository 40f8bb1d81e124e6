import type { Fleet } from '../hosts/fleet.ts';
import type { Instance } from '../hosts/instance.ts';
import type { Form } from './form.ts';
import type { Leftovers } from './leftovers.ts';
import { AwsRefusal } from './refusal.ts';
import type { XmlValue } from './xml.ts';

export type QueryOperation = (form: Form) => XmlValue;

/** EC2's half of the machines, and of what was left behind. */
export function ec2Operations(world: {
  readonly fleet: Fleet;
  readonly leftovers: Leftovers;
}): Readonly<Record<string, QueryOperation>> {
  const { fleet, leftovers } = world;
  return {
    DescribeInstances: (form) => describeInstances(fleet, form),
    TerminateInstances: (form) => terminateInstances(fleet, form),
    DescribeTags: (form) => describeTags(world, form),
    DeleteSecurityGroup: (form) => removeLeftover(leftovers, form, 'GroupId'),
    DeleteNetworkInterface: (form) => removeLeftover(leftovers, form, 'NetworkInterfaceId'),
  };
}

function describeInstances(fleet: Fleet, form: Form): XmlValue {
  refuseRehearsal(form);
  const ids = form.list('InstanceId');
  const found = fleet
    .list()
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter((instance) => form.filters().every((filter) => passes(instance, filter)));
  refuseUnknown(fleet, ids);
  return {
    reservationSet: found.map((instance) => ({
      reservationId: instance.id.replace('i-', 'r-'),
      instancesSet: [describe(instance)],
    })),
  };
}

function refuseUnknown(fleet: Fleet, ids: readonly string[]): void {
  const unknown = ids.filter((id) => fleet.find(id) === undefined);
  if (unknown.length === 0) return;
  const text = `The instance ID '${unknown.join(', ')}' does not exist`;
  throw new AwsRefusal('InvalidInstanceID.NotFound', text);
}

function passes(instance: Instance, { name, values }: Filter): boolean {
  const tag = /^tag:(.+)$/.exec(name)?.[1];
  if (tag !== undefined) return values.some((value) => isLike(value, instance.tags[tag]));
  if (name === 'instance-state-name') return values.includes(instance.state);
  throw new AwsRefusal('InvalidParameterValue', `The filter '${name}' is invalid`);
}

interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

/** EC2's wildcards; a backslash takes their meaning from them. */
function isLike(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const source = pattern.replace(/\\([*?\\])|([*?])|([.+^${}()|[\]\\])/g, (...match) => {
    const [, escaped, wildcard, special] = match as (string | undefined)[];
    if (escaped !== undefined) return `\\${escaped}`;
    if (wildcard !== undefined) return wildcard === '*' ? '.*' : '.';
    return `\\${special}`;
  });
  return new RegExp(`^${source}$`, 's').test(text);
}

function describe(instance: Instance): XmlValue {
  const { id, state, launchedAt, tags, terminatedAt } = instance;
  return {
    instanceId: id,
    instanceState: { code: stateCodes[state], name: state },
    reason: terminatedAt === undefined ? '' : `User initiated (${terminatedAt})`,
    launchTime: launchedAt,
    privateIpAddress: state === 'terminated' ? undefined : '10.0.0.10',
    tagSet: Object.entries(tags).map(([key, value]) => ({ key, value })),
  };
}

const stateCodes: Readonly<Record<Instance['state'], number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};

function terminateInstances(fleet: Fleet, form: Form): XmlValue {
  const ids = form.list('InstanceId');
  refuseUnknown(fleet, ids);
  refuseRehearsal(form);
  return {
    instancesSet: ids.map((id) => {
      const previous = fleet.find(id)?.state ?? 'terminated';
      void fleet.terminate(id);
      const current = fleet.find(id)?.state ?? 'terminated';
      return {
        instanceId: id,
        currentState: { code: stateCodes[current], name: current },
        previousState: { code: stateCodes[previous], name: previous },
      };
    }),
  };
}

function refuseRehearsal(form: Form): void {
  if (form.text('DryRun') !== 'true') return;
  const text = 'Request would have succeeded, but DryRun flag is set.';
  throw new AwsRefusal('DryRunOperation', text, 412);
}

function describeTags(
  { fleet, leftovers }: { fleet: Fleet; leftovers: Leftovers },
  form: Form,
): XmlValue {
  refuseRehearsal(form);
  const filters = form.filters();
  const wanted = (name: string, text: string) =>
    filters
      .filter((filter) => filter.name === name)
      .every(({ values }) => values.some((value) => isLike(value, text)));
  const resources = [
    ...fleet.list().map(({ id, tags }) => ({ type: 'instance', id, tags })),
    ...leftovers.list().filter(({ id }) => !id.startsWith('arn:')),
  ];
  const asked = resources.filter(({ id }) => wanted('resource-id', id));
  const tags = asked.flatMap(({ type, id, tags: own }) =>
    Object.entries(own)
      .filter(([key, value]) => wanted('key', key) && wanted('value', value))
      .map(([key, value]) => ({ resourceId: id, resourceType: type, key, value })),
  );
  return { tagSet: tags };
}

function removeLeftover(leftovers: Leftovers, form: Form, key: string): XmlValue {
  const id = form.text(key) ?? '';
  const found = leftovers.list().find((one) => one.id === id);
  if (found === undefined) {
    const code = key === 'GroupId' ? 'InvalidGroup.NotFound' : 'InvalidNetworkInterfaceID.NotFound';
    throw new AwsRefusal(code, `The resource '${id}' does not exist`);
  }
  refuseRehearsal(form);
  if (found.inUse) {
    const code = key === 'GroupId' ? 'DependencyViolation' : 'InvalidNetworkInterface.InUse';
    throw new AwsRefusal(code, `resource ${id} has a dependent object`);
  }
  leftovers.remove(id);
  return { return: true };
}
