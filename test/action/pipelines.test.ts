import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pipelinesByForm } from '../../src/adapters/ci/pipelines-by-form.ts';
import { createGitHubClient } from '../../src/adapters/github/github-client.ts';
import { createGitHubPipelines } from '../../src/adapters/github/runs/github-pipelines.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createTransport } from '../../src/adapters/transport/transport.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { ciOf } from '../../src/ports/run.ts';

const token = 'ghs_0123456789abcdefghijABCDEFGHIJ';
const owner = 'acme/runners-2-777';
const path = '/repos/acme/runners-2/actions/runs/777';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

let server: Server;
let answers: Record<string, Answer>;
const requests: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const { status = 200, body } = answers[(request.url ?? '').replace(/\?.*/, '')] ?? {
      status: 404,
      body: { message: 'Not Found' },
    };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function pipelines(ownJobId?: string) {
  const redactor = createRedactor();
  redactor.add(token);
  const transport = createTransport({
    clock: createSystemClock(),
    random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
    signal: () => new AbortController().signal,
    budget: createCallBudget({ clock: createSystemClock() }),
    redactor,
    limits: { attempts: 1 },
  });
  const { port } = server.address() as AddressInfo;
  return createGitHubPipelines({
    client: () =>
      createGitHubClient({
        url: `http://127.0.0.1:${port}/`,
        credentials: { kind: 'token', token },
        transport,
        redactor,
        clock: createSystemClock(),
      }),
    ...(ownJobId === undefined ? {} : { ownJobId }),
  });
}

const job = (name: string, status: string, more = {}) => ({
  name,
  status,
  run_attempt: 1,
  runner_name: 'runner-1',
  ...more,
});
const jobs = (...listed: unknown[]) => ({ body: { total_count: listed.length, jobs: listed } });

describe('the workflow run that owns a deployment', () => {
  test.each<[string, Record<string, Answer>, string, string]>([
    [
      'ended',
      { [path]: { body: { status: 'completed', conclusion: 'cancelled' } } },
      'over',
      'workflow run 777 ended as cancelled',
    ],
    [
      'in progress',
      { [path]: { body: { status: 'in_progress' } } },
      'alive',
      'workflow run 777 is in_progress',
    ],
    [
      'in the queue',
      { [path]: { body: { status: 'queued' } } },
      'alive',
      'workflow run 777 is queued',
    ],
    [
      'with an unknown status',
      { [path]: { body: { status: 'dreaming' } } },
      'alive',
      'workflow run 777 is dreaming',
    ],
    [
      'waiting for an approval, without a running job',
      {
        [path]: { body: { status: 'waiting' } },
        [`${path}/jobs`]: jobs(job('linux / hosted_runner_promote', 'waiting')),
      },
      'over',
      'workflow run 777 waits for an approval',
    ],
    [
      'waiting for an approval while another job runs',
      {
        [path]: { body: { status: 'waiting' } },
        [`${path}/jobs`]: jobs(job('a', 'waiting'), job('b', 'in_progress')),
      },
      'alive',
      'job b of workflow run 777 is in_progress',
    ],
    ['not shown by GitHub', {}, 'unknown', `GitHub GET ${path}: Not Found`],
    [
      'not visible to the token',
      { [path]: { status: 403, body: { message: 'Resource not accessible by integration' } } },
      'unknown',
      `GitHub GET ${path}: Resource not accessible by integration`,
    ],
    [
      'behind a proxy',
      { [path]: { body: '<html>login</html>' } },
      'unknown',
      `GitHub GET ${path}: the response is "<html>login</html>", which this version does not support: Invalid input: expected object, received string`,
    ],
    [
      'without a status',
      { [path]: { body: { conclusion: 'success' } } },
      'unknown',
      `GitHub GET ${path}: status is missing, which this version does not support: Invalid input: expected string, received undefined`,
    ],
  ])('gets a verdict: %s', async (_, given, kind, reason) => {
    answers = given;
    expect(await pipelines().readOwner({ deploymentId: owner })).toEqual({ kind, reason });
  });

  test('causes one read with the token', async () => {
    answers = { [path]: { body: { status: 'queued' } } };
    requests.length = 0;
    await pipelines().readOwner({ deploymentId: owner });
    expect(requests).toEqual([`GET ${path} Bearer ${token}`]);
  });

  test.each(['101-5001', 'acme/runners', '../../user-1', 'acme/runners-0', 'a/b/c-1'])(
    'an invalid run id %j causes no request',
    async (deploymentId) => {
      requests.length = 0;
      expect(await pipelines().readOwner({ deploymentId })).toMatchObject({ kind: 'unknown' });
      expect(requests).toEqual([]);
    },
  );
});

describe('the holder of the lock', () => {
  const running = { [path]: { body: { status: 'in_progress' } } };
  const own = '777/2/hosted_runner_finalize/runner-1';
  const holder = { deploymentId: owner, jobId: '777/1/hosted_runner_provision/runner-1' };

  test.each<[string, readonly unknown[], string, string]>([
    [
      'a job that still runs',
      [job('linux / hosted_runner_provision', 'in_progress')],
      'alive',
      'job linux / hosted_runner_provision of workflow run 777 is in progress',
    ],
    [
      'an ended job beside a running one',
      [job('p', 'completed'), job('q', 'in_progress')],
      'alive',
      'job q of workflow run 777 is in progress',
    ],
    [
      'an ended job without a running one',
      [job('p', 'completed'), job('q', 'queued')],
      'over',
      'no other job of workflow run 777 runs',
    ],
    [
      'an ended job beside only the current second attempt',
      [
        job('p', 'completed'),
        job('linux / hosted_runner_finalize', 'in_progress', { run_attempt: 2 }),
      ],
      'over',
      'no other job of workflow run 777 runs',
    ],
    [
      'an ended job beside a job of the same name on another runner',
      [
        job('linux / hosted_runner_finalize', 'in_progress', {
          run_attempt: 2,
          runner_name: 'other',
        }),
      ],
      'alive',
      'job linux / hosted_runner_finalize of workflow run 777 is in progress',
    ],
    [
      'a job beside one with an unknown status',
      [job('p', 'dreaming')],
      'unknown',
      'job p of workflow run 777 is dreaming',
    ],
  ])('gets a verdict: %s', async (_, listed, kind, reason) => {
    answers = { ...running, [`${path}/jobs`]: jobs(...listed) };
    expect(await pipelines(own).readLockHolder(holder)).toEqual({ kind, reason });
  });

  test('stays unknown if the job list is cut', async () => {
    answers = { ...running, [`${path}/jobs`]: { body: { total_count: 3, jobs: [] } } };
    expect(await pipelines(own).readLockHolder(holder)).toEqual({
      kind: 'unknown',
      reason: `GitHub GET ${path}/jobs: only 0 of 3 jobs were listed`,
    });
  });
});

test('a deployment id is queried from the CI of its form', async () => {
  const named = (name: string) => ({
    readOwner: async () => ({ kind: 'over', reason: name }) as const,
    readLockHolder: async () => ({ kind: 'over', reason: name }) as const,
    readLastProvisions: async () => 'unknown' as const,
  });
  const both = pipelinesByForm({ gitlab: named('gitlab'), github: named('github') });
  expect(await both.readOwner({ deploymentId: owner })).toMatchObject({ reason: 'github' });
  expect(await both.readOwner({ deploymentId: '101-5001' })).toMatchObject({ reason: 'gitlab' });
});

test.each([
  ['101-5001', 'gitlab'],
  ['101-5001-rollback', 'gitlab'],
  ['acme/shop-77', 'github'],
  ['acme/shop-77-activate', 'github'],
  ['terminal-20261102T080000Z-ab12', 'terminal'],
  ['terminal-20261102T080000Z-ab12-rollback', 'terminal'],
  ['by-hand', 'terminal'],
])('%s is an id of %s', (id, ci) => {
  expect(ciOf(id)).toBe(ci);
});
