import type { Fleet } from '../../hosts/fleet.ts';
import type { Instance } from '../../hosts/instance.ts';
import type { Body, OperationCall } from '../operation.ts';
import { AwsRefusal } from '../refusal.ts';
import { type Commands, type Invocation, isOver, matches, type Target } from './commands.ts';
import { type Documents, documentOperations } from './documents.ts';
import { listInvocations } from './invocation-list.ts';
import { sendCommand } from './send-command.ts';

/** Creates the operations of Run Command and of Systems Manager's agents. */
export function commandOperations(
  commands: Commands,
  documents: Documents,
  agents: Agents,
): Readonly<Record<string, (call: OperationCall) => Body>> {
  return {
    SendCommand: ({ body }) => sendCommand({ commands, documents }, body, agents.now()),
    ...documentOperations(documents),
    GetCommandInvocation: ({ body }) =>
      describeResult(commands.find(String(body['CommandId']), String(body['InstanceId']))),
    ListCommandInvocations: ({ body }) =>
      listInvocations({ commands, listedAfterMs: agents.listedAfterMs, now: agents.now }, body),
    CancelCommand: ({ body }) => {
      commands.cancel(String(body['CommandId']), body['InstanceIds'] as string[] | undefined);
      return {};
    },
    DescribeInstanceInformation: ({ body }) => describeAgents(agents, body),
  };
}

export interface Agents {
  readonly fleet: Fleet;
  /** Time for which a lost agent is still reported as online. */
  readonly seenOnlineMs: number;
  /** Time for which a new command is missing in lists. */
  readonly listedAfterMs: number;
  now(): number;
}

function describeResult(invocation: Invocation): Body {
  const ended = isOver(invocation);
  return {
    CommandId: invocation.commandId,
    InstanceId: invocation.instanceId,
    Comment: invocation.request.comment,
    DocumentName: invocation.request.documentName,
    PluginName: 'aws:runShellScript',
    ResponseCode: invocation.responseCode,
    ExecutionStartDateTime: timeOf(invocation.startedAtMs),
    ExecutionEndDateTime: timeOf(invocation.finishedAtMs),
    ExecutionElapsedTime: elapsedOf(invocation),
    Status: invocation.status,
    StatusDetails: invocation.details,
    StandardOutputContent: ended ? cut(invocation.out, 24_000) : '',
    StandardOutputUrl: '',
    StandardErrorContent: ended ? cut(invocation.err, 8000) : '',
    StandardErrorUrl: '',
  };
}

/** Cuts output like the agent. The limit includes the agent's own text (an assumption). */
function cut(text: string, most: number): string {
  const suffix = '--output truncated--';
  return text.length < most ? text : `${text.slice(0, most - suffix.length)}${suffix}`;
}

function describeAgents(agents: Agents, body: Body): Body {
  const filters = (body['Filters'] ?? []) as Target[];
  const older = (
    (body['InstanceInformationFilterList'] ?? []) as { key: string; valueSet: string[] }[]
  ).map(({ key, valueSet }) => ({ Key: key, Values: valueSet }));
  if (filters.length > 1 && filters.some(({ Key }) => Key.startsWith('tag'))) {
    throw new AwsRefusal(
      'InvalidInstanceInformationFilterValue',
      'Tag filters cannot be mixed with others.',
    );
  }
  const listed = agents.fleet
    .list()
    .filter((instance) => isListed(agents, instance))
    .filter((instance) =>
      [...filters, ...older].every((filter) => passes(agents, instance, filter)),
    );
  const size = Number(body['MaxResults'] ?? 50);
  const start = Number(body['NextToken'] ?? 0);
  return {
    InstanceInformationList: listed
      .slice(start, start + size)
      .map((own) => describeAgent(agents, own)),
    ...(start + size < listed.length ? { NextToken: String(start + size) } : {}),
  };
}

/**
 * Decides whether an agent is listed. Stopped and terminated instances are not; AWS does not
 * document the delay.
 */
function isListed(agents: Agents, instance: Instance): boolean {
  if (instance.agentRegisteredAt === undefined) return false;
  return instance.state === 'running' || pingStatusOf(agents, instance) === 'Online';
}

function passes(agents: Agents, instance: Instance, filter: Target): boolean {
  if (filter.Key === 'PingStatus') return filter.Values.includes(pingStatusOf(agents, instance));
  return matches(instance, filter);
}

// Describes an agent, without the Name tag, which belongs to EC2.
function describeAgent(agents: Agents, instance: Instance): Body {
  const { agentLostAt, bootedAt, launchedAt } = instance;
  const lastMs = Date.parse(agentLostAt ?? bootedAt ?? launchedAt);
  return {
    InstanceId: instance.id,
    PingStatus: pingStatusOf(agents, instance),
    LastPingDateTime: (instance.agent === 'lost' ? lastMs : agents.now()) / 1000,
    AgentVersion: '3.3.987.0',
    IsLatestVersion: true,
    PlatformType: 'Linux',
    PlatformName: 'Amazon Linux',
    PlatformVersion: '2023',
    ResourceType: 'EC2Instance',
    IPAddress: '10.0.0.10',
    ComputerName: `${instance.id}.${'eu-west-1'}.compute.internal`,
    SourceId: instance.id,
    SourceType: 'AWS::EC2::Instance',
  };
}

/** Returns the agent's status. The agent pings every five minutes, so its end is noticed late. */
function pingStatusOf({ seenOnlineMs, now }: Agents, { agent, agentLostAt }: Instance): string {
  const seenUntilMs = Date.parse(agentLostAt ?? '') + seenOnlineMs;
  return agent !== 'lost' || now() < seenUntilMs ? 'Online' : 'ConnectionLost';
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString();
}

function elapsedOf({ startedAtMs, finishedAtMs }: Invocation): string {
  if (startedAtMs === undefined || finishedAtMs === undefined) return '';
  return `PT${((finishedAtMs - startedAtMs) / 1000).toFixed(3)}S`;
}
