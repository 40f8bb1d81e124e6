import type { Fleet } from '../hosts/fleet.ts';
import type { Instance } from '../hosts/instance.ts';
import { type Commands, type Invocation, matches, type Target } from './commands.ts';
import type { Body, OperationCall } from './operation.ts';
import { AwsRefusal, validationError } from './refusal.ts';

/** Run Command's operations, and what the SSM service says of its agents. */
export function commandOperations(
  commands: Commands,
  fleet: Fleet,
  now: () => number,
): Readonly<Record<string, (call: OperationCall) => Body>> {
  return {
    SendCommand: ({ body }) => sendCommand(commands, body, now()),
    GetCommandInvocation: ({ body }) =>
      describeResult(commands.find(String(body['CommandId']), String(body['InstanceId']))),
    ListCommandInvocations: ({ body }) => ({
      CommandInvocations: commands
        .list(body['CommandId'] as string | undefined, body['InstanceId'] as string | undefined)
        .map((invocation) => describeInvocation(invocation, body['Details'] === true)),
    }),
    CancelCommand: ({ body }) => {
      commands.cancel(String(body['CommandId']), body['InstanceIds'] as string[] | undefined);
      return {};
    },
    DescribeInstanceInformation: ({ body }) => describeAgents(fleet, body, now()),
  };
}

function sendCommand(commands: Commands, body: Body, nowMs: number): Body {
  const documentName = String(body['DocumentName'] ?? '');
  if (!/(?:^|\/)AWS-RunShellScript$/.test(documentName))
    throw new AwsRefusal('InvalidDocument', '');
  const parameters = (body['Parameters'] ?? {}) as Record<string, string[]>;
  const lines = parameters['commands'];
  if (lines === undefined || lines.length === 0) {
    throw new AwsRefusal('InvalidParameters', 'Parameters: commands is required.');
  }
  const deliverySeconds = Number(body['TimeoutSeconds'] ?? 3600);
  const executionSeconds = Number(parameters['executionTimeout']?.[0] ?? 3600);
  checkLimits(body, deliverySeconds, executionSeconds);
  const { commandId, invocations } = commands.send({
    instanceIds: body['InstanceIds'] as string[] | undefined,
    targets: body['Targets'] as Target[] | undefined,
    documentName,
    comment: String(body['Comment'] ?? ''),
    script: lines.join('\n'),
    deliveryTimeoutMs: deliverySeconds * 1000,
    executionTimeoutMs: executionSeconds * 1000,
  });
  return {
    Command: {
      CommandId: commandId,
      DocumentName: documentName,
      Comment: String(body['Comment'] ?? ''),
      Status: 'Pending',
      StatusDetails: 'Pending',
      RequestedDateTime: nowMs / 1000,
      ExpiresAfter: nowMs / 1000 + deliverySeconds + executionSeconds,
      Parameters: parameters,
      InstanceIds: body['InstanceIds'] ?? [],
      Targets: body['Targets'] ?? [],
      TargetCount: invocations.length,
      CompletedCount: 0,
      ErrorCount: 0,
      DeliveryTimedOutCount: 0,
      TimeoutSeconds: deliverySeconds,
    },
  };
}

function checkLimits(body: Body, deliverySeconds: number, executionSeconds: number): void {
  const ids = (body['InstanceIds'] ?? []) as string[];
  const targets = (body['Targets'] ?? []) as Target[];
  if (ids.length === 0 && targets.length === 0) {
    throw new AwsRefusal('InvalidTarget', 'Either InstanceIds or Targets must be given.');
  }
  if (ids.length > 50 || targets.length > 5) {
    throw validationError('1 validation error detected: at most 50 instance ids or 5 targets.');
  }
  if (String(body['Comment'] ?? '').length > 100) {
    throw validationError(
      "1 validation error detected: Value at 'comment' failed to satisfy constraint: Member must have length less than or equal to 100",
    );
  }
  if (!(deliverySeconds >= 30 && deliverySeconds <= 2_592_000)) {
    throw validationError(
      "1 validation error detected: Value at 'timeoutSeconds' failed to satisfy constraint: Member must have value greater than or equal to 30",
    );
  }
  if (!(executionSeconds >= 1 && executionSeconds <= 172_800)) {
    throw new AwsRefusal('InvalidParameters', 'executionTimeout must be from 1 to 172800.');
  }
}

function describeResult(invocation: Invocation): Body {
  const isOver = invocation.status !== 'Pending' && invocation.status !== 'InProgress';
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
    StandardOutputContent: isOver ? invocation.out.slice(0, 24_000) : '',
    StandardOutputUrl: '',
    StandardErrorContent: isOver ? invocation.err.slice(0, 8000) : '',
    StandardErrorUrl: '',
  };
}

function describeInvocation(invocation: Invocation, withDetails: boolean): Body {
  return {
    CommandId: invocation.commandId,
    InstanceId: invocation.instanceId,
    DocumentName: invocation.request.documentName,
    Comment: invocation.request.comment,
    RequestedDateTime: invocation.requestedAtMs / 1000,
    Status: invocation.status,
    StatusDetails: invocation.details,
    CommandPlugins: withDetails
      ? [
          {
            Name: 'aws:runShellScript',
            Status: invocation.status,
            StatusDetails: invocation.details,
            ResponseCode: invocation.responseCode,
            Output: `${invocation.out}${invocation.err}`.slice(0, 2500),
          },
        ]
      : [],
  };
}

function describeAgents(fleet: Fleet, body: Body, nowMs: number): Body {
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
  const listed = fleet
    .list()
    .filter(({ state }) => state === 'running')
    .filter((instance) => [...filters, ...older].every((filter) => passes(instance, filter)));
  const size = Math.min(Number(body['MaxResults'] ?? 50), 50);
  const start = Number(body['NextToken'] ?? 0);
  return {
    InstanceInformationList: listed
      .slice(start, start + size)
      .map((own) => describeAgent(own, nowMs)),
    ...(start + size < listed.length ? { NextToken: String(start + size) } : {}),
  };
}

function passes(instance: Instance, filter: Target): boolean {
  if (filter.Key === 'PingStatus') return filter.Values.includes(pingStatusOf(instance));
  return matches(instance, filter);
}

// The Name tag is not among it: that is EC2's.
function describeAgent(instance: Instance, nowMs: number): Body {
  const bootedAtMs = Date.parse(instance.bootedAt ?? instance.launchedAt);
  return {
    InstanceId: instance.id,
    PingStatus: pingStatusOf(instance),
    LastPingDateTime: (instance.agent === 'online' ? nowMs : bootedAtMs) / 1000,
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

function pingStatusOf(instance: Instance): string {
  return instance.agent === 'online' ? 'Online' : 'ConnectionLost';
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString();
}

function elapsedOf({ startedAtMs, finishedAtMs }: Invocation): string {
  if (startedAtMs === undefined || finishedAtMs === undefined) return '';
  return `PT${((finishedAtMs - startedAtMs) / 1000).toFixed(3)}S`;
}
