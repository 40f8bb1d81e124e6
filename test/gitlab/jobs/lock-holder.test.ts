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

type Held = Parameters<typeof openPipelines>[0];

describe('the lock holder', () => {
  const holderPath = 'GET /projects/101/jobs/900';

  function script(status: string, statuses: Record<string, string>) {
    return {
      [pipeline]: json(200, { status: 'running' }),
      [holderPath]: json(200, holder(status)),
      [jobsOf]: jobs(statuses),
    };
  }

  const belonging = (other: object | null) => ({
    ...script('failed', {}),
    [holderPath]: json(200, { ...holder('failed'), pipeline: other }),
  });

  test.each(['running', 'canceling', 'pending'])(
    'counts as alive while its job is %s',
    async (status) => {
      const pipelines = openPipelines(script(status, { hosted_runner_provision: status }));
      await expect(pipelines.readLockHolder({ deploymentId, jobId: '900' })).resolves.toEqual({
        kind: 'alive',
        reason: `job hosted_runner_provision (900) is ${status}`,
      });
    },
  );

  const provision = 'hosted_runner_provision';
  test.each<[string, Held, string, string]>([
    [
      'over if the job ended and no other stage runs',
      script('failed', { [provision]: 'failed', hosted_runner_canary: 'running' }),
      'over',
      `job ${provision} (900) is failed and no other stage of its pipeline runs`,
    ],
    [
      'alive while another stage of the pipeline runs',
      script('failed', { [provision]: 'failed', hosted_runner_finalize: 'running' }),
      'alive',
      'job hosted_runner_finalize (901) of its pipeline is running',
    ],
    [
      'over if the pipeline was deleted',
      { [pipeline]: missing, [project]: json(200, { id: 101 }), [others]: page([]) },
      'over',
      'pipeline 5001 was deleted',
    ],
    [
      'unknown if the job does not exist',
      { ...script('failed', {}), [holderPath]: missing },
      'unknown',
      'pipeline 5001 has no job 900',
    ],
    [
      'unknown if the job belongs to another pipeline',
      belonging({ id: 6000 }),
      'unknown',
      'job 900 belongs to pipeline 6000',
    ],
    [
      'unknown if the job names no pipeline',
      belonging(null),
      'unknown',
      'job 900 belongs to no pipeline that GitLab lists',
    ],
  ])('follows from its job: %s', async (_, held, kind, reason) => {
    const pipelines = openPipelines(held);
    expect(await pipelines.readLockHolder({ deploymentId, jobId: '900' })).toEqual({
      kind,
      reason,
    });
  });

  test.each([
    [
      'the only other stage is the current job',
      '901',
      script('failed', { [provision]: 'failed', hosted_runner_finalize: 'running' }),
    ],
    [
      'the current job holds it, from an earlier process',
      '900',
      script('running', { [provision]: 'running' }),
    ],
  ])('counts as over if %s', async (_, own, held) => {
    const pipelines = openPipelines(held, own);
    const found = await pipelines.readLockHolder({ deploymentId, jobId: '900' });
    expect(found).toMatchObject({ kind: 'over' });
  });

  test('stays unknown if the job belongs to another CI', async () => {
    const found = await openPipelines({}).readLockHolder({ deploymentId, jobId: 'pid-77' });
    expect(found).toEqual({ kind: 'unknown', reason: '"pid-77" is not a job of this GitLab' });
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
