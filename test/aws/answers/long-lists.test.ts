import { describe, expect, test } from '@jest/globals';
import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import { listManagedHosts } from '../../../src/adapters/aws/hosts/hosts.ts';
import { listTaggedGroups } from '../../../src/adapters/aws/inventory/auto-scaling-groups.ts';
import { createInventory } from '../../../src/adapters/aws/inventory/aws-inventory.ts';
import { listTaggedInstances } from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { namesOf } from '../../../src/adapters/aws/inventory/ec2-tags.ts';
import { listHistory } from '../../../src/adapters/aws/state-store/parameter-history.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { type Answers, createClient, recorded } from '../stub-client.ts';
import { keys, ourTags, pink } from './reading-answers.ts';

const idOf = (at: number) => `i-0${at.toString(16).padStart(16, '0')}`;
const tags = [...ourTags, { Key: 'Name', Value: 'pink-linux_runner-manager' }];
const at = new Date('2026-11-02T08:00:00.000Z');
const name = '/runners/linux/deployment_record';

type Request = Readonly<Record<string, unknown>>;
type Make = (items: readonly number[], token: { NextToken?: string }) => object;

/** Returns a list of AWS with `count` items and at most `most` of them per response. */
function paging(count: number, most: number, make: Make) {
  return ({ NextToken: token, PaginationToken: other = token }: Request) => {
    const start = Number(other === '' ? 0 : (other ?? 0));
    const end = Math.min(count, start + most);
    const items = Array.from({ length: end - start }, (_, index) => start + index);
    return make(items, end < count ? { NextToken: String(end) } : {});
  };
}

interface Listed {
  readonly call: string;
  /** AWS's largest page. */
  readonly page: number;
  readonly make: Make;
  readonly count: (answers: Answers) => Promise<number>;
}

const lists: readonly Listed[] = [
  {
    call: 'describeInstances',
    page: 100,
    make: (items, token) => ({
      Reservations: items.map((item) => ({
        Instances: [
          { InstanceId: idOf(item), State: { Name: 'running' }, LaunchTime: at, Tags: tags },
        ],
      })),
      ...token,
    }),
    count: async (answers) => (await listTaggedInstances(createClient(answers), keys, pink)).length,
  },
  {
    call: 'describeAutoScalingGroups',
    page: 100,
    make: (items, token) => ({
      AutoScalingGroups: items.map((item) => ({ AutoScalingGroupName: `g${item}`, Tags: tags })),
      ...token,
    }),
    count: async (answers) => (await listTaggedGroups(createClient(answers), keys, pink)).length,
  },
  {
    call: 'describeInstanceInformation',
    page: 50,
    make: (items, token) => ({
      InstanceInformationList: items.map((item) => ({
        InstanceId: idOf(item),
        PingStatus: 'Online',
      })),
      ...token,
    }),
    count: async (answers) => (await listManagedHosts(createClient(answers), pink)).length,
  },
  {
    call: 'getParameterHistory',
    page: 50,
    make: (items, token) => ({
      Parameters: items.map((item) => {
        return { Name: name, Value: '{}', Version: item + 1, LastModifiedDate: at };
      }),
      ...token,
    }),
    count: async (answers) => (await listHistory(createClient(answers), name))?.length ?? 0,
  },
  {
    call: 'getResources',
    page: 100,
    make: (items, { NextToken: token = '' }) => ({
      ResourceTagMappingList: items.map((item) => ({
        ResourceARN: `arn:aws:logs:eu-west-1:123456789012:log-group:g${item}`,
        Tags: tags,
      })),
      PaginationToken: token,
    }),
    count: async (answers) => (await createInventory(inventoryOf(answers)).list(pink)).length,
  },
];

function inventoryOf(answers: Answers) {
  const none = {
    describeInstances: { Reservations: [] },
    describeAutoScalingGroups: { AutoScalingGroups: [] },
    describeTags: { Tags: [] },
  };
  const all = { ...none, ...answers };
  const services = {
    tagging: createClient(all),
    ec2: createClient(all),
    autoScaling: createClient(all),
    iam: createClient(all),
  };
  return { ...services, clock: createVirtualClock(), keys, roleNames: [] } as never;
}

describe.each(lists)('the list of $call', ({ call, page, make, count }) => {
  test.each([page - 1, page, page + 1, 3 * page + 1])(
    'returns every item of %d',
    async (length) => {
      expect(await count({ [call]: paging(length, page, make) })).toBe(length);
    },
  );

  test('returns every item if AWS returns smaller pages than requested', async () => {
    expect(await count({ [call]: paging(7, 3, make) })).toBe(7);
  });

  test('continues past a page without items', async () => {
    const whole = paging(2, 1, make);
    const holed = (request: Request) =>
      (request['NextToken'] ?? request['PaginationToken'] ?? '') === ''
        ? make([], { NextToken: '1' })
        : whole(request);
    expect(await count({ [call]: holed })).toBe(1);
  });

  test('stays unknown, never partial, if it has more than 200 pages', async () => {
    expect(await count({ [call]: paging(200, 1, make) })).toBe(200);
    expect(await failureOf(count({ [call]: paging(201, 1, make) }))).toMatchObject({
      kind: 'unexpected',
      detail: 'more than 200 pages',
    });
  });
});

describe('the names of resources', () => {
  test.each([
    [1, 1],
    [199, 1],
    [200, 1],
    [201, 2],
    [401, 3],
  ])('include those of all %d ids, 200 at a time', async (count, calls) => {
    const ids = Array.from({ length: count }, (_, index) => `eni-${index}`);
    const { service, called } = recorded<never>({
      describeTags({ Filters: [, wanted] }: { Filters: { Values: string[] }[] }) {
        const values = wanted?.Values ?? [];
        if (values.length > 200) throw new Error('FilterLimitExceeded');
        return { Tags: values.map((id) => ({ ResourceId: id, Key: 'Name', Value: `of ${id}` })) };
      },
    });
    const names = await namesOf(service, ids);
    expect([names.size, names.get(`eni-${count - 1}`)]).toEqual([count, `of eni-${count - 1}`]);
    expect(called).toHaveLength(calls);
  });
});

describe('alarms', () => {
  test.each([99, 100, 101])('include all of %d names, even if a page has fewer', async (count) => {
    const names = Array.from({ length: count }, (_, index) => `a${index}`);
    const describeAlarms = ({ AlarmNames: wanted = [], ...request }: Request) => {
      const all = wanted as string[];
      if (all.length > 100) throw new Error('ValidationError');
      const page = paging(all.length, 40, (items, token) => ({
        MetricAlarms: items.map((item) => ({ AlarmName: all[item], StateValue: 'OK' })),
        ...token,
      }));
      return page(request);
    };
    const read = createAlarms({
      cloudWatch: createClient({ describeAlarms }),
      redact: (text) => text,
    });
    const states = (await read.read(names)).map(({ state }) => state);
    expect(states).toEqual(names.map(() => 'ok'));
  });
});
