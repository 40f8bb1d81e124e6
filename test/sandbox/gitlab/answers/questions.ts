import type { Question, Scene } from './scene.ts';

export type QuestionFactory = (scene: Scene) => Promise<Question> | Question;

const asOwner = (scene: Scene, method: string, path: string, more: Partial<Question> = {}) => ({
  method,
  path,
  token: scene.owner,
  ...more,
});

const ofRunner =
  (method: string, rest = '', body?: unknown): QuestionFactory =>
  async (scene) =>
    asOwner(scene, method, `/runners/${(await scene.runner()).id}${rest}`, { body });

const ofJob =
  (method: string, rest = ''): QuestionFactory =>
  async (scene) => {
    const { id } = await scene.job();
    return asOwner(scene, method, `/projects/201/jobs/${id}${rest}`);
  };

const ofPipeline =
  (rest = ''): QuestionFactory =>
  async (scene) => {
    const { pipelineId } = await scene.job();
    return asOwner(scene, 'GET', `/projects/201/pipelines/${pipelineId}${rest}`);
  };

const assignment = async (scene: Scene) => {
  const { id } = await scene.projectRunner();
  return asOwner(scene, 'POST', '/projects/102/runners', { body: { runner_id: id } });
};

/** Requests that get a good response, by endpoint. */
export const questions: Readonly<Record<string, QuestionFactory>> = {
  'POST /user/runners': (scene) =>
    asOwner(scene, 'POST', '/user/runners', {
      body: { runner_type: 'group_type', group_id: 10, tag_list: ['linux'] },
    }),
  'GET /runners/:id': ofRunner('GET'),
  'PUT /runners/:id': ofRunner('PUT', '', { paused: true }),
  'DELETE /runners/:id': ofRunner('DELETE'),
  'POST /runners/:id/reset_authentication_token': ofRunner('POST', '/reset_authentication_token'),
  'GET /runners/:id/managers': ofRunner('GET', '/managers'),
  'GET /runners/:id/jobs': async (scene) => {
    const { runner } = await scene.job();
    return asOwner(scene, 'GET', `/runners/${runner.id}/jobs`);
  },
  'GET /runners/:id/projects': async (scene) =>
    asOwner(scene, 'GET', `/runners/${(await scene.projectRunner()).id}/projects`),
  'GET /runners/all': async (scene) => {
    await scene.instanceRunner();
    return { method: 'GET', path: '/runners/all', token: scene.as('admin') };
  },
  'GET /groups/:id/runners': async (scene) => {
    await scene.runner();
    return asOwner(scene, 'GET', '/groups/10/runners');
  },
  'GET /projects/:id/runners': async (scene) => {
    await scene.projectRunner();
    return asOwner(scene, 'GET', '/projects/201/runners');
  },
  'POST /projects/:id/runners': assignment,
  'DELETE /projects/:id/runners/:runner_id': async (scene) => {
    const assigned = await assignment(scene);
    await scene.send(assigned);
    const { runner_id: id } = assigned.body as { runner_id: number };
    return asOwner(scene, 'DELETE', `/projects/102/runners/${id}`);
  },
  'GET /projects/:id': (scene) => asOwner(scene, 'GET', '/projects/201'),
  'GET /groups/:id': (scene) => asOwner(scene, 'GET', '/groups/10'),
  'GET /groups/:id/members/all/:user_id': (scene) =>
    asOwner(scene, 'GET', '/groups/10/members/all/1'),
  'GET /personal_access_tokens/self': (scene) =>
    asOwner(scene, 'GET', '/personal_access_tokens/self'),
  'GET /user': (scene) => asOwner(scene, 'GET', '/user'),
  'GET /metadata': (scene) => asOwner(scene, 'GET', '/metadata'),
  'GET /projects/:id/pipelines': async (scene) => {
    await scene.job();
    return asOwner(scene, 'GET', '/projects/201/pipelines');
  },
  'GET /projects/:id/pipelines/:pipeline_id': ofPipeline(),
  'GET /projects/:id/pipelines/:pipeline_id/jobs': ofPipeline('/jobs'),
  'POST /projects/:id/pipeline': (scene) =>
    asOwner(scene, 'POST', '/projects/101/pipeline', { body: { ref: 'main' } }),
  'GET /projects/:id/jobs/:job_id': ofJob('GET'),
  'GET /projects/:id/jobs/:job_id/trace': async (scene) => {
    const job = await scene.job();
    await job.runner.client.patch(job, 'log', 0);
    return asOwner(scene, 'GET', `/projects/201/jobs/${job.id}/trace`);
  },
  'POST /projects/:id/jobs/:job_id/cancel': ofJob('POST', '/cancel'),
  'POST /projects/:id/jobs/:job_id/retry': async (scene) => {
    const job = await scene.job();
    await job.runner.client.update(job, 'success');
    return asOwner(scene, 'POST', `/projects/201/jobs/${job.id}/retry`);
  },
  'POST /projects/:id/jobs/:job_id/play': (scene) => {
    const { id } = scene.world.gitlab.submitJob({ project: 201, tags: ['none'], script: ['true'] });
    scene.world.gitlab.setJobStatus(id, 'manual');
    return asOwner(scene, 'POST', `/projects/201/jobs/${id}/play`);
  },
  'POST /runners/verify': async (scene) => {
    const { token } = await scene.runner();
    return { method: 'POST', path: '/runners/verify', body: { token, system_id: 's_1' } };
  },
  'POST /jobs/request': async (scene) => {
    const { token } = await scene.runner();
    scene.world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    return { method: 'POST', path: '/jobs/request', body: { token, system_id: 's_1' } };
  },
  'PUT /jobs/:id': async (scene) => {
    const { id, token } = await scene.job();
    return { method: 'PUT', path: `/jobs/${id}`, body: { token, state: 'running' } };
  },
  'PATCH /jobs/:id/trace': async (scene) => {
    const { id, token } = await scene.job();
    // The data describes a trace that is watched.
    scene.world.gitlab.watchTrace(id);
    const headers = { 'job-token': token, 'content-range': '0-4' };
    return { method: 'PATCH', path: `/jobs/${id}/trace`, body: 'hello', headers };
  },
  'POST /runners/reset_authentication_token': async (scene) => {
    const { token } = await scene.runner();
    return { method: 'POST', path: '/runners/reset_authentication_token', body: { token } };
  },
  'DELETE /runners/managers': async (scene) => {
    const { token } = await scene.runner();
    const body = { token, system_id: 's_89e5e9956577' };
    return { method: 'DELETE', path: '/runners/managers', body };
  },
  'DELETE /runners': async (scene) => {
    const { token } = await scene.runner();
    return { method: 'DELETE', path: '/runners', body: { token } };
  },
};

const STALE_MS = 7 * 24 * 60 * 60 * 1000;

async function ofGoneRunner(
  scene: Scene,
  path: (job: { id: number; pipelineId: number }) => string,
) {
  const job = await scene.job();
  await scene.send(asOwner(scene, 'DELETE', `/runners/${job.runner.id}`));
  return asOwner(scene, 'GET', path(job));
}

/** Requests for other good responses of an endpoint. */
export const variants: Readonly<Record<string, QuestionFactory>> = {
  'GET /runners/:id: paused_and_contacted': async (scene) => {
    const { id } = await scene.runner();
    await scene.send(asOwner(scene, 'PUT', `/runners/${id}`, { body: { paused: true } }));
    return asOwner(scene, 'GET', `/runners/${id}`);
  },
  'GET /runners/:id: never_contacted': async (scene) => {
    const { id } = await scene.runner({}, { contacts: false });
    return asOwner(scene, 'GET', `/runners/${id}`);
  },
  'GET /runners/:id: stale_and_paused': async (scene) => {
    const runner = await scene.runner({ paused: true });
    scene.world.clock.advance(STALE_MS);
    return asOwner(scene, 'GET', `/runners/${runner.id}`);
  },
  'GET /runners/:id: reader_who_may_not_update': async (scene) => ({
    method: 'GET',
    path: `/runners/${(await scene.runner()).id}`,
    token: scene.as('maintainer'),
  }),
  'GET /runners/:id/jobs: with_system_id': async (scene) => {
    const { runner } = await scene.job();
    for (let more = 0; more < 20; more += 1) await scene.job({ runner });
    return asOwner(scene, 'GET', `/runners/${runner.id}/jobs?system_id=s_89e5e9956577`);
  },
  'GET /projects/:id/pipelines/:pipeline_id/jobs: runner_row_gone': (scene) =>
    ofGoneRunner(scene, ({ pipelineId }) => `/projects/201/pipelines/${pipelineId}/jobs`),
  'GET /projects/:id/jobs/:job_id: runner_row_gone': (scene) =>
    ofGoneRunner(scene, ({ id }) => `/projects/201/jobs/${id}`),
  'POST /jobs/request: nothing_or_paused': async (scene) => {
    const { token } = await scene.runner({ paused: true });
    scene.world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    return { method: 'POST', path: '/jobs/request', body: { token, system_id: 's_1' } };
  },
  'PUT /jobs/:id: trace_not_whole_yet': async (scene) => {
    const job = await scene.job();
    await job.runner.client.patch(job, 'hello', 0);
    const output = { checksum: 'crc32:3610a686', bytesize: 5 };
    const body = { token: job.token, state: 'success', output };
    return { method: 'PUT', path: `/jobs/${job.id}`, body };
  },
};
