import { createCanaryProject } from '../../../src/adapters/gitlab/canary/canary-project.ts';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/gitlab-canary.ts';
import { createGitLabPipelines } from '../../../src/adapters/gitlab/jobs/gitlab-pipelines.ts';
import type { AnsweringGitLab } from './answering-gitlab.ts';
import { changed, empty, type Question } from './question.ts';

function canaryJob({ client, clock }: AnsweringGitLab) {
  return createCanaryJob({
    client,
    clock,
    projectId: 201,
    pipelineId: 9001,
    pipelineIid: 12,
    pipelineUrl: 'https://gitlab.example.com/acme/app/-/pipelines/9001',
    runnerName: 'linux',
    jobName: 'canary',
  });
}

function canaryProject({ client, clock }: AnsweringGitLab) {
  const place = { project: '201', ref: 'main', input: 'tag' };
  return createCanaryProject({ client, clock, deploymentId: '1-2', runnerName: 'linux', ...place });
}

const pipelineJobs = 'GET /projects/:id/pipelines/:pipeline_id/jobs';
const tagged = { tag_list: ['canary-201-12-linux'] };

export const canaries: readonly Question[] = [
  {
    by: 'canaryJob.findNewest',
    call: pipelineJobs,
    values: tagged,
    send: (gitlab) => canaryJob(gitlab).findNewest(),
  },
  {
    by: 'canaryJob.find',
    call: 'GET /projects/:id/jobs/:job_id',
    send: (gitlab) => canaryJob(gitlab).find('5001'),
  },
  {
    by: 'canaryJob.start',
    call: 'POST /projects/:id/jobs/:job_id/retry',
    world: (version) => ({ [pipelineJobs]: changed(version, pipelineJobs, tagged) }),
    send: (gitlab) => canaryJob(gitlab).start(),
  },
  {
    by: 'canaryJob.start',
    call: 'POST /projects/:id/jobs/:job_id/play',
    world: (version) => {
      const manual = { ...tagged, status: 'manual' };
      return { [pipelineJobs]: changed(version, pipelineJobs, manual) };
    },
    send: (gitlab) => canaryJob(gitlab).start(),
  },
  {
    by: 'canaryJob.cancel',
    call: 'POST /projects/:id/jobs/:job_id/cancel',
    world: (version) => ({ [pipelineJobs]: changed(version, pipelineJobs, tagged) }),
    send: (gitlab) => canaryJob(gitlab).cancel(),
  },
  {
    by: 'canaryProject.findNewest',
    call: 'GET /projects/:id/pipelines',
    world: (version) => ({
      [pipelineJobs]: changed(version, pipelineJobs, { tag_list: ['canary-1-2-linux'] }),
    }),
    send: (gitlab) => canaryProject(gitlab).findNewest(),
  },
  {
    by: 'canaryProject.start',
    call: 'POST /projects/:id/pipeline',
    // No canary pipeline exists before, and none after a refusal.
    world: (version, answer) => {
      const none = empty(version, 'GET /projects/:id/pipelines');
      const started = changed(version, 'GET /projects/:id/pipelines', {});
      return {
        'GET /projects/:id/pipelines': answer === 'good' ? [none, started] : none,
        [pipelineJobs]: changed(version, pipelineJobs, { tag_list: ['canary-1-2-linux'] }),
      };
    },
    send: (gitlab) => canaryProject(gitlab).start(),
  },
];

const owner = { deploymentId: '201-9001' };

export const pipelines: readonly Question[] = [
  {
    by: 'pipelines.readOwner',
    call: 'GET /projects/:id/pipelines/:pipeline_id',
    send: ({ client }) => createGitLabPipelines({ client }).readOwner(owner),
  },
  {
    by: 'pipelines.readOwner of its jobs',
    call: pipelineJobs,
    send: ({ client }) => createGitLabPipelines({ client }).readOwner(owner),
  },
  {
    by: 'pipelines.readLockHolder',
    call: 'GET /projects/:id/jobs/:job_id',
    send: ({ client }) =>
      createGitLabPipelines({ client }).readLockHolder({ ...owner, jobId: '5001' }),
  },
  {
    by: 'pipelines.readLastProvisions',
    call: pipelineJobs,
    send: ({ client }) => createGitLabPipelines({ client }).readLastProvisions(owner),
  },
  ...['GET /projects/:id', 'GET /projects/:id/pipelines'].map((call) => ({
    by: 'pipelines.readOwner of a pipeline that is gone',
    call,
    world: () => ({
      'GET /projects/:id/pipelines/:pipeline_id': {
        status: 404,
        body: { message: '404 Not found' },
      },
    }),
    send: ({ client }: AnsweringGitLab) => createGitLabPipelines({ client }).readOwner(owner),
  })),
];
