import { runInBackground } from '../../../src/domain/background.ts';
import type { Fleet } from '../../hosts/fleet.ts';
import type { Instance } from '../../hosts/instance.ts';
import type { Form } from '../form.ts';
import { AwsRefusal } from '../refusal.ts';
import type { Caller } from '../sessions.ts';
import type { XmlValue } from '../xml.ts';
import type { Groups } from './auto-scaling-operations.ts';
import type { Leftovers } from './leftovers.ts';

export type QueryOperation = (form: Form, caller: Caller) => XmlValue;

export interface Ec2World {
  readonly fleet: Fleet;
  readonly leftovers: Leftovers;
  readonly groups: Groups;
  /** Time for which a new instance is unknown, and afterwards without tags. */
  readonly lagMs: number;
  now(): number;
}

/** Creates the EC2 operations for machines and leftovers. */
export function ec2Operations(world: Ec2World): Readonly<Record<string, QueryOperation>> {
  const { leftovers } = world;
  return {
    DescribeInstances: (form) => describeInstances(world, form),
    TerminateInstances: (form) => terminateInstances(world, form),
    DescribeTags: (form) => describeTags(world, form),
    CreateTags: (form) => createTags(world, form),
    DeleteSecurityGroup: (form) => removeLeftover(leftovers, form, 'GroupId'),
    DeleteNetworkInterface: (form) => removeLeftover(leftovers, form, 'NetworkInterfaceId'),
  };
}

function describeInstances(world: Ec2World, form: Form): XmlValue {
  refuseRehearsal(form);
  const ids = form.list('InstanceId');
  if (ids.length > 0 && form.text('MaxResults') !== undefined)
    throw new AwsRefusal(
      'InvalidParameterCombination',
      'The parameter instancesSet cannot be used with the parameter maxResults',
    );
  const all = shown(world).filter(({ id }) => ids.length === 0 || ids.includes(id));
  // Filters apply after the paging, so an empty page may precede others.
  const { page, next } = pageOf(all, form);
  const found = page.filter((instance) => form.filters().every((one) => passes(instance, one)));
  refuseUnknown(world, ids);
  return {
    ...next,
    reservationSet: found.map((instance) => ({
      reservationId: instance.id.replace('i-', 'r-'),
      instancesSet: [describe(instance)],
    })),
  };
}

/** Lists the instances that EC2 shows already. */
function shown({ fleet, groups, lagMs, now }: Ec2World): readonly Instance[] {
  const ageMs = ({ launchedAt }: Instance) => now() - Date.parse(launchedAt);
  return [...fleet.list(), ...groups.listWorkers()]
    .filter((instance) => ageMs(instance) >= lagMs)
    .map((instance) => {
      if (ageMs(instance) < 2 * lagMs) return { ...instance, tags: {} };
      const group = groups.list().find(({ waiting }) => waiting.includes(instance.id))?.name;
      const made = group === undefined ? {} : { 'aws:autoscaling:groupName': group };
      return { ...instance, tags: { ...instance.tags, ...made } };
    });
}

/** Returns one page. AWS may return fewer items than requested, and the sandbox does. */
function pageOf<T>(
  all: readonly T[],
  form: Form,
): { page: readonly T[]; next: Record<string, string> } {
  if (form.text('MaxResults') === undefined) return { page: all, next: {} };
  const start = Number(form.text('NextToken') ?? 0);
  const end = start + mostOnAPage;
  return {
    page: all.slice(start, end),
    next: end < all.length ? { nextToken: String(end) } : {},
  };
}

const mostOnAPage = 5;

/** EC2 refuses malformed ids before unknown ones. */
function refuseUnknown(world: Ec2World, ids: readonly string[]): void {
  const malformed = ids.find((id) => !/^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(id));
  if (malformed !== undefined)
    throw new AwsRefusal('InvalidInstanceID.Malformed', `Invalid id: "${malformed}"`);
  const known = new Set(shown(world).map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
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

/** Matches EC2's wildcards. A backslash escapes them. */
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

/** Adds tags to machines, or replaces those with the same key. All ids have to exist. */
function createTags(world: Ec2World, form: Form): XmlValue {
  const ids = form.list('ResourceId');
  refuseUnknown(world, ids);
  refuseRehearsal(form);
  const tags = form.keyValues('Tag');
  for (const id of ids) world.fleet.tag(id, tags);
  return { return: 'true' };
}

function terminateInstances(world: Ec2World, form: Form): XmlValue {
  const { fleet, groups } = world;
  const ids = form.list('InstanceId');
  refuseUnknown(world, ids);
  // A dry run only checks permissions, and ignores the termination protection.
  refuseRehearsal(form);
  const held = ids.find((id) => fleet.find(id)?.isProtected === true);
  if (held !== undefined)
    throw new AwsRefusal(
      'OperationNotPermitted',
      `The instance '${held}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    );
  return {
    instancesSet: ids.map((id) => {
      const stateNow = () =>
        [...fleet.list(), ...groups.listWorkers()].find((one) => one.id === id)?.state;
      const previous = stateNow() ?? 'terminated';
      if (!groups.endWorker(id)) runInBackground(fleet.terminate(id));
      const current = stateNow() ?? 'terminated';
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

function describeTags(world: Ec2World, form: Form): XmlValue {
  refuseRehearsal(form);
  const filters = form.filters();
  const wanted = (name: string, text: string) =>
    filters
      .filter((filter) => filter.name === name)
      .every(({ values }) => values.some((value) => isLike(value, text)));
  const resources = [
    ...shown(world).map(({ id, tags }) => ({ type: 'instance', id, tags })),
    ...world.leftovers.list().filter(({ id }) => !id.startsWith('arn:')),
  ];
  const requested = resources.filter(({ id }) => wanted('resource-id', id));
  const tags = requested.flatMap(({ type, id, tags: own }) =>
    Object.entries(own)
      .filter(([key, value]) => wanted('key', key) && wanted('value', value))
      .map(([key, value]) => ({ resourceId: id, resourceType: type, key, value })),
  );
  const { page, next } = pageOf(tags, form);
  return { ...next, tagSet: page };
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
