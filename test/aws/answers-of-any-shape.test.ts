import { describe, expect, test } from '@jest/globals';
import { createAccount } from '../../src/aws/account.ts';
import type { Asked } from '../../src/aws/ask.ts';
import { unexpected } from '../../src/aws/ask.ts';
import { listTaggedGroups } from '../../src/aws/groups.ts';
import { listHosts } from '../../src/aws/hosts.ts';
import { findInstance } from '../../src/aws/instances.ts';
import { judgeInvocation } from '../../src/aws/invocation.ts';
import { validParameter } from '../../src/aws/parameter-answer.ts';
import { isDead } from '../../src/domain/instance.ts';
import type { StackShard } from '../../src/domain/shard.ts';
import { isPortFailure } from '../../src/ports/failure.ts';

const pink = { runnerName: 'linux', shard: 'pink' } as StackShard;
const at = new Date('2026-11-02T08:00:00.000Z');
const id = 'i-0123456789abcdef0';
const keys = { stackTag: 'stack', shardTag: 'shard' };

/** One answer of AWS as its documentation has it, read as the program reads it. */
interface Reader {
  readonly name: string;
  readonly answer: object;
  readonly read: (answer: never) => unknown;
  /** Whether what was read says that something works, was carried out or is over. */
  readonly isGood: (read: never) => boolean;
  /** What decides; whatever else is otherwise, more or missing changes nothing of what matters. */
  readonly decides: readonly string[];
}

const readers: readonly Reader[] = [
  {
    name: 'DescribeInstanceInformation',
    answer: {
      InstanceInformationList: [
        { InstanceId: id, PingStatus: 'Online', LastPingDateTime: at, AgentVersion: '3.3.1' },
      ],
    },
    read: (answer: object) => listHosts(asked({ describeInstanceInformation: answer }), pink),
    isGood: (hosts: { agent: string }[]) => hosts.some(({ agent }) => agent === 'online'),
    decides: [
      'InstanceInformationList',
      'InstanceInformationList.0.InstanceId',
      'InstanceInformationList.0.PingStatus',
    ],
  },
  {
    name: 'GetCommandInvocation',
    answer: {
      Status: 'Success',
      StatusDetails: 'Success',
      ResponseCode: 0,
      StandardOutputContent: 'ok',
      StandardErrorContent: '',
    },
    read: (answer: object) => judgeInvocation(answer, 30),
    isGood: ({ kind }: { kind: string }) => kind === 'ended',
    decides: ['Status', 'ResponseCode', 'StandardOutputContent'],
  },
  {
    name: 'GetParameter',
    answer: {
      Name: '/a/b',
      Value: 'x',
      Version: 3,
      LastModifiedDate: at,
      Type: 'String',
      DataType: 'text',
    },
    read: (given: object) => validParameter({ what: 'GetParameter', name: '/a/b', given }),
    isGood: () => true,
    decides: ['Name', 'Value', 'Version', 'LastModifiedDate'],
  },
  {
    name: 'DescribeInstances',
    answer: {
      Reservations: [
        {
          Instances: [
            {
              InstanceId: id,
              State: { Name: 'terminated', Code: 48 },
              LaunchTime: at,
              Tags: [{ Key: 'Name', Value: 'pink-linux_runner-manager' }],
              StateTransitionReason: 'User initiated',
              PrivateIpAddress: '10.0.0.7',
            },
          ],
        },
      ],
    },
    read: (answer: object) => findInstance(asked({ describeInstances: answer }), id),
    isGood: (found: Parameters<typeof isDead>[0] | undefined) =>
      found !== undefined && isDead(found),
    decides: [
      'Reservations',
      'Reservations.0.Instances',
      'Reservations.0.Instances.0.InstanceId',
      'Reservations.0.Instances.0.State',
      'Reservations.0.Instances.0.State.Name',
      'Reservations.0.Instances.0.LaunchTime',
    ],
  },
  {
    name: 'DescribeAutoScalingGroups',
    answer: {
      AutoScalingGroups: [
        {
          AutoScalingGroupName: 'pink-linux',
          Tags: [
            { Key: 'stack', Value: 'linux' },
            { Key: 'shard', Value: 'pink' },
          ],
          Instances: [],
          Status: 'Delete in progress',
        },
      ],
    },
    read: (answer: object) =>
      listTaggedGroups(asked({ describeAutoScalingGroups: answer }), keys, pink),
    isGood: (groups: object[]) => groups.length === 1,
    decides: [
      'AutoScalingGroups',
      'AutoScalingGroups.0.Tags',
      ...[0, 1].flatMap((nth) =>
        ['Key', 'Value'].map((field) => `AutoScalingGroups.0.Tags.${nth}.${field}`),
      ),
    ],
  },
  {
    name: 'GetCallerIdentity',
    answer: { Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ci', UserId: 'AIDA' },
    read: (answer: object) => createAccount(asked({ getCallerIdentity: answer })).readIdentity(),
    isGood: ({ account }: { account: string }) => account === '123456789012',
    decides: ['Account', 'Arn'],
  },
];

/** A client whose calls are answered so. */
function asked<Client>(answers: Readonly<Record<string, object>>): Asked<Client> {
  const calls = Object.entries(answers).map(([name, value]) => [name, async () => value] as const);
  const client = { region: async () => 'eu-west-1', ...Object.fromEntries(calls) } as Client;
  return {
    ask: async ({ call }) => ({ kind: 'answer', value: await call(client, {}) }),
    unexpected: (facts) => unexpected('AWS', facts),
    refused: () => {
      throw new Error('nothing is refused here');
    },
    close: () => undefined,
  };
}

type Read = { readonly kind: 'read'; readonly value: unknown } | { readonly kind: 'refused' };

async function tryReading({ read }: Reader, answer: unknown): Promise<Read> {
  try {
    return { kind: 'read', value: await read(answer as never) };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    expect(error.kind).toBe('unexpected');
    return { kind: 'refused' };
  }
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return [...(Array.isArray(value) ? [] : [here]), ...pathsOf(inner, here)];
  });
}

/** Dates stay what they are. */
function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)])) as T;
}

function changed(answer: object, path: string, change: (holder: object, key: string) => void) {
  const copy = copyOf(answer);
  const keysOfPath = path.split('.');
  const last = keysOfPath.pop() as string;
  const holder = keysOfPath.reduce<object>((inside, key) => inside[key as never], copy);
  change(holder, last);
  return copy;
}

const changes: Readonly<Record<string, (holder: object, key: string) => void>> = {
  missing: (holder, key) => Reflect.deleteProperty(holder, key),
  'no value': (holder, key) => Reflect.set(holder, key, undefined),
  'a word that nobody knows': (holder, key) => {
    const given: unknown = Reflect.get(holder, key);
    if (typeof given === 'string') Reflect.set(holder, key, 'Surprise');
  },
  'something beside it': (holder) => Reflect.set(holder, 'Surprise', { Of: ['tomorrow'] }),
};

const free = /^(?:Value|Name|Arn|StandardOutputContent)$/;

describe.each(readers)('$name', (reader) => {
  const { answer, isGood, decides } = reader;

  test('is read as it is documented', async () => {
    const read = await tryReading(reader, answer);
    expect(read.kind === 'read' && isGood(read.value as never)).toBe(true);
  });

  test.each(pathsOf(answer))('%s may be missing, new or more', async (path) => {
    for (const [what, change] of Object.entries(changes)) {
      const read = await tryReading(reader, changed(answer, path, change));
      const seen = { what, good: read.kind === 'read' && isGood(read.value as never) };
      const isFreeText = what.startsWith('a word') && free.test(path.split('.').at(-1) ?? '');
      if (isFreeText) continue;
      const tells = what.startsWith('something') || !isDecided(answer, path, what, decides);
      expect(seen).toEqual({ what, good: tells });
    }
  });
});

/** Only words are exchanged for others; a list or a number stays what it is then. */
function isDecided(answer: object, path: string, what: string, decides: readonly string[]) {
  if (!decides.includes(path)) return false;
  if (!what.startsWith('a word')) return true;
  let value: unknown = answer;
  for (const key of path.split('.')) value = (value as Record<string, unknown>)[key];
  return typeof value === 'string';
}
