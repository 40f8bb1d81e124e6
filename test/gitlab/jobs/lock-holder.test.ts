import { describe, expect, test } from '@jest/globals';
import { json } from '../../transport/fake-server.ts';
import { page } from '../scripted-gitlab.ts';
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

describe('the holder of a lock', () => {
  const holderPath = 'GET /projects/101/jobs/900';

  function script(status: string, statuses: Record<string, string>) {
    return {
      [pipeline]: json(200, { status: 'running' }),
      [holderPath]: json(200, holder(status)),
      [jobsOf]: jobs(statuses),
    };
  }

  test.each(['running', 'canceling', 'pending'])('is alive while it is %s', async (status) => {
    const pipelines = openPipelines(script(status, { hosted_runner_provision: status }));
    await expect(pipelines.readLockHolder({ deploymentId, jobId: '900' })).resolves.toEqual({
      kind: 'alive',
      reason: `job hosted_runner_provision (900) is ${status}`,
    });
  });

  test('is over when it ended and no other stage runs', async () => {
    const statuses = { hosted_runner_provision: 'failed', hosted_runner_canary: 'running' };
    await expect(
      openPipelines(script('failed', statuses)).readLockHolder({ deploymentId, jobId: '900' }),
    ).resolves.toEqual({
      kind: 'over',
      reason: 'job hosted_runner_provision (900) is failed and no other stage of its pipeline runs',
    });
  });

  test('is alive while another stage of its pipeline runs', async () => {
    const statuses = { hosted_runner_provision: 'failed', hosted_runner_finalize: 'running' };
    await expect(
      openPipelines(script('failed', statuses)).readLockHolder({ deploymentId, jobId: '900' }),
    ).resolves.toEqual({
      kind: 'alive',
      reason: 'job hosted_runner_finalize (901) of its pipeline is running',
    });
  });

  test('is over when the only other stage is our own job', async () => {
    const statuses = { hosted_runner_provision: 'failed', hosted_runner_finalize: 'running' };
    await expect(
      openPipelines(script('failed', statuses), '901').readLockHolder({
        deploymentId,
        jobId: '900',
      }),
    ).resolves.toMatchObject({ kind: 'over' });
  });

  test('is over when it is our own job, from an earlier process of it', async () => {
    const statuses = { hosted_runner_provision: 'running' };
    await expect(
      openPipelines(script('running', statuses), '900').readLockHolder({
        deploymentId,
        jobId: '900',
      }),
    ).resolves.toMatchObject({ kind: 'over' });
  });

  test('is over when its pipeline was deleted', async () => {
    const gone = { [pipeline]: missing, [project]: json(200, { id: 101 }), [others]: page([]) };
    await expect(
      openPipelines(gone).readLockHolder({ deploymentId, jobId: '900' }),
    ).resolves.toMatchObject({
      kind: 'over',
    });
  });

  test('is unknown when its job is not there', async () => {
    const pipelines = openPipelines({ ...script('failed', {}), [holderPath]: missing });
    await expect(pipelines.readLockHolder({ deploymentId, jobId: '900' })).resolves.toEqual({
      kind: 'unknown',
      reason: 'pipeline 5001 has no job 900',
    });
  });

  test.each([
    [{ id: 6000 }, 'pipeline 6000'],
    [null, 'no pipeline by what GitLab says'],
  ])('is unknown when its job belongs elsewhere: %j', async (other, whose) => {
    const foreign = json(200, { ...holder('failed'), pipeline: other });
    const pipelines = openPipelines({ ...script('failed', {}), [holderPath]: foreign });
    await expect(pipelines.readLockHolder({ deploymentId, jobId: '900' })).resolves.toEqual({
      kind: 'unknown',
      reason: `job 900 belongs to ${whose}`,
    });
  });

  test('is unknown when the job is of another CI', async () => {
    await expect(
      openPipelines({}).readLockHolder({ deploymentId, jobId: 'pid-77' }),
    ).resolves.toEqual({
      kind: 'unknown',
      reason: '"pid-77" is no job of this GitLab',
    });
  });
});

function holder(status: string) {
  return {
    id: 900,
    name: 'hosted_runner_provision',
    status,
    created_at: '2026-11-02T08:00:00.000Z',
    started_at: null,
    finished_at: null,
    web_url: 'https://gitlab.example.com/acme/runners/-/jobs/900',
    tag_list: ['operations'],
    pipeline: { id: 5001 },
    runner: null,
    runner_manager: null,
  };
}
