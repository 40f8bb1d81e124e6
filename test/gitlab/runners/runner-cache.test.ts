import { describe, expect, test } from '@jest/globals';
import {
  createGitLabClient,
  type GitLabClient,
} from '../../../src/adapters/gitlab/gitlab-client.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { createSharedRunners } from '../../../src/adapters/gitlab/runners/runner-cache.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import {
  type Answer,
  createTestTransport,
  json,
  networkError,
} from '../../transport/fake-server.ts';
import { runner, token } from '../scripted-gitlab.ts';

const age = { mostMs: 5000 };
const minuteMs = 60_000;
const gid = (id: number) => `gid://gitlab/Ci::Runner/${id}`;

interface Rows {
  readonly [id: number]: object | null;
}

/**
 * Opens the reads of all stacks of one process, with GitLab's runners 1, 2, …; `graphql` replaces
 * the response.
 */
function openProcess(graphql?: (ids: readonly number[], rows: Rows) => Answer) {
  const sent: string[] = [];
  const paused = new Set<number>();
  const rowOf = (id: number) => ({
    id: gid(id),
    description: `shard-${id}`,
    maintenanceNote: `note of ${id}`,
    paused: paused.has(id),
    tagList: [`tag-${id}`],
    runUntagged: false,
    contactedAt: '2026-11-02T07:50:00Z',
    jobExecutionStatus: 'ACTIVE',
  });
  const { transport, clock, redactor } = createTestTransport(async (request) => {
    const path = new URL(request.url).pathname.replace('/api/v4', '');
    sent.push(`${request.method} ${path}`);
    const body = await request.text();
    if (path === '/api/graphql') {
      const { query } = JSON.parse(body) as { query: string };
      const ids = [...query.matchAll(/Runner\/(\d+)/g)].map(([, id]) => Number(id));
      const answer = graphql?.(ids, Object.fromEntries(ids.map((id) => [id, rowOf(id)])));
      if (answer instanceof Error) throw answer;
      return (answer as Response) ?? rows(ids.map(rowOf));
    }
    const id = Number(path.split('/').at(-1));
    if (request.method === 'PUT') {
      if ((JSON.parse(body) as { paused: boolean }).paused) paused.add(id);
      else paused.delete(id);
    }
    const description = `shard-${id}`;
    return json(200, {
      ...runner,
      id,
      description,
      paused: paused.has(id),
      tag_list: [`tag-${id}`],
    });
  });
  const shared = createSharedRunners(clock);
  const connect = (): GitLabClient =>
    createGitLabClient({ url: 'https://gitlab.example.com', token, transport, redactor });
  const openStack = () =>
    createGitLabRegistry({ client: connect(), scope: { kind: 'group', groupId: 10 }, shared });
  const count = (call: string) => sent.filter((one) => one === call).length;
  return { clock, sent, openStack, queries: () => count('POST /api/graphql') };
}

function rows(items: readonly (object | null)[]): Response {
  return json(200, { data: Object.fromEntries(items.map((row, at) => [`r${at}`, row])) });
}

const idOf = (id: number) => String(id) as RegistrationId;

async function readOf(registry: ReturnType<typeof createGitLabRegistry>, id: number, most = age) {
  const found = await registry.find(idOf(id), most);
  if (found.kind === 'absent') throw new Error(`runner ${id} is absent`);
  return found.value;
}

describe('runners that several stacks of one process read', () => {
  test('cost few queries: fifty stacks that read two runners a minute', async () => {
    const { openStack, clock, sent, queries } = openProcess();
    const minutes = 20;
    const stacks = Array.from({ length: 50 }, async (_, stack) => {
      const registry = openStack();
      await clock.sleep(stack * 1117);
      for (let minute = 0; minute < minutes; minute += 1) {
        for (const id of [2 * stack + 1, 2 * stack + 2]) {
          expect(await readOf(registry, id)).toMatchObject({
            id: idOf(id),
            description: `shard-${id}`,
            tags: [`tag-${id}`],
          });
          await clock.sleep(minuteMs / 2);
        }
      }
    });
    await Promise.all(stacks);
    // With REST alone, the rate is 2 a minute per stack.
    expect(sent.length / 50 / minutes).toBeLessThan(0.4);
    expect(queries()).toBeGreaterThan(0);
  });

  test('come from REST, without an age, in a process with one stack', async () => {
    const one = openProcess();
    const only = one.openStack();
    for (const id of [1, 2, 1, 2]) await readOf(only, id);
    expect(one.queries()).toBe(0);
    const two = openProcess();
    const [first, other] = [two.openStack(), two.openStack()];
    await readOf(first, 1);
    await readOf(other, 2);
    expect(two.sent.slice(-1)).toEqual(['POST /api/graphql']);
    expect(await first.find(idOf(1))).toMatchObject({ value: { execution: 'idle' } });
    expect(two.sent.slice(-1)).toEqual(['GET /runners/1']);
  });

  test('cause a new query once the response is too old', async () => {
    const { openStack, clock, queries } = openProcess();
    const [first, other] = [openStack(), openStack()];
    await readOf(first, 1);
    await readOf(other, 2);
    await readOf(first, 1);
    expect(queries()).toBe(1);
    await clock.sleep(age.mostMs + 1);
    await readOf(first, 1);
    expect(queries()).toBe(2);
  });

  test('cause a new query after the stack itself has changed one', async () => {
    const { openStack } = openProcess();
    const [first, other] = [openStack(), openStack()];
    await readOf(first, 1);
    await readOf(other, 2);
    expect(await readOf(first, 1)).toMatchObject({ paused: false });
    await first.setIntake(idOf(1), 'closed');
    expect(await readOf(first, 1)).toMatchObject({ paused: true });
  });

  test('never count as idle', async () => {
    const { openStack } = openProcess((ids, all) =>
      rows(ids.map((id) => ({ ...all[id], jobExecutionStatus: id === 2 ? 'IDLE' : 'ACTIVE' }))),
    );
    const [first, other] = [openStack(), openStack()];
    await readOf(first, 1);
    expect(await readOf(other, 2)).toMatchObject({ execution: 'unknown' });
    expect(await readOf(first, 1)).toMatchObject({ execution: 'active' });
  });
});

describe('a GraphQL query without the expected response', () => {
  const errors = (message: string) => json(200, { errors: [{ message }] });
  const only = (change: (row: object) => object | null) => (ids: readonly number[], all: Rows) =>
    rows(ids.map((id) => (id === 1 ? change(all[1] ?? {}) : (all[id] ?? null))));

  test.each<[string, (ids: readonly number[], all: Rows) => Answer, number]>([
    ['has an unknown field', () => errors("Field 'paused' doesn't exist on type 'CiRunner'"), 1],
    [
      'is too complex',
      () => errors('Query has complexity of 198, which exceeds max complexity of 100'),
      1,
    ],
    ['has no data', () => json(200, { data: null }), 1],
    ['is refused for the token', () => json(403, { error: 'insufficient_scope' }), 1],
    ['is unknown to this version', () => json(404, { error: '404 Not Found' }), 1],
    ['is no JSON', () => new Response('<html>', { status: 200 }), 1],
    ['is lost', () => networkError('ECONNRESET', 'read ECONNRESET'), 3],
    ['fails within GitLab', () => json(500, { message: '500 Internal Server Error' }), 3],
  ])('leaves the runners to REST because it %s', async (_, graphql, most) => {
    const { openStack, clock, queries, sent } = openProcess(graphql);
    const [first, other] = [openStack(), openStack()];
    for (let minute = 0; minute < 3; minute += 1) {
      expect(await readOf(first, 1)).toMatchObject({ id: '1', execution: 'idle' });
      expect(await readOf(other, 2)).toMatchObject({ id: '2', execution: 'idle' });
      await clock.sleep(minuteMs + 1);
    }
    expect(sent.filter((call) => call.startsWith('GET /runners/'))).toHaveLength(6);
    expect(queries()).toBe(most);
  });

  test('leaves the runner to REST if another caller of the query is cancelled', async () => {
    const shared = createSharedRunners({ elapsed: () => 0 });
    const query = () => Promise.reject(new Error('received SIGTERM'));
    const [, found] = [1, 2].map((id) =>
      shared.find({
        client: { url: 'one' } as GitLabClient,
        id: idOf(id),
        maxAgeMs: 1,
        mostRunners: 22,
        query,
      }),
    );
    expect(await found).toBeUndefined();
  });

  test.each<[string, (row: object) => object | null]>([
    ['null', () => null],
    ['another runner', (row) => ({ ...row, id: gid(2) })],
    ['a runner without `paused`', ({ ...row }) => ({ ...row, paused: undefined })],
    ['a runner without tags', ({ ...row }) => ({ ...row, tagList: null })],
    ['a runner without its contact', ({ ...row }) => ({ ...row, contactedAt: undefined })],
  ])('leaves one runner to REST if the response has, for it, %s', async (_, change) => {
    const { openStack, clock, sent } = openProcess(only(change));
    const [first, other, third] = [openStack(), openStack(), openStack()];
    for (let minute = 0; minute < 3; minute += 1) {
      expect(await readOf(first, 1)).toMatchObject({ id: '1', description: 'shard-1' });
      expect(await readOf(other, 2)).toMatchObject({ id: '2', description: 'shard-2' });
      expect(await readOf(third, 3)).toMatchObject({ id: '3', description: 'shard-3' });
      await clock.sleep(minuteMs);
    }
    expect(sent.filter((call) => call === 'GET /runners/1')).toHaveLength(3);
    expect(sent.filter((call) => call === 'GET /runners/3')).toHaveLength(0);
  });
});
