import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure, type PortFailure } from '../../../ports/failure.ts';
import { refusalOf } from '../../transport/answers/refusal.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { findGround } from '../refusal-ground.ts';
import { numberOf } from './rest-runner.ts';

interface Answer<Runner> {
  readonly data?: { readonly runner?: Runner | null | undefined } | null | undefined;
}

/** Schema of a GraphQL response about one runner, which may be hidden. */
export function answerWith<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({ data: z.object({ runner: z.object(fields).nullish() }).nullish() });
}

export const graphqlRefusal = z.object({ errors: z.array(z.unknown()).min(1) });

/**
 * Reads fields of a runner that REST lacks in some versions. Undefined if the response is
 * unreadable. Rejects only if the token lacks a permission that GitLab names.
 */
export async function findInGraphQl<Runner>(
  client: GitLabClient,
  id: RegistrationId,
  { fields, schema }: { readonly fields: string; readonly schema: z.ZodType<Answer<Runner>> },
): Promise<Runner | undefined> {
  const query = `query { runner(id: "gid://gitlab/Ci::Runner/${numberOf(id)}") { ${fields} } }`;
  try {
    const { body } = await client.raw.post('../graphql', { body: { query } });
    const refusal = findRefusal(client, body);
    if (refusal !== undefined) throw refusal;
    return schema.safeParse(body).data?.data?.runner ?? undefined;
  } catch (error) {
    if (!isPortFailure(error) || error.ground !== undefined) throw error;
    return undefined;
  }
}

/**
 * Finds a refusal, which GraphQL returns with status 200. Other errors, such as an unknown field,
 * are no refusal of the token.
 */
function findRefusal({ redactor }: GitLabClient, body: unknown): PortFailure | undefined {
  const { data } = graphqlRefusal.safeParse(body);
  if (data === undefined) return undefined;
  const answer = { status: 403, headers: new Headers(), body: JSON.stringify(data.errors) };
  const ground = findGround(answer, redactor);
  if (ground === undefined) return undefined;
  return refusalOf(answer, { source: 'GitLab POST /graphql', path: '/graphql', redactor, ground });
}
