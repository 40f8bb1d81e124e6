import type { BringAbout } from './conditions.ts';
import { questions } from './questions.ts';
import type { Question, Scene } from './scene.ts';

const createQuestion = async (scene: Scene, call: string): Promise<Question> => {
  const question = questions[call];
  if (question === undefined) throw new Error(`nobody knows how to ask ${call}`);
  return question(scene);
};

const withBody =
  (body: unknown): BringAbout =>
  async (scene, call) => ({ ...(await createQuestion(scene, call)), body });

const GROUP = { runner_type: 'group_type', group_id: 10 };

export const ofRegistrations: Readonly<Record<string, BringAbout>> = {
  'role too low for instance, group or project': async (scene, call) => ({
    ...(await createQuestion(scene, call)),
    token: scene.as('developer'),
  }),
  'group_id or project_id names nothing': withBody({ ...GROUP, group_id: 4711 }),
  'group_id missing with group_type': withBody({ runner_type: 'group_type' }),
  'invalid model': withBody({ ...GROUP, tag_list: [], run_untagged: false }),
  'maximum_timeout < 600': withBody({ ...GROUP, maximum_timeout: 599 }),
  'nothing to change': withBody({}),
  'active and paused together': withBody({ active: true, paused: true }),
  'project runner of several projects, asked first, not for administrators': async (scene) => {
    const { id } = await scene.projectRunner();
    const body = { runner_id: id };
    await scene.send({ method: 'POST', path: '/projects/102/runners', token: scene.owner, body });
    // A caller without read access gets the same response.
    return { method: 'DELETE', path: `/runners/${id}`, token: scene.as('none') };
  },
  'If-Unmodified-Since older than updated_at': async (scene, call) => {
    const question = await createQuestion(scene, call);
    const headers = { 'if-unmodified-since': new Date(0).toUTCString() };
    return { ...question, headers };
  },
  'project runner without a project': async (scene) => {
    const { id } = await scene.projectRunner();
    scene.world.gitlab.orphanRunner(id);
    const path = `/runners/${id}/reset_authentication_token`;
    return { method: 'POST', path, token: scene.as('admin') };
  },
  'status not known to this version': async (scene, call) => {
    const question = await createQuestion(scene, call);
    return { ...question, path: `${question.path}?status=finished` };
  },
  // The token belongs to a Maintainer of a project below.
  'may read the runner, not its builds': async (scene, call) => ({
    ...(await createQuestion(scene, call)),
    token: scene.as('maintainer', 201),
  }),
  'GET /runners/:id/projects: role too low on this runner': async (scene, call) => ({
    ...(await createQuestion(scene, call)),
    token: scene.as('developer'),
  }),
  'OAuth or job token': async (scene, call) => {
    const { token } = await scene.job();
    const { method, path } = await createQuestion(scene, call);
    return { method, path, headers: { 'job-token': token } };
  },
};

const assign = (runnerId: number, token: string): Question => ({
  method: 'POST',
  path: '/projects/102/runners',
  token,
  body: { runner_id: runnerId },
});

export const ofAssignments: Readonly<Record<string, BringAbout>> = {
  'group runner': async (scene) => assign((await scene.runner()).id, scene.as('admin')),
  'locked, not for administrators': async (scene, call) => {
    if (call.startsWith('POST')) {
      return assign((await scene.projectRunner({ locked: true })).id, scene.owner);
    }
    const question = await createQuestion(scene, call);
    const path = question.path.replace('/projects/102', '');
    await scene.send({ method: 'PUT', path, token: scene.owner, body: { locked: true } });
    return question;
  },
  // The token belongs to a Maintainer of the receiving project only.
  'POST /projects/:id/runners: role too low on this runner': async (scene) =>
    assign((await scene.projectRunner()).id, scene.as('maintainer', 102)),
  'already assigned': async (scene) => {
    const question = assign((await scene.projectRunner()).id, scene.owner);
    await scene.send(question);
    return question;
  },
  'instance runner, asked by an administrator': async (scene) =>
    assign((await scene.instanceRunner()).id, scene.as('admin')),
  'runner without any project': async (scene) => {
    const { id } = await scene.projectRunner();
    scene.world.gitlab.orphanRunner(id);
    return assign(id, scene.as('admin'));
  },
  'runner not assigned to this project': async (scene, call) => {
    const question = await createQuestion(scene, call);
    return { ...question, path: question.path.replace('/projects/102', '/projects/101') };
  },
  'only project': ofOwner,
  'owner project': ofOwner,
};

async function ofOwner(scene: Scene): Promise<Question> {
  const { id } = await scene.projectRunner();
  return { method: 'DELETE', path: `/projects/201/runners/${id}`, token: scene.owner };
}

export const ofJobs: Readonly<Record<string, BringAbout>> = {
  'ref does not exist': withBody({ ref: 'nowhere' }),
  'configuration error': async (scene, call) => {
    const question = await createQuestion(scene, call);
    return { ...question, path: question.path.replace('101', '201') };
  },
  'may not retry (also archived job, protected branch)': async (scene, call) => ({
    ...(await createQuestion(scene, call)),
    token: scene.as('reporter', 201),
  }),
  'not retryable (runs, was retried, or is archived)': async (scene, call) => {
    const question = await createQuestion(scene, call);
    await scene.send(question);
    return question;
  },
  'inputs invalid': withBody({ inputs: { unknown: 'x' } }),
  'not playable': async (scene, call) => {
    const question = await createQuestion(scene, call);
    await scene.send(question);
    return question;
  },
};

const withToken =
  (token: string): BringAbout =>
  async (scene, call) => {
    const question = await createQuestion(scene, call);
    if (call.startsWith('PATCH')) {
      return { ...question, headers: { ...question.headers, 'job-token': token } };
    }
    return { ...question, body: { ...(question.body as object), token } };
  };

const ofOffered =
  (state: string, before: (scene: Scene, token: string) => Promise<unknown>): BringAbout =>
  async (scene) => {
    const job = await scene.job({ twoPhase: true });
    await before(scene, job.runner.token);
    return { method: 'PUT', path: `/jobs/${job.id}`, body: { token: job.token, state } };
  };

export const ofProtocol: Readonly<Record<string, BringAbout>> = {
  'token of no runner (also after reset or deletion)': withToken('glrt-nobody'),
  "no such job, or another job's token": withToken('glcbt-other'),
  'job is over or waits again': async (scene, call) => {
    const question = await createQuestion(scene, call);
    const id = Number(/\d+/.exec(question.path)?.[0]);
    scene.world.gitlab.setJobStatus(id, 'success');
    return question;
  },
  'runner without owner': async (scene) => {
    const { id, token } = await scene.projectRunner();
    scene.world.gitlab.orphanRunner(id);
    return { method: 'POST', path: '/runners/verify', body: { token, system_id: 's_1' } };
  },
  'state=running while waiting for acknowledgement, manager row gone': ofOffered(
    'running',
    (scene, token) =>
      scene.send({
        method: 'DELETE',
        path: '/runners/managers',
        body: { token, system_id: 's_89e5e9956577' },
      }),
  ),
  'state=success or failed while waiting for acknowledgement': ofOffered('success', async () => {}),
  'state=pending, job has its manager already': async (scene) => {
    const job = await scene.job({ twoPhase: true });
    await job.runner.client.update(job, 'running');
    return { method: 'PUT', path: `/jobs/${job.id}`, body: { token: job.token, state: 'pending' } };
  },
  'no Content-Range': async (scene, call) => {
    const question = await createQuestion(scene, call);
    const { 'content-range': _, ...headers } = question.headers ?? {};
    return { ...question, headers };
  },
  'wrong offset': async (scene, call) => {
    const question = await createQuestion(scene, call);
    return { ...question, headers: { ...question.headers, 'content-range': '9-13' } };
  },
  'log too long': async (scene, call) => {
    const question = await createQuestion(scene, call);
    const start = 100 * 1024 * 1024;
    const range = { 'content-range': `${start}-${start + 4}` };
    return { ...question, headers: { ...question.headers, ...range } };
  },
  'no system_id': async (scene, call) => {
    const { token } = await scene.runner();
    return { ...(await createQuestion(scene, call)), body: { token } };
  },
  // This condition's scene has GitLab.com's limits.
  'rate limit': async (scene, call) => {
    const question = await createQuestion(scene, call);
    const allowed = call === 'POST /jobs/request' ? 2000 : 200;
    for (let count = 0; count < allowed; count += 1) await scene.send(question);
    return question;
  },
  'no such manager': async (scene, call) => {
    const question = await createQuestion(scene, call);
    return { ...question, body: { ...(question.body as object), system_id: 's_gone' } };
  },
};
