import { describe, expect, test } from '@jest/globals';
import type { GitHubClient } from '../../../src/adapters/github/github-client.ts';
import {
  groupCalled,
  listGroups,
  whyOpen,
} from '../../../src/adapters/github/runners/runner-groups.ts';
import { listRunners } from '../../../src/adapters/github/runners/runners.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

const acme = { kind: 'organization', organization: 'acme' } as const;

/** A list of GitHub of so many items, of which a page has a hundred at most. */
function open(count: number, name: string, make: (index: number) => object): GitHubClient {
  return {
    redactor: createRedactor(),
    clock: createVirtualClock(),
    async request(route, { page = 1, per_page: size = 30 } = {}) {
      const start = (Number(page) - 1) * Number(size);
      const length = Math.max(0, Math.min(Number(size), count - start));
      const items = Array.from({ length }, (_, index) => make(start + index));
      return {
        status: 200,
        data: { total_count: count, [name]: items },
        source: `GitHub ${route}`,
      };
    },
  };
}

const group = (index: number) => ({
  id: index + 1,
  name: `group ${index}`,
  visibility: 'selected',
});
const runner = (index: number) => {
  return { id: index + 1, name: `r${index}`, status: 'online', busy: false, labels: [] };
};
const repository = (index: number) => ({ full_name: index === 0 ? 'acme/app' : `acme/r${index}` });

describe.each([99, 100, 101, 201])('a list of %d', (count) => {
  test('groups has the last one of them', async () => {
    const groups = await listGroups(open(count, 'runner_groups', group), acme);
    expect(groups).toHaveLength(count);
    expect(groupCalled(groups, `group ${count - 1}`)).toBeDefined();
  });

  test('runners has all of them', async () => {
    expect(await listRunners(open(count, 'runners', runner), acme)).toHaveLength(count);
  });

  test('repositories leaves a group open that is for one of them', async () => {
    const client = open(count, 'repositories', repository);
    const why = await whyOpen(client, acme, { of: group(0), to: 'acme/app' });
    expect(why).toBe('group "group 0" admits acme/r1');
  });
});

test('more than 10,000 groups are refused, never taken for a part of them', async () => {
  const of = (count: number) => listGroups(open(count, 'runner_groups', group), acme);
  expect(await of(10_000)).toHaveLength(10_000);
  expect(await failureOf(of(10_001))).toMatchObject({ kind: 'unexpected' });
});

test('more than 10,000 runners are refused, never taken for a part of them', async () => {
  const of = (count: number) => listRunners(open(count, 'runners', runner), acme);
  expect(await of(10_000)).toHaveLength(10_000);
  expect(await failureOf(of(10_001))).toMatchObject({ kind: 'unexpected' });
});

test('repositories of a group that GitHub counts and does not list keep it open', async () => {
  const client = open(2, 'repositories', () => ({ full_name: 'acme/app' }));
  const request: GitHubClient['request'] = async (...asked) => {
    const { data, ...rest } = await client.request(...asked);
    return { ...rest, data: { ...(data as object), total_count: 3 } };
  };
  const why = await whyOpen({ ...client, request }, acme, { of: group(0), to: 'acme/app' });
  expect(why).toBe('group "group 0" admits more than are listed');
});
