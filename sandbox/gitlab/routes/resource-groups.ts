import { type Context, Hono } from 'hono';
import { DEVELOPER } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { readParameters } from '../answers/parameters.ts';
import { notFound } from '../answers/refusal.ts';
import { jobBasic } from '../entities/job.ts';
import { moment } from '../entities/moment.ts';
import type { Instance } from '../instance.ts';
import { PROCESS_MODES } from '../settings/settings.ts';
import type { JobStatus, Project, ResourceGroup } from '../state.ts';
import { enterProject } from './lookup.ts';

const HOLDING: readonly JobStatus[] = ['pending', 'preparing', 'running', 'canceling'];

export function resourceGroupRoutes(instance: Instance): Hono {
  const app = new Hono();
  const one = '/projects/:id/resource_groups/:key';

  app.get('/projects/:id/resource_groups', (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    const items = instance.state.resourceGroups.filter((row) => row.projectId === project.id);
    return answerPage(c, { items, present: entity, baseUrl: instance.baseUrl() });
  });

  app.get(one, (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    return c.json(entity(readGroup(c, instance, project)));
  });

  app.put(one, async (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const group = readGroup(c, instance, project);
    const mode = (await readParameters(c)).choice('process_mode', PROCESS_MODES);
    group.processMode = mode ?? group.processMode;
    group.updatedAt = instance.now();
    instance.changed();
    return c.json(entity(group));
  });

  app.get(`${one}/current_job`, (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    const group = readGroup(c, instance, project);
    const job = jobsIn(instance, group).find((row) => HOLDING.includes(row.status));
    return c.json(job === undefined ? null : jobBasic(instance, job));
  });

  app.get(`${one}/upcoming_jobs`, (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    const jobs = jobsIn(instance, readGroup(c, instance, project));
    return answerPage(c, {
      items: jobs.filter((job) => job.status === 'waiting_for_resource'),
      present: (job) => jobBasic(instance, job),
      baseUrl: instance.baseUrl(),
    });
  });

  return app;
}

function readGroup(c: Context, instance: Instance, project: Project): ResourceGroup {
  const key = c.req.param('key');
  const group = instance.state.resourceGroups.find(
    (row) => row.projectId === project.id && row.key === key,
  );
  if (group === undefined) throw notFound();
  return group;
}

function jobsIn(instance: Instance, group: ResourceGroup) {
  return instance.state.jobs.filter(
    (job) =>
      job.projectId === group.projectId &&
      job.resourceGroup === group.key &&
      job.deletedAt === null,
  );
}

function entity(group: ResourceGroup) {
  return {
    id: group.id,
    key: group.key,
    process_mode: group.processMode,
    created_at: moment(group.createdAt),
    updated_at: moment(group.updatedAt),
  };
}
