import { describe, expect, test } from '@jest/globals';
import { createCanaryProject } from '../../../src/adapters/gitlab/canary/canary-project.ts';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/gitlab-canary.ts';
import { cancelJobs } from '../../../src/adapters/gitlab/jobs/job-cancel.ts';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import { json } from '../../transport/fake-server.ts';
import { page, runner } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const settings = { scope, accessLevel: 'not_protected', locked: false } as never;

/** What each status of a refused write is: a refusal has changed nothing, an outage may have. */
const statuses = [
  [400, 'refused', 'none', 'once'],
  [401, 'unauthenticated', 'none', 'once'],
  [403, 'denied', 'none', 'once'],
  [404, 'refused', 'none', 'once'],
  [405, 'refused', 'none', 'once'],
  [408, 'unavailable', 'unknown', 'once'],
  [409, 'refused', 'none', 'once'],
  [412, 'refused', 'none', 'once'],
  [422, 'refused', 'none', 'once'],
  [425, 'unavailable', 'unknown', 'once'],
  [429, 'throttled', 'none', 'again'],
  [500, 'unavailable', 'unknown', 'once'],
  [502, 'unavailable', 'unknown', 'once'],
  [503, 'unavailable', 'unknown', 'once'],
] as const;

function timesIn(sent: readonly string[], call: string): string {
  const times = sent.filter((each) => each === call).length;
  return times > 1 ? 'again' : times === 1 ? 'once' : 'never';
}

const writes: [string, (registry: RunnerRegistry) => Promise<unknown>][] = [
  ['POST /user/runners', (of) => of.create({ shard, settings, tags: ['canary'], note: '' })],
  ['PUT /runners/48213', (of) => of.route(id, { tags: ['linux'], runUntagged: false })],
  ['PUT /runners/48213', (of) => of.setIntake(id, 'closed')],
  ['DELETE /runners/48213', (of) => of.retire(id)],
  ['POST /runners/48213/reset_authentication_token', (of) => of.resetToken(id)],
];

const rows = writes.flatMap(([call, act]) =>
  statuses.map(([status, kind, effect, times]) => ({ call, act, status, kind, effect, times })),
);

describe('a refused write of the registry', () => {
  test.each(rows)(
    '$call with $status is $kind, effect $effect, and is sent $times',
    async ({ call, act, status, kind, effect, times }) => {
      const answer = json(status, { message: `${status} of GitLab` });
      const { registry, sent } = openRegistry({
        [call]: answer,
        [one]: json(200, { ...runner, paused: false, tag_list: ['canary'] }),
        [list]: page([]),
      });
      await expect(act(registry)).rejects.toMatchObject({ kind, effect, status });
      expect(timesIn(sent, call)).toBe(times);
    },
  );

  test('DELETE with the 404 of a runner is absent only if GitLab shows it no more', async () => {
    const gone = json(404, { message: '404 Runner Not Found' });
    const removal = { 'DELETE /runners/48213': gone, [list]: page([]) };
    const { registry } = openRegistry({ ...removal, [one]: gone });
    expect(await registry.retire(id)).toBe('absent');
    const shown = openRegistry({ ...removal, [one]: json(200, runner) });
    await expect(shown.registry.retire(id)).rejects.toMatchObject({ kind: 'unexpected' });
  });
});

const tag = 'canary-101-7-linux';
const job = {
  id: 9,
  name: 'canary',
  status: 'pending',
  created_at: '2026-11-02T08:00:00Z',
  tag_list: [tag],
};

describe('a refused pipeline of the canary project', () => {
  const call = 'POST /projects/acme/canary/pipeline';
  const project = {
    'GET /metadata': json(200, { version: '19.3.0' }),
    'GET /projects/acme/canary/pipelines': page([]),
  };
  const options = {
    deploymentId: '101-7',
    runnerName: 'linux',
    project: 'acme/canary',
    ref: 'main',
    input: 'tag',
  };

  test.each(statuses)('with %d is %s, effect %s, and is sent %s', async (...row) => {
    const [status, , effect, times] = row;
    // The same token has just listed pipelines: it is valid, and may only read.
    const kind = status === 401 ? 'denied' : row[1];
    const answer = json(status, { message: `${status} of GitLab` });
    const { client, clock, sent } = openRegistry({ ...project, [call]: answer });
    const started = createCanaryProject({ ...options, client, clock }).start();
    await expect(started).rejects.toMatchObject({ kind, effect, status });
    expect(timesIn(sent, call)).toBe(times);
  });
});

const actions = [
  ['retry', 'failed'],
  ['play', 'manual'],
  ['cancel', 'running'],
] as const;

describe('a refused cancel of a job whose machine is gone', () => {
  const place = { project: 101 };
  const call = 'POST /projects/101/jobs/9/cancel';
  const jobs = [{ ...job, status: 'canceling' }] as never;

  test.each([400, 403])('with %d is a GitLab that has no forced cancel', async (status) => {
    const { client, sent } = openRegistry({ [call]: json(status, { message: 'no' }) });
    await cancelJobs(client, place, { jobs, machineIsGone: true });
    expect(sent).toEqual([call]);
  });

  test.each(statuses.filter(([status]) => status !== 400 && status !== 403))(
    'with %d is %s, effect %s, and is sent %s',
    async (status, kind, effect, times) => {
      const { client, sent } = openRegistry({ [call]: json(status, { message: 'no' }) });
      const cancelled = cancelJobs(client, place, { jobs, machineIsGone: true });
      await expect(cancelled).rejects.toMatchObject({ kind, effect, status });
      expect([new Set(sent), timesIn(sent, call)]).toEqual([new Set([call]), times]);
    },
  );
});

describe('a refused assignment of a runner to a project', () => {
  const enable = 'POST /projects/102/runners';
  test.each(statuses)('with %d is %s, effect %s, and is sent %s', async (...row) => {
    const [status, kind, effect, times] = row;
    const { registry, sent } = openRegistry(
      {
        [enable]: json(status, { message: `${status} of GitLab` }),
        'GET /runners/48211/projects': page([{ id: 102 }]),
        'GET /runners/48213/projects': page([]),
        [one]: json(200, { ...runner, runner_type: 'project_type', locked: false }),
      },
      { kind: 'project', projectId: 101 },
    );
    const copied = registry.copyAssignments({ from: '48211' as never, to: id, locked: false });
    await expect(copied).rejects.toMatchObject({ kind, effect, status });
    expect(timesIn(sent, enable)).toBe(times);
  });
});

describe('a refused write of the canary', () => {
  test.each(
    actions.flatMap(([action, before]) =>
      statuses.map(([status, kind, effect, times]) => ({
        ...{ action, before, status, kind, effect, times },
      })),
    ),
  )('$action with $status is $kind, effect $effect, and is sent $times', async (row) => {
    const { action, before, status, effect, times } = row;
    const call = `POST /projects/101/jobs/9/${action}`;
    const now = { ...job, status: before };
    const { client, clock, sent } = openRegistry({
      [call]: json(status, { message: `${status} of GitLab` }),
      'GET /projects/101/pipelines/7/jobs': page([now]),
      'GET /projects/101/jobs/9': json(200, now),
    });
    const canary = createCanaryJob({
      client,
      clock,
      projectId: 101,
      pipelineId: 7,
      pipelineIid: 7,
      pipelineUrl: 'https://gitlab.example.com/p',
      runnerName: 'linux',
      jobName: 'canary',
    });
    // A job token is valid where it may only read, and is answered 401.
    const kind = status === 401 && action !== 'cancel' ? 'denied' : row.kind;
    const done = action === 'cancel' ? canary.cancel() : canary.start();
    // A retry whose answer is lost is looked for; what was listed before is no answer to it.
    await expect(done).rejects.toMatchObject({ kind, effect, status });
    expect(timesIn(sent, call)).toBe(times);
  });
});
