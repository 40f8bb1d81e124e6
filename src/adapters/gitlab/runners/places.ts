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

/** Projects that a runner is assigned to. */
export interface Places {
  /** Projects that the token sees. */
  readonly seen: readonly number[];
  readonly hidden: number | 'unknown';
  /** GitLab's refusal to count the projects, if the token lacks a permission. */
  readonly refusal?: string | undefined;
  /** First project of the runner, which it cannot be taken from. */
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
 * Lists projects from the route of 18.9 and later, otherwise from the runner. Both omit projects
 * that the token may not see.
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
 * Counts the projects, including hidden ones, and reads the owner if the token may see it
 * (app/graphql/types/ci/runner_type.rb, 15.10 to 18.x). Any other response is unknown.
 */
async function queryCount(client: GitLabClient, id: RegistrationId): Promise<Count> {
  const query = { fields: 'projectCount ownerProject { id }', schema: placesInGraphQl };
  const runner = await findInGraphQl(client, id, query).catch((error: unknown) => {
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
