import type { SSM } from '@aws-sdk/client-ssm';
import { describe, expect, test } from '@jest/globals';
import { createRunningOrders } from '../../../src/adapters/aws/hosts/order-list.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { type Answers, recorded } from '../asked.ts';

interface Sent {
  readonly id: string;
  readonly host: string;
  readonly endsAt: number;
}

/** Systems Manager as far as it follows commands: each runs for as long as its script says. */
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
  test('fifty of them that run for ten minutes cost a list, and few reads of each', async () => {
    const account = openAccount();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, host) => account.order(host, 10 * minuteMs)),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, (_, host) => answerOf(host)));
    expect(account.reads()).toBeLessThanOrEqual(50 * 3);
    // One each 500 ms at most, of one page.
    expect(account.listed()).toBeLessThanOrEqual(10 * 60 * 2);
    // Alone, each takes a read every two seconds.
    const alone = openAccount();
    await alone.order(1, 10 * minuteMs);
    expect(alone.reads()).toBeGreaterThan(250);
    expect(alone.listed()).toBe(0);
  });

  test('are listed from all pages, and a host never gets the answer of another one', async () => {
    const account = openAccount();
    const minutes = (host: number) => (1 + (host % 7)) * minuteMs;
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, host) => account.order(host, minutes(host))),
    );
    expect(answers).toEqual(Array.from({ length: 120 }, (_, host) => answerOf(host)));
    expect(account.lists.some(({ NextToken }) => NextToken === '100')).toBe(true);
    expect(account.reads()).toBeLessThanOrEqual(120 * 3);
  });

  test('are listed by status and by a time that is before each of them', async () => {
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

  test('are read one by one again when one is left', async () => {
    const account = openAccount();
    await Promise.all([account.order(1, 5000), account.order(2, 10 * minuteMs)]);
    expect(account.listed()).toBeLessThan(10);
    expect(account.reads()).toBeGreaterThan(250);
  });
});

describe('a list that does not help', () => {
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
    ['has no field of the documentation', {}, Number.POSITIVE_INFINITY],
    ['names other hosts', { CommandInvocations: [listed('i-9')] }, Number.POSITIVE_INFINITY],
    [
      'names the hosts with other commands',
      { CommandInvocations: [listed('i-1'), listed('i-2')] },
      Number.POSITIVE_INFINITY,
    ],
    [
      'shows other states than it was asked for',
      {
        CommandInvocations: [
          listed('i-1', { id: 0, status: 'Success' }),
          listed('i-2', { id: 1, status: 'Pending' }),
        ],
      },
      Number.POSITIVE_INFINITY,
    ],
  ])('because it %s leaves each command to its own reads', async (_, list, most) => {
    const account = openAccount({ listCommandInvocations: list });
    const orders = [account.order(1, 10 * minuteMs), account.order(2, 10 * minuteMs)];
    expect(await Promise.all(orders)).toEqual([answerOf(1), answerOf(2)]);
    expect(account.listed()).toBeGreaterThan(0);
    expect(account.listed()).toBeLessThanOrEqual(most);
    expect(account.reads()).toBeGreaterThan(500);
  });

  test('shows a command as running without an end: its own read decides at its limit', async () => {
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

  test('because another call that reads it is cancelled proves nothing', async () => {
    const { running, ssm } = openAccount();
    const cancelled = { ...ssm, ask: () => Promise.reject(new Error('received SIGTERM')) };
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
