import { z } from 'zod';
import type { RegistrationId } from '../domain/shard.ts';
import { settleLost } from '../transport/lost-answer.ts';
import type { GitLabClient } from './client.ts';
import { listAll } from './listing.ts';
import { numberOf } from './registration.ts';
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

async function listProjects(client: GitLabClient, id: RegistrationId): Promise<readonly number[]> {
  const endpoint = `runners/${numberOf(id)}/projects`;
  return (await listAll(client, { endpoint, item: assignedProject })).map((each) => each.id);
}
