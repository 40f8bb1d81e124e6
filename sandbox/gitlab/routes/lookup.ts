import type { Context } from 'hono';
import { GUEST, levelInProject, REPORTER, readProject, requireLevel } from '../answers/access.ts';
import type { Identity } from '../answers/authentication.ts';
import { notFound } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import type { Job, Pipeline, Project } from '../state.ts';

export interface InProject {
  identity: Identity;
  project: Project;
  /** Level of the caller in this project. */
  level: number;
}

/** Returns the project of the path, if the user has at least this role in it. */
export function enterProject(
  c: Context,
  instance: Instance,
  { identity, needed = REPORTER }: { identity: Identity; needed?: number },
): InProject {
  const project = readProject(instance, identity.user, c.req.param('id') ?? '');
  const level = levelInProject(instance, identity.user, project);
  requireLevel(level, needed);
  return { identity, project, level };
}

/** Returns the project for pipeline routes, which a project may open to guests. */
export function enterPipelines(
  c: Context,
  instance: Instance,
  { identity }: { identity: Identity },
): InProject {
  const project = readProject(instance, identity.user, c.req.param('id') ?? '');
  const level = levelInProject(instance, identity.user, project);
  requireLevel(level, project.pipelinesForGuests ? GUEST : REPORTER);
  return { identity, project, level };
}

export function readPipeline(c: Context, instance: Instance, project: Project): Pipeline {
  const id = c.req.param('pipelineId');
  const pipeline = instance.state.pipelines.find(
    (row) => String(row.id) === id && row.projectId === project.id && row.deletedAt === null,
  );
  if (pipeline === undefined) throw notFound();
  return pipeline;
}

export function readJob(c: Context, instance: Instance, project: Project): Job {
  const id = c.req.param('jobId');
  const job = instance.state.jobs.find(
    (row) => String(row.id) === id && row.projectId === project.id && row.deletedAt === null,
  );
  if (job === undefined) throw notFound();
  return job;
}
