import { Hono } from 'hono';
import { DEVELOPER, MAINTAINER, requireLevel } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { readParameters } from '../answers/parameters.ts';
import { badRequest } from '../answers/refusal.ts';
import { jobDetails } from '../entities/job.ts';
import type { Instance } from '../instance.ts';
import { cancelJob, forceCancelJob, playJob, retryJob } from '../jobs/job-actions.ts';
import { enterProject, readJob } from './lookup.ts';
import { filterJobs } from './pipeline-filters.ts';

export function jobRoutes(instance: Instance): Hono {
  const app = new Hono();
  const one = '/projects/:id/jobs/:jobId{[0-9]+}';

  app.get('/projects/:id/jobs', (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    const jobs = instance.state.jobs.filter(
      (job) => job.projectId === project.id && job.deletedAt === null && job.retriedById === null,
    );
    return answerPage(c, {
      items: filterJobs(c, jobs),
      present: (job) => jobDetails(instance, job),
      baseUrl: instance.baseUrl(),
      count: false,
    });
  });

  // A job token cannot use these routes.
  app.get(one, (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    return c.json(jobDetails(instance, readJob(c, instance, project)));
  });

  app.get(`${one}/trace`, (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    const trace = instance.traces.read(readJob(c, instance, project).id);
    return c.body(new Uint8Array(trace), 200, { 'content-type': 'text/plain' });
  });

  app.post(`${one}/cancel`, async (c) => {
    const identity = authenticate(c, instance);
    const { project, level } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const job = readJob(c, instance, project);
    if ((await readParameters(c)).flag('force') === true) {
      requireLevel(level, MAINTAINER);
      forceCancelJob(instance, job);
    } else cancelJob(instance, job);
    return c.json(jobDetails(instance, job), 201);
  });

  app.post(`${one}/retry`, async (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const job = readJob(c, instance, project);
    const [input] = Object.keys((await readParameters(c)).object('inputs'));
    // No job of the sandbox declares an input.
    if (input !== undefined && instance.features.inputsOfRetries) {
      throw badRequest(`Unknown input: ${input}`);
    }
    const retry = retryJob(instance, job, identity.user.id);
    return c.json(jobDetails(instance, retry), 201);
  });

  app.post(`${one}/play`, (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const job = readJob(c, instance, project);
    playJob(instance, job, identity.user.id);
    return c.json(jobDetails(instance, job), 200);
  });

  return app;
}
