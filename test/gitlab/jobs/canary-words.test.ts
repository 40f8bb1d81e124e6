import { describe, expect, test } from '@jest/globals';
import { canaryTag } from '../../../src/adapters/canary/canary-tag.ts';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/gitlab-canary.ts';
import { listPipelineCanaries } from '../../../src/adapters/gitlab/canary/pipeline-canary.ts';
import { findJob, type Job, toCanaryJob } from '../../../src/adapters/gitlab/jobs/job.ts';
import { cancelJobs } from '../../../src/adapters/gitlab/jobs/job-cancel.ts';
import { startOnce } from '../../../src/adapters/gitlab/jobs/job-start.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import { failureOf } from '../../support/failure-of.ts';
import { type Answer, json, networkError } from '../../transport/fake-server.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';
import { createScriptedGitLab, page } from '../scripted-gitlab.ts';

const place = { project: 101 };
const path = '/projects/101/jobs/900';
const created = '2026-11-02T08:00:00.000Z';
const job = (status: string, more: Partial<Job> = {}) =>
  ({ id: 900, name: 'hosted_runner_canary', status, created_at: created, ...more }) as Job;

test.each([
  ['created', 'waiting'],
  ['waiting_for_resource', 'waiting'],
  ['scheduled', 'waiting'],
  ['success', 'success'],
  ['failed', 'failed'],
  ['running', 'running'],
  ['pending', 'waiting'],
  ['canceling', 'canceling'],
  ['canceled', 'canceled'],
  ['skipped', 'canceled'],
  ['manual', 'canceled'],
  ['thawing', 'unknown'],
  ['', 'unknown'],
])('a canary with the GitLab status %j is %s', (status, is) => {
  expect(toCanaryJob(job(status)).status).toBe(is);
});

describe('a job that GitLab does not find', () => {
  const found = (answer: Answer) =>
    findJob(createScriptedGitLab({ [`GET ${path}`]: answer }).client, place, 900);

  test('counts as absent if GitLab reports that the job does not exist', async () => {
    expect(await found(json(404, { message: '404 Not found' }))).toBeUndefined();
  });

  test.each([
    { message: '404 Project Not Found' },
    { error: '404 Not Found' },
    { message: 'this is a proxy' },
  ])('causes an error for any other 404: %j', async (body) => {
    expect(await failureOf(found(json(404, body)))).toMatchObject({ kind: 'refused', status: 404 });
  });
});

describe('the canary list of a pipeline', () => {
  const tag = 'canary-101-1-linux';
  const listed = (...all: readonly Job[]) => {
    const { client } = createScriptedGitLab({ 'GET /projects/101/pipelines/5/jobs': page(all) });
    const where = { projectId: 101, pipelineId: 5, tag };
    return listPipelineCanaries(client, where, { jobName: 'hosted_runner_canary' });
  };
  const named = (name: string, ...tags: string[]) => job('pending', { name, tag_list: tags });

  test('contains jobs with the canary’s name, or a matrix cell of it, and its tag', async () => {
    const [plain, cell] = [
      named('hosted_runner_canary', tag),
      { ...named('hosted_runner_canary: [linux]', tag), id: 901 },
    ];
    const others = [
      { ...named('hosted_runner_canary', 'linux'), id: 902 },
      { ...named('hosted_runner_canary_of_theirs', tag), id: 903 },
      { ...named('deploy', tag), id: 904 },
    ];
    expect((await listed(plain, cell, ...others)).map(({ id }) => id)).toEqual([900, 901]);
  });

  test('causes an error if the pipeline shows no job at all', async () => {
    expect(await failureOf(listed())).toMatchObject({ kind: 'denied', effect: 'none' });
  });
});

describe('the start of a canary', () => {
  const failure = (kind: 'unreachable' | 'unauthenticated', effect: 'none' | 'unknown') =>
    new PortFailure({ kind, effect, source: 'GitLab POST', detail: 'its words' });
  const startedBy = (error: PortFailure) => {
    let starts = 0;
    const start = () => {
      starts += 1;
      return Promise.reject(error);
    };
    const ends = startOnce({
      clock: createVirtualClock(),
      start,
      findStarted: async () => undefined,
    });
    return failureOf(ends).then((seen) => ({ seen, starts }));
  };

  test('sends nothing again if its response is lost and its job is not visible', async () => {
    const lost = failure('unreachable', 'unknown');
    expect(await startedBy(lost)).toEqual({ seen: lost, starts: 1 });
  });

  test('counts as denied, not as a wrong token, if a valid token may not do it', async () => {
    const { seen } = await startedBy(failure('unauthenticated', 'none'));
    expect(seen).toMatchObject({ kind: 'denied', effect: 'none', detail: 'its words' });
  });
});

describe('the cancellation of a canary', () => {
  const cancel = (status: string, answer: Answer, now: string) => {
    const script = { [`POST ${path}/cancel`]: answer, [`GET ${path}`]: json(200, job(now)) };
    const { client, sent } = createScriptedGitLab(script);
    const ends = cancelJobs(client, place, { jobs: [job(status)] });
    return { ends, sent };
  };
  const done = json(201, job('canceled'));

  test('forces a canceling job only if its machine is gone, and does not insist', async () => {
    for (const answer of [done, json(403, { message: '403 Forbidden' })]) {
      const { client, sent } = createScriptedGitLab({ [`POST ${path}/cancel`]: answer });
      const jobs = [job('canceling')];
      expect(await cancelJobs(client, place, { jobs })).toBe(0);
      expect(sent).toEqual([]);
      expect(await cancelJobs(client, place, { jobs, machineIsGone: true })).toBe(0);
      expect(sent).toEqual([`POST ${path}/cancel`]);
    }
  });

  const no = json(403, { message: '403 Forbidden' });

  test.each(['created', 'pending', 'running', 'waiting_for_resource', 'scheduled', 'thawing'])(
    'reaches a job that is %s, which can still run',
    async (status) => {
      const { ends, sent } = cancel(status, done, 'canceled');
      expect(await ends).toBe(1);
      expect(sent[0]).toBe(`POST ${path}/cancel`);
    },
  );

  test.each(['success', 'failed', 'canceled', 'canceling', 'skipped', 'manual'])(
    'sends nothing to a job that is %s',
    async (status) => {
      const { ends, sent } = cancel(status, done, status);
      expect(await ends).toBe(0);
      expect(sent).toEqual([]);
    },
  );

  test('causes an error if GitLab refuses it, unless the job has ended by itself', async () => {
    expect(await cancel('running', no, 'success').ends).toBe(1);
    expect(await failureOf(cancel('running', no, 'running').ends)).toMatchObject({
      kind: 'denied',
      detail: '403 Forbidden',
    });
  });
});

test('two deployments never share a tag, whatever GitLab truncates or refuses', () => {
  const long = 'a'.repeat(220);
  const tags = [
    ['a/b-1', 'linux'],
    ['a-b-1', 'linux'],
    ['1-2', 'a/b'],
    ['1-2', 'a-b'],
    ['1-2', `${long}1`],
    ['1-2', `${long}2`],
  ].map(([deployment = '', runner = '']) => canaryTag(deployment, runner));
  expect(new Set(tags).size).toBe(6);
  for (const tag of tags) expect(tag).toMatch(/^[\w.-]{1,255}$/);
});

describe('the canary of the deployment’s pipeline', () => {
  const open = (script: Record<string, Answer | Answer[]>) => {
    const gitlab = createScriptedGitLab(script);
    const canary = createCanaryJob({
      client: gitlab.client,
      clock: gitlab.clock,
      projectId: 101,
      pipelineId: 5,
      pipelineIid: 1,
      pipelineUrl: 'https://gitlab.example.com/acme/-/pipelines/5',
      runnerName: 'linux',
      jobName: 'hosted_runner_canary',
    });
    return { canary, sent: gitlab.sent };
  };
  const canaryPage = (status: string) =>
    page([job(status, { tag_list: ['canary-101-1-linux'], pipeline: { id: 5 } })]);
  const listed = 'GET /projects/101/pipelines/5/jobs';

  test('stays uncancelled while it waits for onboard, which restores it', async () => {
    const { canary, sent } = open({ [listed]: canaryPage('created') });
    expect(await canary.cancel()).toBe(0);
    expect(sent).toEqual([listed]);
  });

  test('counts as not started if its play call got no response and it is still manual', async () => {
    const lost = { [`POST ${path}/play`]: networkError('ECONNRESET') };
    const still = open({ [listed]: canaryPage('manual'), ...lost });
    expect(await failureOf(still.canary.start())).toMatchObject({
      kind: 'unreachable',
      effect: 'unknown',
    });
    expect(still.sent.filter((call) => call.endsWith('/play'))).toHaveLength(1);
    const begun = open({ [listed]: [canaryPage('manual'), canaryPage('pending')], ...lost });
    expect(await begun.canary.start()).toMatchObject({ id: '900', status: 'waiting' });
  });

  test('causes queries in its project only', async () => {
    const { canary, sent } = open({ [listed]: canaryPage('created') });
    for (const deployment of ['102-5', 'terminal-1', 'acme/app-5'])
      expect(await canary.cancel({ of: deployment as never })).toBe(0);
    expect(sent).toEqual([]);
  });
});
