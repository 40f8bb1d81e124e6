import { Hono } from 'hono';
import { DEVELOPER, OWNER, REPORTER } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { readQuery } from '../answers/parameters.ts';
import { jobDetails } from '../entities/job.ts';
import { pipelineBasic, pipelineDetails, pipelineWithMetadata } from '../entities/pipeline.ts';
import type { Instance } from '../instance.ts';
import { cancelJob, retryJob } from '../jobs/job-actions.ts';
import { jobsOf, pipelineStatus } from '../jobs/pipeline-status.ts';
import { deletePipeline } from '../removal.ts';
import { enterPipelines, enterProject, readPipeline } from './lookup.ts';
import { filterJobs, filterPipelines } from './pipeline-filters.ts';

export function pipelineRoutes(instance: Instance): Hono {
  const app = new Hono();
  const one = '/projects/:id/pipelines/:pipelineId{[0-9]+}';

  app.get('/projects/:id/pipelines', (c) => {
    const { project } = enterPipelines(c, instance, { identity: authenticate(c, instance) });
    return answerPage(c, {
      items: filterPipelines(c, instance, project),
      present: (pipeline) => ({ ...pipelineBasic(instance, pipeline), name: null }),
      baseUrl: instance.baseUrl(),
    });
  });

  app.get(one, (c) => {
    const { project } = enterPipelines(c, instance, { identity: authenticate(c, instance) });
    return c.json(pipelineWithMetadata(instance, readPipeline(c, instance, project)));
  });

  app.get(`${one}/jobs`, (c) => {
    const identity = authenticate(c, instance, { jobToken: true });
    const { project, level } = enterPipelines(c, instance, { identity });
    const pipeline = readPipeline(c, instance, project);
    const retried = readQuery(c).flag('include_retried') === true;
    const jobs = instance.state.jobs.filter(
      (job) =>
        // A user who may see the pipeline but no jobs gets an empty list.
        level >= REPORTER &&
        job.pipelineId === pipeline.id &&
        job.deletedAt === null &&
        (retried || job.retriedById === null),
    );
    return answerPage(c, {
      items: filterJobs(c, jobs),
      present: (job) => jobDetails(instance, job),
      baseUrl: instance.baseUrl(),
    });
  });

  for (const path of [`${one}/bridges`, `${one}/trigger_jobs`]) {
    app.get(path, (c) => {
      const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
      readPipeline(c, instance, project);
      return answerPage(c, { items: [], present: (item) => item, baseUrl: instance.baseUrl() });
    });
  }

  // The status is always 200, even if nothing is left to cancel.
  app.post(`${one}/cancel`, (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const pipeline = readPipeline(c, instance, project);
    for (const job of jobsOf(instance, pipeline)) cancelJob(instance, job);
    return c.json(pipelineDetails(instance, pipeline), 200);
  });

  app.post(`${one}/retry`, (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const pipeline = readPipeline(c, instance, project);
    if (pipelineStatus(instance, pipeline) !== 'success') {
      for (const job of jobsOf(instance, pipeline)) {
        if (job.status !== 'failed' && job.status !== 'canceled') continue;
        retryJob(instance, job, identity.user.id);
      }
    }
    return c.json(pipelineDetails(instance, pipeline), 201);
  });

  app.delete(one, (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: OWNER });
    deletePipeline(instance, readPipeline(c, instance, project));
    return c.body(null, 204);
  });

  return app;
}
