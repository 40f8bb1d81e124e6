import { describe, expect, test } from '@jest/globals';
import { type Answer, json } from '../../transport/fake-server.ts';
import { html, page } from '../scripted-gitlab.ts';
import {
  deploymentId,
  jobs,
  jobsOf,
  missing,
  openPipelines,
  others,
  pipeline,
  project,
} from './scripted-pipelines.ts';

describe('the pipeline that owns the lock', () => {
  test.each(['success', 'failed', 'canceled', 'skipped'])(
    'counts as over with the status %s',
    async (status) => {
      const pipelines = openPipelines({ [pipeline]: json(200, { status }) });
      await expect(pipelines.readOwner({ deploymentId })).resolves.toEqual({
        kind: 'over',
        reason: `pipeline 5001 ended as ${status}`,
      });
    },
  );

  test('counts as over if it waits for a manual job', async () => {
    const pipelines = openPipelines({ [pipeline]: json(200, { status: 'manual' }) });
    await expect(pipelines.readOwner({ deploymentId })).resolves.toEqual({
      kind: 'over',
      reason: 'pipeline 5001 waits for a manual job',
    });
  });

  test.each([
    'running',
    'pending',
    'created',
    'waiting_for_resource',
    'preparing',
    'scheduled',
    'canceling',
    'waiting_for_callback',
  ])('counts as alive with the status %s and a running stage', async (status) => {
    const pipelines = openPipelines({
      [pipeline]: json(200, { status }),
      [jobsOf]: jobs({ hosted_runner_prepare: 'success', hosted_runner_provision: 'running' }),
    });
    await expect(pipelines.readOwner({ deploymentId })).resolves.toEqual({
      kind: 'alive',
      reason: `pipeline 5001 is ${status}: its job hosted_runner_provision is running`,
    });
  });

  test('counts as alive between two stages, even if an optional manual job waits', async () => {
    const pipelines = openPipelines({
      [pipeline]: json(200, { status: 'running' }),
      [jobsOf]: page([
        { id: 1, name: 'hosted_runner_prepare', status: 'success', allow_failure: false },
        { id: 2, name: 'hosted_runner_onboard', status: 'created', allow_failure: false },
        { id: 3, name: 'hosted_runner_recover_rerun', status: 'manual', allow_failure: true },
      ]),
    });
    await expect(pipelines.readOwner({ deploymentId })).resolves.toEqual({
      kind: 'alive',
      reason: 'pipeline 5001 is running: its job hosted_runner_onboard has not run yet',
    });
  });

  const running: [string, Record<string, string>, 'alive' | 'over', string][] = [
    [
      'only its canary is left',
      { hosted_runner_provision: 'failed', hosted_runner_canary: 'pending' },
      'over',
      'but none of its stages starts automatically',
    ],
    [
      'only a canary of a matrix is left',
      { hosted_runner_provision: 'failed', 'hosted_runner_canary: [linux]': 'running' },
      'over',
      'but none of its stages starts automatically',
    ],
    [
      'a stage waits for approval',
      {
        hosted_runner_promote: 'manual',
        hosted_runner_shutdown: 'created',
        hosted_runner_canary: 'pending',
      },
      'over',
      'but none of its stages starts automatically',
    ],
    [
      'a stage is about to run',
      { hosted_runner_provision: 'success', hosted_runner_shutdown: 'created', build: 'running' },
      'alive',
      'its job hosted_runner_shutdown has not run yet',
    ],
    [
      'another stack is blocked, and this one waits for a build',
      {
        'a:hosted_runner_promote': 'manual',
        'b:hosted_runner_prepare': 'created',
        build: 'running',
      },
      'alive',
      'its job b:hosted_runner_prepare has not run yet',
    ],
    [
      'a stage stands in the queue',
      { hosted_runner_shutdown: 'waiting_for_resource' },
      'alive',
      'its job hosted_runner_shutdown is waiting_for_resource',
    ],
    [
      'customers build behind finished stages',
      { hosted_runner_finalize: 'success', build: 'running' },
      'over',
      'but none of its stages starts automatically',
    ],
    ['its jobs have custom names', { deploy: 'running' }, 'alive', 'it has not ended'],
  ];
  test.each(running)(
    'counts as alive or over in a running pipeline while %s',
    async (_, statuses, kind, reason) => {
      const pipelines = openPipelines({
        [pipeline]: json(200, { status: 'running' }),
        [jobsOf]: jobs(statuses),
      });
      const state = await pipelines.readOwner({ deploymentId });
      expect(state.kind).toBe(kind);
      expect(state.reason).toContain(reason);
    },
  );

  test('counts as over if it was deleted', async () => {
    const script = { [pipeline]: missing, [project]: json(200, { id: 101 }), [others]: page([]) };
    await expect(openPipelines(script).readOwner({ deploymentId })).resolves.toEqual({
      kind: 'over',
      reason: 'pipeline 5001 was deleted',
    });
  });

  const unusable: [string, Record<string, Answer>, string][] = [
    [
      'GitLab returns a login page',
      { [pipeline]: html(200) },
      'GitLab GET /projects/101/pipelines/5001: answered 200 with text/html, which is not JSON',
    ],
    [
      'a proxy returns an error page',
      { [pipeline]: html(404), [project]: json(200, { id: 101 }) },
      'GitLab GET /projects/101/pipelines/5001: Sign in · GitLab',
    ],
    [
      'the list of its jobs is incomplete',
      { [pipeline]: json(200, { status: 'running' }), [jobsOf]: json(200, []) },
      'GitLab GET /projects/101/pipelines/5001/jobs: the list is incomplete: page 1 does not report whether another page follows',
    ],
  ];
  test.each(unusable)('stays unknown if %s', async (_, script, reason) => {
    await expect(openPipelines(script).readOwner({ deploymentId })).resolves.toEqual({
      kind: 'unknown',
      reason,
    });
  });

  test.each([
    ['the pipeline', 'dreaming', 'created', 'its job hosted_runner_provision has not run yet'],
    ['a job', 'running', 'dreaming', 'its job hosted_runner_provision is dreaming'],
  ])('counts as alive with an unknown status of %s', async (_, status, job, actor) => {
    const script = {
      [pipeline]: json(200, { status }),
      [jobsOf]: jobs({ hosted_runner_provision: job }),
    };
    await expect(openPipelines(script).readOwner({ deploymentId })).resolves.toEqual({
      kind: 'alive',
      reason: `pipeline 5001 is ${status}: ${actor}`,
    });
  });

  test('stays unknown if GitLab lists no job, as for a token without access to builds', async () => {
    const script = { [pipeline]: json(200, { status: 'running' }), [jobsOf]: page([]) };
    await expect(openPipelines(script).readOwner({ deploymentId })).resolves.toEqual({
      kind: 'unknown',
      reason: 'GitLab lists no job of pipeline 5001 for this token',
    });
  });

  test.each(['terminal-abc', 'acme/infra-7001', '101-0', '101-5001-2', '101', '../1-2'])(
    'stays unknown for the id %s',
    async (id) => {
      await expect(openPipelines({}).readOwner({ deploymentId: id })).resolves.toEqual({
        kind: 'unknown',
        reason: `${id} is not a pipeline of this GitLab`,
      });
    },
  );
});
