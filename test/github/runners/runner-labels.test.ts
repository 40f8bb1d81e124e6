import { describe, expect, test } from '@jest/globals';
import type { GitHubClient } from '../../../src/adapters/github/github-client.ts';
import { createGitHubRegistry } from '../../../src/adapters/github/runners/github-registry.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { StateStore } from '../../../src/ports/state-store.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

const id = 'pink-linux' as RegistrationId;
const fleetName = '/pink-linux/runner_fleet';

interface Listed {
  readonly id?: number;
  readonly name?: string;
  readonly busy?: boolean;
  readonly labels?: readonly string[];
  /** Labels that the runner gave itself. */
  readonly own?: readonly string[];
}

/**
 * Opens GitHub with these runners and Parameter Store with this fleet. Writes are recorded in
 * order.
 */
function openRegistry(listed: readonly Listed[], fleet: object | string | undefined = undefined) {
  const writes: string[] = [];
  const clock = createVirtualClock();
  let stored = typeof fleet === 'object' ? JSON.stringify(fleet) : fleet;
  const runners = listed.map((one, index) => ({
    id: one.id ?? index + 1,
    name: one.name ?? `${id}-i-0123456789abcdef${index}`,
    status: 'online',
    busy: one.busy ?? false,
    labels: [
      ...(one.labels ?? ['linux']).map((name) => ({ name, type: 'custom' })),
      ...(one.own ?? []).map((name) => ({ name, type: 'read-only' })),
    ],
  }));
  const client: GitHubClient = {
    redactor: createRedactor(),
    clock,
    async request(route, parameters = {}) {
      const [method, path = ''] = route.split(' ');
      const source = `GitHub ${route}`;
      if (method === 'GET' && path.endsWith('/runners'))
        return { status: 200, data: { total_count: runners.length, runners }, source };
      if (method === 'GET') return { status: 200, data: { workflow_runs: [] }, source };
      if (method === 'DELETE') writes.push(`removed ${parameters['runner_id']}`);
      else writes.push(`labels of ${parameters['runner_id']}: ${String(parameters['labels'])}`);
      return { status: 200, data: {}, source };
    },
  };
  const parameters = {
    find: async () => (stored === undefined ? undefined : { version: 1, value: stored }),
    create: async () => ({ kind: 'taken' }),
    overwrite: async ({ value }: { value: string }) => {
      stored = value;
      const { intake, labels } = JSON.parse(value) as { intake: string; labels: string[] };
      writes.push(`fleet: ${intake}, ${labels.join()}`);
      return { version: 2 };
    },
    remove: async (name: string) => {
      writes.push(`forgot ${name}`);
      stored = undefined;
      return 'removed';
    },
  } as unknown as StateStore;
  const registry = createGitHubRegistry({
    client,
    clock,
    scope: { kind: 'organization', organization: 'acme' },
    groups: { production: 'Default' },
    canaryLabel: 'canary-1-2-linux',
    fleets: { parameters, nameOf: (one) => `/${one}/runner_fleet` },
  });
  return { registry, writes };
}

const fleetOf = (intake: 'open' | 'closed', ...labels: readonly string[]) => ({
  schema: 1,
  labels,
  intake,
  note: '',
});

describe('labels of a shard’s runners', () => {
  test('disappear at a pause, after the parameter that booting runners read has changed', async () => {
    const { registry, writes } = openRegistry([{}, {}], fleetOf('open', 'linux'));
    await registry.setIntake(id, 'closed');
    const closing = ['labels of 1: ', 'labels of 2: '];
    // The second write records how far the pause has progressed.
    expect(writes).toEqual(['fleet: closed, linux', ...closing, 'fleet: closed, linux']);
  });

  test('stay away while the intake is paused, and return with the unpause', async () => {
    const closed = openRegistry([{ labels: [] }], {
      ...fleetOf('closed', 'linux'),
      closedUpTo: 1,
    });
    await closed.registry.route(id, { tags: ['large'], runUntagged: false });
    expect(closed.writes).toEqual(['fleet: closed, large']);
    const opened = openRegistry([{ labels: [] }], fleetOf('closed', 'large'));
    await opened.registry.setIntake(id, 'open');
    expect(opened.writes).toEqual(['fleet: open, large', 'labels of 1: large']);
  });

  test('stay unchanged if they differ only in upper and lower case', async () => {
    const { registry, writes } = openRegistry([{ labels: ['Linux'] }], fleetOf('open', 'linux'));
    await registry.route(id, { tags: ['LINUX'], runUntagged: false });
    expect(writes).toEqual(['fleet: open, LINUX']);
  });

  test('prevent a pause if a runner set them itself, and the error names the right registration', async () => {
    const runners = [{ own: ['self-hosted'] }];
    const { registry, writes } = openRegistry(runners, fleetOf('open', 'linux'));
    expect(await failureOf(registry.setIntake(id, 'closed'))).toMatchObject({
      kind: 'refused',
      source: 'GitHub runner pink-linux-i-0123456789abcdef0',
      detail: 'its label self-hosted cannot be removed; register runners with --no-default-labels',
    });
    expect(writes).toEqual(['fleet: closed, linux']);
  });

  test('count once all runners have them; until then the common ones count', async () => {
    const runners = [{ labels: ['linux', 'large'] }, { labels: ['linux'] }];
    const { registry } = openRegistry(runners, fleetOf('open', 'linux', 'large'));
    expect(await registry.find(id)).toMatchObject({ value: { tags: ['linux'] } });
  });

  test('cause an error if their parameter is unreadable', async () => {
    for (const text of ['', 'linux', '{"schema":2,"labels":[],"intake":"open","note":""}']) {
      const { registry, writes } = openRegistry([{}], text);
      for (const call of [registry.find(id), registry.setIntake(id, 'closed')])
        expect(await failureOf(call)).toMatchObject({
          kind: 'unexpected',
          effect: 'none',
          source: `Parameter Store ${fleetName}`,
          detail: 'it does not describe the runners of a shard',
        });
      expect(writes).toEqual([]);
    }
  });
});

describe('a shard on GitHub', () => {
  test('counts as active while one of its runners is active', async () => {
    const { registry } = openRegistry([{}, { busy: true }], fleetOf('open', 'linux'));
    expect(await registry.find(id)).toMatchObject({ value: { execution: 'active' } });
    expect(await registry.listJobs(id)).toMatchObject({
      value: [{ name: 'a job on runner pink-linux-i-0123456789abcdef1', status: 'running' }],
    });
  });

  test('disappears once none of its runners is left, and other shards’ runners do not count', async () => {
    const other = { name: 'pink-linux-large-i-0123456789abcdef0' };
    const busy = openRegistry([{}, other], fleetOf('closed', 'linux'));
    expect(await busy.registry.retire(id)).toBe('busy');
    expect(busy.writes).toEqual([]);
    const left = openRegistry([other], fleetOf('closed', 'linux'));
    expect(await left.registry.retire(id)).toBe('retired');
    expect(left.writes).toEqual([`forgot ${fleetName}`]);
    expect(await left.registry.findByShard(stackShard('pink', 'linux'))).toEqual([]);
  });

  test('loses only the named runners, and none of another shard', async () => {
    const other = { id: 9, name: 'purple-linux-i-0123456789abcdef0' };
    const { registry, writes } = openRegistry([{}, {}, other], fleetOf('closed', 'linux'));
    const removals = await registry.retireWorkers(id, [2, 9]);
    expect(removals.map(({ worker, outcome }) => [worker.id, outcome])).toEqual([[2, 'removed']]);
    expect(writes).toEqual(['removed 2']);
  });
});
