import { z } from 'zod';
import type { RegistrationId } from '../domain/shard.ts';
import { settleLost } from '../transport/lost-answer.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { GitLabClient } from './client.ts';
import { listAll } from './listing.ts';
import { numberOf, readDetails } from './registration.ts';
import type { Scope } from './visibility.ts';

export const assignedProject = z.object({ id: z.number().int().positive() });

/** Only a project's runner is assigned to projects; the others serve whatever is below them. */
export async function copyAssignments(
  client: GitLabClient,
  scope: Scope,
  { from, to }: { from: RegistrationId; to: RegistrationId },
): Promise<number> {
  if (scope.kind !== 'project') return 0;
  const wanted = await listProjects(client, from);
  const present = new Set(await listProjects(client, to));
  const missing = wanted.filter((id) => !present.has(id));
  for (const projectId of missing) {
    await settleLost<unknown>(
      () => client.runners.enable(projectId, numberOf(to)),
      async () => ((await listProjects(client, to)).includes(projectId) ? true : undefined),
    );
  }
  return missing.length;
}

/**
 * Takes a runner from every project but its own: GitLab refuses to remove one that has several, and
 * to take it from the project that owns it. A locked one is not taken from any.
 */
export async function leaveOtherProjects(
  client: GitLabClient,
  scope: Scope,
  id: RegistrationId,
): Promise<void> {
  if (scope.kind !== 'project') return;
  const others = (await listProjects(client, id)).filter((each) => each !== scope.projectId);
  if (others.length === 0) return;
  await client.runners.edit(numberOf(id), { locked: false });
  for (const projectId of others) {
    await settleLost<unknown>(
      () => client.raw.delete(`projects/${projectId}/runners/${numberOf(id)}`),
      async () => ((await listProjects(client, id)).includes(projectId) ? undefined : true),
    );
  }
}

/** Before 18.9 there is no such list, and the runner itself names those that the token may see. */
async function listProjects(client: GitLabClient, id: RegistrationId): Promise<readonly number[]> {
  const endpoint = `runners/${numberOf(id)}/projects`;
  try {
    return (await listAll(client, { endpoint, item: assignedProject })).map((each) => each.id);
  } catch (error) {
    if (!isRefusal(error, 404) || error.detail !== '404 Not Found') throw error;
    return ((await readDetails(client, id)).projects ?? []).map((each) => each.id);
  }
}
