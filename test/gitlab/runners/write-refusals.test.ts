import { describe, expect, test } from '@jest/globals';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/canary-job.ts';
import { cancelJobs } from '../../../src/adapters/gitlab/jobs/job-cancel.ts';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import { json } from '../../transport/fake-server.ts';
import { page, runner } from '../scripted-gitlab.ts';
import { id, list, one, openRegistry, shard } from './scripted-registry.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const settings = { scope, accessLevel: 'not_protected', locked: false } as never;

/** What each status of a refused write is: a refusal has changed nothing, an outage may have. */
const statuses = [
  [400, 'refused', 'none'],
  [401, 'unauthenticated', 'none'],
  [403, 'denied', 'none'],
  [404, 'refused', 'none'],
  [405, 'refused', 'none'],
  [409, 'refused', 'none'],
  [412, 'refused', 'none'],
  [422, 'refused', 'none'],
  [500, 'unavailable', 'unknown'],
] as const;

const writes: [string, (registry: RunnerRegistry) => Promise<unknown>][] = [
  ['POST /user/runners', (of) => of.create({ shard, settings, tags: ['canary'], note: '' })],
  ['PUT /runners/48213', (of) => of.route(id, { tags: ['linux'], runUntagged: false })],
  ['PUT /runners/48213', (of) => of.setIntake(id, 'closed')],
  ['DELETE /runners/48213', (of) => of.retire(id)],
  ['POST /runners/48213/reset_authentication_token', (of) => of.resetToken(id)],
];

const rows = writes.flatMap(([call, act]) =>
  statuses.map(([status, kind, effect]) => ({ call, act, status, kind, effect })),
);

describe('a refused write of the registry', () => {
  test.each(rows)(
    '$call with $status is $kind, effect $effect, and is sent once',
    async ({ call, act, status, kind, effect }) => {
      const answer = json(status, { message: `${status} of GitLab` });
      const { registry, sent } = openRegistry({
        [call]: answer,
        [one]: json(200, { ...runner, paused: false, tag_list: ['canary'] }),
        [list]: page([]),
      });
      await expect(act(registry)).rejects.toMatchObject({ kind, effect, status });
      expect(sent.filter((each) => each === call)).toHaveLength(1);
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
    'with %d is %s, effect %s, and is sent once',
    async (status, kind, effect) => {
      const { client, sent } = openRegistry({ [call]: json(status, { message: 'no' }) });
      const cancelled = cancelJobs(client, place, { jobs, machineIsGone: true });
      await expect(cancelled).rejects.toMatchObject({ kind, effect, status });
      expect(sent).toEqual([call]);
    },
  );
});

describe('a refused assignment of a runner to a project', () => {
  const enable = 'POST /projects/102/runners';
  test.each(statuses)('with %d is %s, effect %s, and is sent once', async (...row) => {
    const [status, kind, effect] = row;
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
    expect(sent.filter((each) => each === enable)).toHaveLength(1);
  });
});

describe('a refused write of the canary', () => {
  test.each(
    actions.flatMap(([action, before]) =>
      statuses.map(([status, kind, effect]) => ({ action, before, status, kind, effect })),
    ),
  )('$action with $status is $kind, effect $effect, and is sent once', async (row) => {
    const { action, before, status, effect } = row;
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
    expect(sent.filter((each) => each === call)).toHaveLength(1);
  });
});
