import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import { listAll } from '../list-reader.ts';
import { answerWith, findInGraphQl } from './graphql-reader.ts';
import { numberOf, readDetails } from './rest-runner.ts';

export const assignedProject = z.object({ id: z.number().int().positive() });
export const placesInGraphQl = answerWith({
  projectCount: z.number().nullish(),
  ownerProject: z.object({ id: z.string() }).nullish(),
});

/** Which projects a runner is assigned to. */
export interface Places {
  /** Those that the token sees. */
  readonly seen: readonly number[];
  readonly hidden: number | 'unknown';
  /** GitLab's refusal to count the projects, if the token lacks a permission for it. */
  readonly refusal?: string | undefined;
  /** The first that it was given to, and the only one that it cannot be taken from. */
  readonly owner: number | undefined;
}

export async function readPlaces(client: GitLabClient, id: RegistrationId): Promise<Places> {
  const seen = await listProjects(client, id);
  const { count, owner, refusal } = await queryCount(client, id);
  return {
    seen,
    hidden: count === undefined ? 'unknown' : Math.max(0, count - seen.length),
    owner,
    refusal,
  };
}

/**
 * Before 18.9 there is no such list, and the runner itself names them. Both leave out whatever the
 * token may not see.
 */
export async function listProjects(
  client: GitLabClient,
  id: RegistrationId,
): Promise<readonly number[]> {
  const endpoint = `runners/${numberOf(id)}/projects`;
  try {
    return (await listAll(client, { endpoint, item: assignedProject })).map((each) => each.id);
  } catch (error) {
    if (!isNotFound(error, 'route')) throw error;
    return ((await readDetails(client, id)).projects ?? []).map((each) => each.id);
  }
}

interface Count {
  readonly count: number | undefined;
  readonly owner: number | undefined;
  readonly refusal?: string;
}

/**
 * It counts the projects that nobody may see as well, and names the owner to whoever sees it
 * (app/graphql/types/ci/runner_type.rb, 15.10 to 18.x). Whatever else it answers is no answer.
 */
async function queryCount(client: GitLabClient, id: RegistrationId): Promise<Count> {
  const asked = { fields: 'projectCount ownerProject { id }', schema: placesInGraphQl };
  const runner = await findInGraphQl(client, id, asked).catch((error: unknown) => {
    if (!isPortFailure(error)) throw error;
    return error;
  });
  if (isPortFailure(runner)) return { count: undefined, owner: undefined, refusal: runner.detail };
  const owner = /^gid:\/\/gitlab\/Project\/(\d+)$/.exec(runner?.ownerProject?.id ?? '')?.[1];
  return {
    count: runner?.projectCount ?? undefined,
    owner: owner === undefined ? undefined : Number(owner),
  };
}
