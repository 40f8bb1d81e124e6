import { Hono } from 'hono';
import { stringify } from 'yaml';
import { authenticate } from '../answers/authentication.ts';
import { readQuery } from '../answers/parameters.ts';
import { notFound } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { definePipeline } from '../jobs/definitions.ts';
import { enterProject } from '../routes/lookup.ts';
import { CANARY_PROJECT, RUNNERS_PROJECT } from '../seed.ts';
import type { Project } from '../state.ts';

/** Creates the route that checks a project's `.gitlab-ci.yml` at a commit. */
export function lintRoutes(instance: Instance): Hono {
  const app = new Hono();
  app.get('/projects/:id/ci/lint', (c) => {
    const { project } = enterProject(c, instance, { identity: authenticate(c, instance) });
    const parameters = readQuery(c);
    const ref = parameters.text('content_ref') ?? parameters.text('sha');
    if (ref !== undefined && !hasCommit(instance, project, ref)) throw notFound('Commit');
    const jobs = jobsOf(instance, project);
    return c.json({
      valid: jobs !== undefined,
      errors: jobs === undefined ? ['Please provide content of .gitlab-ci.yml'] : [],
      warnings: [],
      merged_yaml:
        jobs === undefined
          ? null
          : `---\n${stringify({ workflow: project.settings.workflow, ...jobs })}`,
      includes: [],
    });
  });
  return app;
}

function hasCommit({ state }: Instance, { id, branches }: Project, ref: string): boolean {
  return (
    branches.includes(ref) ||
    state.pipelines.some(({ projectId, sha }) => projectId === id && sha === ref)
  );
}

/** Renders the jobs of the merged configuration. Undefined for a project without one. */
function jobsOf({ features }: Instance, project: Project): object | undefined {
  if (project.id !== RUNNERS_PROJECT && project.id !== CANARY_PROJECT) return undefined;
  const inputs = project.id === CANARY_PROJECT ? { tag: '$CANARY_TAG' } : {};
  const jobs = definePipeline({ project, iid: project.lastPipelineIid + 1, inputs, features });
  return Object.fromEntries(
    jobs.map(({ name, stage, tags, script, resourceGroup }) => [
      name,
      { stage, tags, script, ...(resourceGroup === null ? {} : { resource_group: resourceGroup }) },
    ]),
  );
}
