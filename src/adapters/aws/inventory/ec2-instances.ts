import type { DescribeInstancesRequest, EC2, Instance as Ec2Instance } from '@aws-sdk/client-ec2';
import { type Instance, type InstanceState, isEndable } from '../../../domain/instance.ts';
import { managerHostName, type StackShard } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Instances } from '../../../ports/cloud/instances.ts';
import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import { lacking } from '../aws-client.ts';
import { isHostId } from '../hosts/hosts.ts';
import { readAwsPages } from '../pages.ts';
import type { Ec2 } from '../services.ts';
import { hasTags, isTaggedAs, type TagKeys, toTags } from './tag-match.ts';

/** Lists the machines of a shard from EC2. */
export function createInstances({
  ec2,
  clock,
  keys,
}: {
  ec2: Ec2;
  clock: Clock;
  keys: TagKeys;
}): Instances {
  return {
    list: (shard) => listByName(ec2, managerHostName(shard)),
    listWorkers: (shard) => listWorkers(ec2, keys, shard),
    find: (id) => findInstance(ec2, id),
    rehearseTermination: (id) => rehearse(ec2, id),
    terminate: (instance) => terminate({ ec2, clock }, instance),
  };
}

export async function listByName(ec2: Ec2, name: string): Promise<readonly Instance[]> {
  const found = await describe(ec2, {
    what: `DescribeInstances tag:Name=${name}`,
    request: { Filters: [{ Name: 'tag:Name', Values: [literally(name)] }], MaxResults: 100 },
    tagged: ['Name'],
  });
  // The filter supports wildcards, so the exact name is checked here: another stack may share the
  // prefix.
  return found.filter(({ tags }) => tags['Name'] === name);
}

/** Lists every instance with both tags of the shard, including terminated ones. */
export async function listTaggedInstances(
  ec2: Ec2,
  keys: TagKeys,
  shard: StackShard,
): Promise<readonly Instance[]> {
  const found = await describe(ec2, {
    what: `DescribeInstances with the tags of ${shard.shard}-${shard.runnerName}`,
    request: { Filters: tagFilters(keys, shard), MaxResults: 100 },
    tagged: [keys.stackTag, keys.shardTag],
  });
  return found.filter(({ tags }) => isTaggedAs(tags, keys, shard));
}

/** Lists workers. The autoscaler gives them the tags of their manager and another name. */
async function listWorkers(
  ec2: Ec2,
  keys: TagKeys,
  shard: StackShard,
): Promise<readonly Instance[]> {
  const manager = managerHostName(shard);
  const found = await listTaggedInstances(ec2, keys, shard);
  return found.filter(({ tags, state }) => tags['Name'] !== manager && state !== 'terminated');
}

function tagFilters(keys: TagKeys, { runnerName, shard }: StackShard) {
  return [
    { Name: `tag:${keys.stackTag}`, Values: [literally(runnerName)] },
    { Name: `tag:${keys.shardTag}`, Values: [literally(shard)] },
  ];
}

export async function findInstance(ec2: Ec2, id: string): Promise<Instance | undefined> {
  const found = await describe(ec2, {
    what: `DescribeInstances ${checked(id)}`,
    request: { InstanceIds: [id] },
    answers: ['InvalidInstanceID.NotFound'],
  });
  return found.find((instance) => instance.id === id);
}

/** Escapes a star and a question mark in a filter value. */
export function literally(value: string): string {
  return value.replace(/[\\*?]/g, '\\$&');
}

interface Description {
  readonly what: string;
  readonly request: DescribeInstancesRequest;
  readonly answers?: readonly string[];
  /** Keys of the tags that the request filters by. */
  readonly tagged?: readonly string[];
}

export async function describe(
  ec2: Ec2,
  { what, request, answers = [], tagged = [] }: Description,
): Promise<readonly Instance[]> {
  const instances: Instance[] = [];
  const pages = readAwsPages({
    service: ec2,
    what,
    answers,
    call: (client: EC2, token, options) =>
      client.describeInstances({ ...request, ...token }, options),
  });
  for await (const { Reservations: reservations } of pages) {
    if (reservations === undefined) throw lacking(ec2, what, 'no reservationSet');
    for (const { Instances: listed } of reservations) {
      if (listed === undefined) throw lacking(ec2, what, 'a reservation without instancesSet');
      if (listed.some(({ Tags: tags }) => !hasTags(tags, tagged)))
        throw lacking(ec2, what, `an instance without the tag ${tagged.join(' or ')}`);
      instances.push(...listed.map((one) => validInstance(ec2, what, one)));
    }
  }
  return instances;
}

const states: ReadonlySet<string> = new Set<InstanceState>([
  'pending',
  'running',
  'stopping',
  'stopped',
  'shutting-down',
  'terminated',
]);

function validInstance(ec2: Ec2, what: string, given: Ec2Instance): Instance {
  const { InstanceId: id, State: state, LaunchTime: launched } = given;
  if (id === undefined || !isHostId(id)) throw lacking(ec2, what, 'no instanceId in an entry');
  if (!(launched instanceof Date) || Number.isNaN(launched.getTime()))
    throw lacking(ec2, what, `no launchTime of ${id}`);
  const tags = toTags(given.Tags);
  const group = tags['aws:autoscaling:groupName'];
  const reason = given.StateTransitionReason ?? '';
  const parts = [
    ...(given.BlockDeviceMappings ?? []).map(({ Ebs: disk }) => disk?.VolumeId),
    ...(given.NetworkInterfaces ?? []).map(({ NetworkInterfaceId }) => NetworkInterfaceId),
  ].filter((part) => part !== undefined);
  return {
    id,
    state: states.has(state?.Name ?? '') ? (state?.Name as InstanceState) : 'unknown',
    launchedAt: launched.toISOString(),
    tags,
    ...(group === undefined ? {} : { autoScalingGroup: group }),
    ...(parts.length === 0 ? {} : { parts }),
    ...(given.PublicIpAddress ? { publicIp: given.PublicIpAddress } : {}),
    ...(given.PrivateIpAddress ? { privateIp: given.PrivateIpAddress } : {}),
    ...(reason === '' ? {} : { reason }),
  };
}

async function rehearse(ec2: Ec2, id: string): ReturnType<Instances['rehearseTermination']> {
  try {
    const answer = await ec2.send({
      what: `TerminateInstances ${checked(id)} (dry run)`,
      effect: 'read',
      call: (client, options) =>
        client.terminateInstances({ InstanceIds: [id], DryRun: true }, options),
      answers: ['DryRunOperation'],
    });
    if (answer.kind === 'refusal') return { kind: 'allowed' };
  } catch (error) {
    if (!isPortFailure(error) || error.kind !== 'denied') throw error;
    return { kind: 'denied', reason: error.detail };
  }
  // A dry run always ends in an error. A success would come from another server.
  throw lacking(ec2, `TerminateInstances ${id} (dry run)`, 'neither DryRunOperation nor a refusal');
}

interface Ec2Access {
  readonly ec2: Ec2;
  readonly clock: Clock;
}

async function terminate(
  access: Ec2Access,
  { id, shard }: { id: string; shard: StackShard },
): Promise<'ending' | 'ended_already'> {
  const { ec2 } = access;
  const what = `TerminateInstances ${id}`;
  const refused = (detail: string) => ec2.refused(what, detail);
  const found = await findInstance(ec2, id);
  if (found === undefined) throw refused('EC2 lists no instance with this id');
  const name = managerHostName(shard);
  if (found.tags['Name'] !== name) {
    throw refused(`its Name tag is ${JSON.stringify(found.tags['Name'] ?? '')}, not "${name}"`);
  }
  if (!isEndable(found)) return 'ended_already';
  const rehearsal = await rehearse(ec2, id);
  if (rehearsal.kind === 'denied') {
    const facts = { effect: 'none', source: `EC2 ${what}`, detail: rehearsal.reason } as const;
    throw new PortFailure({ kind: 'denied', ...facts });
  }
  await sendTermination(ec2, id);
  await awaitEnd(access, id);
  return 'ending';
}

/** Terminates one instance per call: one wrong id makes EC2 refuse the whole list. */
export async function sendTermination(ec2: Ec2, id: string): Promise<void> {
  await ec2.send({
    what: `TerminateInstances ${checked(id)}`,
    effect: 'write',
    call: (client) => client.terminateInstances({ InstanceIds: [id] }),
  });
}

const mostPolls = 15;
const pauseMs = 2000;

/**
 * Waits until EC2 reports the instance as terminated. The response to the request does not prove
 * it.
 */
export async function awaitEnd({ ec2, clock }: Ec2Access, id: string): Promise<void> {
  await pollUntil({ clock, cadence: { pollMs: pauseMs } }, async (polls) => {
    if (polls > mostPolls) {
      throw ec2.unexpected({
        what: `TerminateInstances ${id}`,
        detail: 'accepted, but the end of the instance was not observed',
        effect: 'write',
      });
    }
    const found = await findInstance(ec2, id);
    return found === undefined || !isEndable(found) ? done(true) : pending();
  });
}

function checked(id: string): string {
  if (/^i-[0-9a-f]{8,17}$/.test(id)) return id;
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `EC2 ${JSON.stringify(id.slice(0, 40))}`,
    detail: 'this is not an instance id',
  });
}
