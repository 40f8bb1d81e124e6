import { listManagedHosts } from '../../../src/adapters/aws/hosts/hosts.ts';
import { createRunningOrders } from '../../../src/adapters/aws/hosts/order-list.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import type { Ssm } from '../../../src/adapters/aws/services.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { createClient, refusalNamed } from '../stub-client.ts';
import { at, instanceId, kindOf, pink, type Reading } from './reading-answers.ts';

const commandId = '11111111-2222-4333-8444-555555555555';
const done = {
  Status: 'Success',
  StatusDetails: 'Success',
  ResponseCode: 0,
  ExecutionStartDateTime: '2026-11-02T08:00:00.000Z',
  StandardOutputContent: 'ok',
  StandardErrorContent: '',
};
const order = {
  hostId: instanceId,
  script: 'true',
  comment: 'look',
  executionSeconds: 30,
  effect: 'read',
} as const;
const run = (answers: object) =>
  createRunCommand({
    ssm: createClient({ sendCommand: { Command: { CommandId: commandId } }, ...answers }),
    clock: createVirtualClock(),
  }).run(order);

async function listsOrder(ssm: Ssm): Promise<boolean> {
  const running = createRunningOrders(createVirtualClock());
  const own = { commandId, hostId: instanceId, sentAt: 0 };
  await running.isListed({ ...own, hostId: 'i-other' }, ssm);
  return running.isListed(own, ssm);
}

const known = { Name: '/a/b', Value: 'x', Version: 3, LastModifiedDate: at, Type: 'String' };
const parameters = (answers: object) => createParameterStore({ ssm: createClient({ ...answers }) });

/** Responses of Systems Manager. */
export const ssmReadings: readonly Reading[] = [
  {
    operation: 'hosts.ts describeInstanceInformation',
    answer: {
      InstanceInformationList: [
        {
          InstanceId: instanceId,
          PingStatus: 'Online',
          LastPingDateTime: at,
          AgentVersion: '3.3.1',
          PlatformType: 'Linux',
        },
      ],
    },
    read: (answer) => listManagedHosts(createClient({ describeInstanceInformation: answer }), pink),
    format: ([host]: { agent: string }[]) => String(host?.agent),
    is: 'online',
    otherwise: {
      'InstanceInformationList missing': 'unread',
      'InstanceInformationList.0.InstanceId missing': 'unread',
      'InstanceInformationList.0.InstanceId another word': 'unread',
      'InstanceInformationList.0.PingStatus missing': 'lost',
      'InstanceInformationList.0.PingStatus another word': 'lost',
    },
  },
  {
    operation: 'run-command.ts sendCommand',
    answer: { Command: { CommandId: commandId, Status: 'Pending', StatusDetails: 'Pending' } },
    read: (answer) => run({ sendCommand: answer, getCommandInvocation: done }),
    format: kindOf,
    is: 'ended',
    otherwise: {
      'Command missing': 'unread',
      'Command.CommandId missing': 'unread',
      'Command.CommandId another word': 'unread',
    },
  },
  {
    operation: 'run-command.ts getCommandInvocation',
    answer: done,
    read: (answer) => run({ getCommandInvocation: answer }),
    format: kindOf,
    is: 'ended',
    otherwise: {
      'Status missing': 'unread',
      'Status another word': 'unread',
      'ResponseCode missing': 'unread',
      'StandardOutputContent missing': 'unread',
    },
  },
  {
    operation: 'order-list.ts listCommandInvocations',
    answer: {
      CommandInvocations: [{ CommandId: commandId, InstanceId: instanceId, Status: 'InProgress' }],
    },
    read: (answer) => listsOrder(createClient({ listCommandInvocations: answer })),
    format: String,
    // The command is then read separately.
    is: 'true',
    otherwise: {
      'CommandInvocations missing': 'false',
      'CommandInvocations.0.CommandId missing': 'false',
      'CommandInvocations.0.CommandId another word': 'false',
      'CommandInvocations.0.InstanceId missing': 'false',
      'CommandInvocations.0.InstanceId another word': 'false',
      'CommandInvocations.0.Status missing': 'false',
      'CommandInvocations.0.Status another word': 'false',
    },
  },
  {
    operation: 'parameter-reads.ts getParameter',
    answer: { Parameter: known },
    read: (answer) => parameters({ getParameter: answer }).find('/a/b'),
    format: (found: { version: number } | undefined) => String(found?.version),
    is: '3',
    otherwise: {
      'Parameter missing': 'unread',
      'Parameter.Name missing': 'unread',
      'Parameter.Name another word': 'unread',
      'Parameter.Value missing': 'unread',
      'Parameter.Version missing': 'unread',
      'Parameter.LastModifiedDate missing': 'unread',
    },
  },
  {
    operation: 'parameter-reads.ts getParameters',
    answer: { Parameters: [known], InvalidParameters: ['/a/c'] },
    read: (answer) => {
      const store = parameters({ getParameters: answer });
      return Promise.all(['/a/b', '/a/c'].map((name) => store.find(name)));
    },
    format: (found: readonly ({ version: number } | undefined)[]) =>
      found.map((one) => one?.version ?? 'absent').join(),
    is: '3,absent',
    otherwise: {
      'Parameters missing': 'unread',
      'Parameters.0.Name missing': 'unread',
      'Parameters.0.Name another word': 'unread',
      'Parameters.0.Value missing': 'unread',
      'Parameters.0.Version missing': 'unread',
      'Parameters.0.LastModifiedDate missing': 'unread',
      'InvalidParameters missing': 'unread',
      'InvalidParameters.0 another word': 'unread',
    },
  },
  ...(['create', 'overwrite'] as const).map((write) => ({
    operation: 'parameter-store.ts putParameter',
    answer: { Version: 4, Tier: 'Standard' },
    read: (answer: object) =>
      parameters({ putParameter: answer })[write]({ name: '/a/b', value: 'x' }),
    format: ({ version }: { version: number }) => String(version),
    is: '4',
    otherwise: { 'Version missing': 'unread' },
  })),
  ...(['listVersions', 'findVersion'] as const).map((read) => ({
    operation: 'parameter-history.ts getParameterHistory',
    answer: { Parameters: [{ ...known, LastModifiedUser: 'ci' }] },
    read: (answer: object) =>
      parameters({
        getParameter: refusalNamed('ParameterVersionNotFound'),
        getParameterHistory: answer,
      })[read]('/a/b', 3),
    format: (found: { version: number } | readonly { version: number }[] | undefined) =>
      `version ${[found ?? []].flat().map(({ version }) => version)}`,
    is: 'version 3',
    otherwise: {
      'Parameters missing': 'unread',
      'Parameters.0.Name missing': 'unread',
      'Parameters.0.Name another word': 'unread',
      'Parameters.0.Value missing': 'unread',
      'Parameters.0.Version missing': 'unread',
      'Parameters.0.LastModifiedDate missing': 'unread',
    },
  })),
];
