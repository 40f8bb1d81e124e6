import { describe, expect, test } from '@jest/globals';
import type { GitHubClient } from '../../../src/adapters/github/github-client.ts';
import { jobsOf } from '../../../src/adapters/github/runners/jobs.ts';
import { createCanaryWorkflow } from '../../../src/adapters/github/runs/canary-workflow.ts';
import { listRunJobs } from '../../../src/adapters/github/runs/runs.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { canaryOfApp, tag } from './canary-of-app.ts';

const clock = createVirtualClock();
const daysAgo = (days: number) => new Date(clock.now() - days * 24 * 60 * 60_000).toISOString();

interface Run {
  readonly id: number;
  readonly title?: string;
  readonly event?: string;
  readonly createdAt?: string;
  readonly jobs?: readonly object[];
}

/** Opens pages like GitHub's: newest first, at most 100 items, with the total. */
function open(listRuns: () => readonly Run[]) {
  const sent: string[] = [];
  const client: GitHubClient = {
    redactor: createRedactor(),
    clock,
    async request(route, { run_id: runId, page = 1, per_page: size = 30 } = {}) {
      sent.push(`${route.replace(/.*\{(?:repo|run_id)\}\//, '')} ${page}`);
      const cut = <T>(items: readonly T[]) =>
        items.slice((Number(page) - 1) * Number(size), Number(page) * Number(size));
      const runs = listRuns().toSorted((one, other) => other.id - one.id);
      const jobs = runs.find(({ id }) => id === runId)?.jobs ?? [];
      const data = route.endsWith('/jobs')
        ? { total_count: jobs.length, jobs: cut(jobs) }
        : {
            total_count: runs.length,
            workflow_runs: cut(runs).map(({ id, title, event, createdAt }) => {
              return { id, display_title: title, event, created_at: createdAt ?? daysAgo(0) };
            }),
          };
      return { status: 200, data, source: `GitHub ${route}` };
    },
  };
  const canary = createCanaryWorkflow({
    client,
    clock,
    ...canaryOfApp,
  });
  return { client, canary, sent };
}

const others = (count: number, more: Partial<Run> = {}): Run[] =>
  Array.from({ length: count }, (_, index) => ({ id: 1000 + index, title: 'canary x', ...more }));
const waiting = { id: 7, status: 'queued', labels: [tag] };
const ownRun = { id: 5, title: `canary ${tag}`, jobs: [waiting] };

describe('the canary of a deployment on GitHub', () => {
  test.each([29, 30, 31, 99, 100, 101, 999, 1000, 1001])(
    'remains found, known and cancellable behind %d younger runs of its workflow',
    async (count) => {
      const { canary } = open(() => [ownRun, ...others(count)]);
      expect(await canary.findNewest()).toMatchObject({ id: '7', status: 'waiting' });
      expect(await canary.find('7')).toMatchObject({ id: '7' });
      expect(await canary.listIds()).toEqual(['7']);
      expect(await canary.listIds('8' as DeploymentId)).toEqual([]);
      expect(await canary.cancel()).toBe(1);
    },
  );

  test('causes reads only down to the runs of the previous read', async () => {
    const runs: Run[] = [ownRun, ...others(250)];
    const { canary, sent } = open(() => runs);
    await canary.listIds();
    expect(sent).toEqual([
      ...[1, 2, 3].map((page) => `actions/workflows/{workflow_id}/runs ${page}`),
      'jobs 1',
    ]);
    sent.length = 0;
    runs.push({ id: 9000, title: `canary ${tag}`, jobs: [{ ...waiting, id: 8 }] });
    expect(await canary.listIds()).toEqual(['8', '7']);
    expect(sent).toEqual(['actions/workflows/{workflow_id}/runs 1', 'jobs 1', 'jobs 1']);
  });

  test('disappears if it was deleted since the previous read', async () => {
    const runs: Run[] = [ownRun, ...others(3)];
    const { canary } = open(() => runs);
    expect(await canary.listIds()).toEqual(['7']);
    runs.shift();
    expect(await canary.listIds()).toEqual([]);
  });

  test.each([100, 101])(
    'causes no read of runs that are too old to be alive, after %d runs',
    async (count) => {
      const old = others(count, { createdAt: daysAgo(37) });
      const { canary, sent } = open(() => [ownRun, ...old]);
      expect(await canary.listIds()).toEqual([]);
      expect(sent).toEqual(['actions/workflows/{workflow_id}/runs 1']);
    },
  );

  test.each(['pull_request', 'push'])('excludes a run of the event %s', async (event) => {
    const { canary } = open(() => [{ ...ownRun, event }]);
    expect(await canary.listIds()).toEqual([]);
  });

  test.each([9_998, 9_999])('appears behind %d younger runs', async (count) => {
    expect(await open(() => [ownRun, ...others(count)]).canary.listIds()).toEqual(['7']);
  });

  test('stays unknown, never absent, if GitHub lists more than 10,000 runs of the last 35 days', async () => {
    const { canary } = open(() => [ownRun, ...others(10_000)]);
    const failure = { kind: 'unexpected', effect: 'none' };
    expect(await failureOf(canary.findNewest())).toMatchObject(failure);
    expect(await failureOf(canary.cancel())).toMatchObject({
      ...failure,
      detail: 'it lists more than 10000 runs of the last 35 days',
    });
  });

  test.each([99, 100, 101, 256])('appears among %d jobs of its run', async (count) => {
    const jobs = Array.from({ length: count - 1 }, (_, index) => {
      return { id: 100 + index, status: 'queued', labels: ['linux'] };
    });
    const { canary } = open(() => [{ ...ownRun, jobs: [...jobs, waiting] }]);
    expect(await canary.listIds()).toEqual(['7']);
  });
});

describe('the job of a busy runner', () => {
  const scope = { kind: 'repository', owner: 'acme', repository: 'app' } as const;
  const runner = (id: number) => ({ id, name: `pink-linux-${id}`, busy: true }) as never;
  const job = { id: 7, name: 'build', status: 'in_progress', runner_id: 3 };
  const queued = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: 100 + index, status: 'queued' }));
  const ids = async (runs: readonly Run[], runners = [runner(3)]) => {
    const { client, sent } = open(() => runs);
    const found = await jobsOf({ client, scope, runners });
    return { found: found.map(({ id }) => id), sent };
  };

  test.each([99, 100, 101, 256])('keeps its name as the last of %d jobs', async (count) => {
    const run = { id: 5, jobs: [...queued(count - 1), job] };
    expect((await ids([run])).found).toEqual(['7']);
  });

  test.each([98, 99, 100, 999])('keeps its name behind %d younger runs', async (count) => {
    expect((await ids([{ id: 5, jobs: [job] }, ...others(count)])).found).toEqual(['7']);
  });

  test('counts as a job, without a name, behind 1,000 younger runs', async () => {
    const { found } = await ids([{ id: 5, jobs: [job] }, ...others(1000)]);
    expect(found).toEqual(['runner-3']);
  });

  test('causes no more reads once each busy runner has its job', async () => {
    const { found, sent } = await ids([{ id: 9000, jobs: [job] }, ...others(250)]);
    expect(found).toEqual(['7']);
    expect(sent).toEqual(['actions/runs 1', 'jobs 1']);
  });

  test('causes reads until the last busy runner has its job', async () => {
    const other = { ...job, id: 8, runner_id: 4 };
    const runs = [{ id: 9000, jobs: [job] }, ...others(120), { id: 5, jobs: [other] }];
    expect((await ids(runs, [runner(3), runner(4)])).found).toEqual(['7', '8']);
  });
});

test.each([99, 100, 101, 1000])('a run with %d jobs is listed completely', async (count) => {
  const jobs = Array.from({ length: count }, (_, index) => ({
    name: `${index}`,
    status: 'queued',
  }));
  const { client } = open(() => [{ id: 5, jobs }]);
  const listed = await listRunJobs(client, { repository: 'acme/app', runId: 5 as never });
  expect(listed).toHaveLength(count);
});

test('a run with more than 1,000 jobs causes a refusal, never a partial list', async () => {
  const jobs = Array.from({ length: 1001 }, (_, index) => ({ name: `${index}`, status: 'queued' }));
  const { client } = open(() => [{ id: 5, jobs }]);
  const failure = await failureOf(
    listRunJobs(client, { repository: 'acme/app', runId: 5 as never }),
  );
  expect(failure).toMatchObject({
    kind: 'unexpected',
    detail: 'only 1000 of 1001 jobs were listed',
  });
});
