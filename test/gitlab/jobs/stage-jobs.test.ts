import { describe, expect, test } from '@jest/globals';
import { createCanaryProject } from '../../../src/adapters/gitlab/canary/canary-project.ts';
import {
  endingsOf,
  findActor,
  findRunning,
  isOver,
  type PipelineJob,
} from '../../../src/adapters/gitlab/jobs/stage-jobs.ts';
import { failureOf } from '../../support/failure-of.ts';
import { json } from '../../transport/fake-server.ts';
import { createScriptedGitLab, page } from '../scripted-gitlab.ts';
import { deploymentId, jobsOf, openPipelines } from './scripted-pipelines.ts';

const stage = (status: string, more: Partial<PipelineJob> = {}): PipelineJob => ({
  id: 7,
  name: 'hosted_runner_provision',
  status,
  ...more,
});

describe('a stage job', () => {
  test.each(['running', 'canceling', 'thawing', ''])('may be running with %j', (status) => {
    expect(findRunning([stage(status)], new Set())?.id).toBe(7);
    expect(findRunning([stage(status)], new Set([7]))).toBeUndefined();
    expect(isOver(status)).toBe(false);
  });

  test.each(['success', 'failed', 'canceled', 'skipped', 'created', 'manual', 'pending'])(
    'counts as not running with the status %s',
    (status) => {
      expect(findRunning([stage(status)], new Set())).toBeUndefined();
    },
  );

  test('excludes a canary and the user’s jobs', () => {
    const others = ['hosted_runner_canary: [linux]', 'build'];
    const jobs = others.map((name) => stage('running', { name }));
    expect(findRunning(jobs, new Set())).toBeUndefined();
  });
});

test('a pipeline with only optional manual jobs left does not act by itself', () => {
  expect(findActor([stage('manual', { allow_failure: true })])).toBeUndefined();
});

test('provision results are listed newest first, without those that prove nothing', () => {
  const ends = ['failed', 'canceled', 'success', 'running', 'failed'];
  const jobs = ends.map((status, index) => stage(status, { id: 7 + index }));
  const recovery = stage('success', { id: 20, name: 'hosted_runner_recover_linux' });
  const other = stage('failed', { id: 30, name: 'hosted_runner_cleanup' });
  expect(endingsOf([...jobs, recovery, other])).toEqual(['success', 'failed', 'success', 'failed']);
});

test('a pipeline that has just started does not take an older pipeline’s job as its canary', async () => {
  const older = { id: 900, name: 'canary', status: 'success', created_at: '2026-11-02T08:00:00Z' };
  const tag = 'canary-101-5001-linux';
  const { client, clock } = createScriptedGitLab({
    'GET /projects/acme/canary/pipelines': page([{ id: 5 }]),
    'GET /projects/acme/canary/pipelines/5/jobs': page([{ ...older, tag_list: [tag] }]),
    'GET /projects/acme/canary/pipelines/6/jobs': page([{ ...older, id: 901 }]),
    'GET /metadata': json(200, { version: '18.4.0' }),
    'POST /projects/acme/canary/pipeline': json(201, { id: 6 }),
  });
  const canary = createCanaryProject({
    client,
    clock,
    deploymentId: '101-5001',
    runnerName: 'linux',
    project: 'acme/canary',
    ref: 'main',
    input: 'tag',
  });
  expect(await failureOf(canary.start())).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining(`pipeline 6 has no job with the tag ${tag}`),
  });
});

test.each([
  ['shows no job at all', page([])],
  ['is forbidden', json(403, { message: '403 Forbidden' })],
])('the provision results stay unknown if their pipeline %s', async (_, answer) => {
  const pipelines = openPipelines({ [jobsOf]: answer });
  expect(await pipelines.readLastProvisions({ deploymentId })).toBe('unknown');
});
