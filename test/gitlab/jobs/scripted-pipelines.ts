import { createGitLabPipelines } from '../../../src/adapters/gitlab/jobs/gitlab-pipelines.ts';
import type { Pipelines } from '../../../src/ports/pipelines.ts';
import { type Answer, json } from '../../transport/fake-server.ts';
import { createScriptedGitLab, page } from '../scripted-gitlab.ts';

export const pipeline = 'GET /projects/101/pipelines/5001';
export const jobsOf = `${pipeline}/jobs`;
export const project = 'GET /projects/101';
export const others = 'GET /projects/101/pipelines';
export const deploymentId = '101-5001';
export const missing = json(404, { message: '404 Not found' });

/** Opens the pipelines of a GitLab with scripted responses. */
export function openPipelines(
  script: Record<string, Answer | Answer[]>,
  ownJobId?: string,
): Pipelines {
  const { client } = createScriptedGitLab(script);
  return createGitLabPipelines({ client, ...(ownJobId === undefined ? {} : { ownJobId }) });
}

export function jobs(statuses: Record<string, string>): Response {
  return page(
    Object.entries(statuses).map(([name, status], index) => ({ id: 900 + index, name, status })),
  );
}
