import { z } from 'zod';
import { isPortFailure } from '../../../ports/failure.ts';
import type { WaitingJobs } from '../../../ports/registry.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import { listAll } from '../list-reader.ts';

export const waitingJob = z.object({
  id: z.number().int().positive(),
  status: z.string(),
  name: printableName.nullish(),
  tag_list: z.array(z.string()),
  // A pending job with a runner is assigned but not acknowledged yet.
  runner: z.object({ id: z.number() }).nullish(),
});

type Read =
  | { readonly kind: 'read'; readonly jobs: WaitingJobs['jobs'] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unread'; readonly detail: string };

/**
 * Lists waiting jobs of one project, newest first, so the longest wait comes last. GitLab lists
 * waiting jobs of all projects only for administrators (`Query.jobs` is empty for others). It has
 * no list by tag or runner (https://gitlab.com/gitlab-org/gitlab/-/issues/554251).
 */
export async function listWaitingJobs(
  client: GitLabClient,
  projects: readonly string[],
): Promise<WaitingJobs> {
  const found = await Promise.all(
    projects.map(async (project) => ({ project, reading: await readProject(client, project) })),
  );
  return {
    jobs: found.flatMap(({ reading }) => (reading.kind === 'read' ? reading.jobs : [])),
    unread: found.flatMap(({ project, reading }) =>
      reading.kind === 'unread' ? [{ project, detail: reading.detail }] : [],
    ),
    missing: found.flatMap(({ project, reading }) => (reading.kind === 'missing' ? [project] : [])),
  };
}

async function readProject(client: GitLabClient, project: string): Promise<Read> {
  try {
    const listed = await listAll(client, {
      endpoint: `projects/${encodeURIComponent(project)}/jobs`,
      query: { 'scope[]': 'pending' },
      item: waitingJob,
    });
    const waiting = listed.filter(({ status, runner }) => status === 'pending' && !runner);
    const jobs = waiting.map(({ id, name, tag_list: tags }) => ({
      id: String(id),
      name: name ?? '',
      project,
      tags,
    }));
    return { kind: 'read', jobs };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (isNotFound(error, 'project')) return { kind: 'missing' };
    return { kind: 'unread', detail: error.message };
  }
}
