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

/** Returns a client with a list of `count` items, at most a hundred per page. */
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

describe.each([99, 100, 101, 201])('a list of %d items', (count) => {
  test('returns the last group', async () => {
    const groups = await listGroups(open(count, 'runner_groups', group), acme);
    expect(groups).toHaveLength(count);
    expect(groupCalled(groups, `group ${count - 1}`)).toBeDefined();
  });

  test('returns every runner', async () => {
    expect(await listRunners(open(count, 'runners', runner), acme)).toHaveLength(count);
  });

  test('keeps intake open for a group that is open to the last repository', async () => {
    const client = open(count, 'repositories', repository);
    const why = await whyOpen(client, acme, { of: group(0), to: 'acme/app' });
    expect(why).toBe('group "group 0" admits acme/r1');
  });
});

test('more than 10,000 groups cause a refusal, never a partial list', async () => {
  const of = (count: number) => listGroups(open(count, 'runner_groups', group), acme);
  expect(await of(10_000)).toHaveLength(10_000);
  expect(await failureOf(of(10_001))).toMatchObject({ kind: 'unexpected' });
});

test('more than 10,000 runners cause a refusal, never a partial list', async () => {
  const of = (count: number) => listRunners(open(count, 'runners', runner), acme);
  expect(await of(10_000)).toHaveLength(10_000);
  expect(await failureOf(of(10_001))).toMatchObject({ kind: 'unexpected' });
});

test('repositories that GitHub counts but does not list keep their group open', async () => {
  const client = open(2, 'repositories', () => ({ full_name: 'acme/app' }));
  const request: GitHubClient['request'] = async (...args) => {
    const { data, ...rest } = await client.request(...args);
    return { ...rest, data: { ...(data as object), total_count: 3 } };
  };
  const why = await whyOpen({ ...client, request }, acme, { of: group(0), to: 'acme/app' });
  expect(why).toBe('group "group 0" admits more than are listed');
});
