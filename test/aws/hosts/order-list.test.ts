import type { SSM } from '@aws-sdk/client-ssm';
import { describe, expect, test } from '@jest/globals';
import { createRunningOrders } from '../../../src/adapters/aws/hosts/order-list.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { type Answers, recorded } from '../stub-client.ts';

interface Sent {
  readonly id: string;
  readonly host: string;
  readonly endsAt: number;
}

/** Models Systems Manager for commands. The script of each command defines its duration. */
function openAccount(own: Answers = {}) {
  const clock = createVirtualClock();
  const sent: Sent[] = [];
  const lists: Record<string, unknown>[] = [];
  const statusOf = ({ endsAt }: Sent) => (clock.elapsed() < endsAt ? 'InProgress' : 'Success');
  const { service: ssm, called } = recorded<SSM>({
    sendCommand: ({ InstanceIds, Parameters }: Request) => {
      const id = `${String(sent.length).padStart(8, '0')}-2222-4333-8444-555555555555`;
      const runsMs = Number(Parameters.commands[0]);
      sent.push({ id, host: InstanceIds[0], endsAt: clock.elapsed() + runsMs });
      return { Command: { CommandId: id } };
    },
    getCommandInvocation: ({ CommandId, InstanceId }: Request) => {
      const found = sent.find(({ id, host }) => id === CommandId && host === InstanceId) as Sent;
      const Status = statusOf(found);
      const ended = { ResponseCode: 0, StandardOutputContent: `of ${InstanceId}` };
      return { Status, StatusDetails: Status, ...(Status === 'Success' ? ended : {}) };
    },
    listCommandInvocations: (request: Request) => {
      lists.push({ ...request });
      const start = Number(request.NextToken ?? 0);
      const running = sent.filter((one) => statusOf(one) === 'InProgress').reverse();
      const page = running.slice(start, start + request.MaxResults);
      const next = start + page.length;
      return {
        CommandInvocations: page.map((one) => ({
          CommandId: one.id,
          InstanceId: one.host,
          Status: 'InProgress',
        })),
        ...(next < running.length ? { NextToken: String(next) } : {}),
      };
    },
    ...own,
  });
  const running = createRunningOrders(clock);
  const { run } = createRunCommand({ ssm, clock, running });
  const count = (name: string) => called.filter((one) => one === name).length;
  return {
    ...{ clock, lists, ssm, running },
    order: (host: number, runsMs: number, executionSeconds = 3600) =>
      run({
        hostId: `i-${host}`,
        script: String(runsMs),
        comment: 'wait',
        executionSeconds,
        effect: 'read',
      }),
    reads: () => count('getCommandInvocation'),
    listed: () => count('listCommandInvocations'),
  };
}

interface Request {
  readonly InstanceIds: [string];
  readonly Parameters: { readonly commands: [string] };
  readonly CommandId: string;
  readonly InstanceId: string;
  readonly MaxResults: number;
  readonly NextToken?: string;
}

const minuteMs = 60_000;
const answerOf = (host: number) => ({
  kind: 'ended',
  exitCode: 0,
  output: `of i-${host}`,
  errors: '',
});

describe('commands that run on hosts at the same time', () => {
  test('cost one list and few reads each if fifty of them run for ten minutes', async () => {
    const account = openAccount();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, host) => account.order(host, 10 * minuteMs)),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, (_, host) => answerOf(host)));
    expect(account.reads()).toBeLessThanOrEqual(50 * 3);
    // At most one list of one page per 500 ms.
    expect(account.listed()).toBeLessThanOrEqual(10 * 60 * 2);
    // A single command causes a read every two seconds.
    const alone = openAccount();
    await alone.order(1, 10 * minuteMs);
    expect(alone.reads()).toBeGreaterThan(250);
    expect(alone.listed()).toBe(0);
  });

  test('come from all pages, and a host never receives the output of another host', async () => {
    const account = openAccount();
    const minutes = (host: number) => (1 + (host % 7)) * minuteMs;
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, host) => account.order(host, minutes(host))),
    );
    expect(answers).toEqual(Array.from({ length: 120 }, (_, host) => answerOf(host)));
    expect(account.lists.some(({ NextToken }) => NextToken === '100')).toBe(true);
    expect(account.reads()).toBeLessThanOrEqual(120 * 3);
  });

  test('match a status and a time before each of them', async () => {
    const account = openAccount();
    await Promise.all([account.order(1, 5000), account.order(2, 5000)]);
    expect(account.lists[0]).toEqual({
      Filters: [
        { key: 'InvokedAfter', value: '2026-11-02T09:45:00Z' },
        { key: 'Status', value: 'InProgress' },
      ],
      MaxResults: 50,
    });
  });

  test('return to single reads when one command is left', async () => {
    const account = openAccount();
    await Promise.all([account.order(1, 5000), account.order(2, 10 * minuteMs)]);
    expect(account.listed()).toBeLessThan(10);
    expect(account.reads()).toBeGreaterThan(250);
  });
});

describe('a command list that does not help', () => {
  const denied = new PortFailure({
    kind: 'denied',
    effect: 'none',
    source: 'SSM ListCommandInvocations',
    detail: 'AccessDeniedException',
  });

  test.each<[string, object, number]>([
    ['is denied', refusing(denied), 1],
    ['does not exist', refusing(new PortFailure({ ...denied, kind: 'unexpected' })), 1],
    ['is throttled', refusing(new PortFailure({ ...denied, kind: 'throttled' })), 10],
    ['lacks the documented field', {}, Number.POSITIVE_INFINITY],
    ['names other hosts', { CommandInvocations: [listed('i-9')] }, Number.POSITIVE_INFINITY],
    [
      'names the hosts with other commands',
      { CommandInvocations: [listed('i-1'), listed('i-2')] },
      Number.POSITIVE_INFINITY,
    ],
    [
      'shows other states than requested',
      {
        CommandInvocations: [
          listed('i-1', { id: 0, status: 'Success' }),
          listed('i-2', { id: 1, status: 'Pending' }),
        ],
      },
      Number.POSITIVE_INFINITY,
    ],
  ])('leaves each command to its own reads because it %s', async (_, list, most) => {
    const account = openAccount({ listCommandInvocations: list });
    const orders = [account.order(1, 10 * minuteMs), account.order(2, 10 * minuteMs)];
    expect(await Promise.all(orders)).toEqual([answerOf(1), answerOf(2)]);
    expect(account.listed()).toBeGreaterThan(0);
    expect(account.listed()).toBeLessThanOrEqual(most);
    expect(account.reads()).toBeGreaterThan(500);
  });

  test('leaves a command that it always shows as running to its own read at its limit', async () => {
    const account = openAccount({
      listCommandInvocations: {
        CommandInvocations: [
          listed('i-1', { id: 0, status: 'InProgress' }),
          listed('i-2', { id: 1, status: 'InProgress' }),
        ],
      },
    });
    const orders = [account.order(1, 5000, 60), account.order(2, 5000, 60)];
    expect(await Promise.all(orders)).toEqual([answerOf(1), answerOf(2)]);
  });

  test('proves nothing if another call that reads it is cancelled', async () => {
    const { running, ssm } = openAccount();
    const cancelled = { ...ssm, send: () => Promise.reject(new Error('received SIGTERM')) };
    const order = { commandId: '0', hostId: 'i-1', sentAt: 0 };
    await running.isListed(order, ssm);
    expect(await running.isListed({ ...order, hostId: 'i-2' }, cancelled)).toBe(false);
  });

  test('never hides the failure of a read', async () => {
    const account = openAccount({ listCommandInvocations: refusing(denied) });
    const failing = openAccount({
      listCommandInvocations: refusing(denied),
      getCommandInvocation: refusing(denied),
    });
    await expect(Promise.all([failing.order(1, 5000)])).rejects.toThrow('AccessDenied');
    await expect(account.order(1, 5000)).resolves.toEqual(answerOf(1));
  });
});

function refusing(failure: PortFailure) {
  return () => {
    throw failure;
  };
}

function listed(host: string, { id = 9, status = 'InProgress' } = {}) {
  const CommandId = `${String(id).padStart(8, '0')}-2222-4333-8444-555555555555`;
  return { CommandId, InstanceId: host, Status: status };
}
