import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { GitLabClient } from '../client.ts';
import { numberOf } from './registration.ts';

interface Answer<Runner> {
  readonly data?: { readonly runner?: Runner | null | undefined } | null | undefined;
}

/** What GraphQL answers of one runner, which it may not show. */
export function answerWith<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object({ data: z.object({ runner: z.object(fields).nullish() }).nullish() });
}

/**
 * Fields of a runner that REST does not tell, or not in every version; undefined where GitLab says nothing
 * of it that can be read: whoever asks does without.
 */
export async function findInGraphQl<Runner>(
  client: GitLabClient,
  id: RegistrationId,
  { fields, schema }: { readonly fields: string; readonly schema: z.ZodType<Answer<Runner>> },
): Promise<Runner | undefined> {
  const query = `query { runner(id: "gid://gitlab/Ci::Runner/${numberOf(id)}") { ${fields} } }`;
  try {
    const { body } = await client.impatient.post('../graphql', { body: { query } });
    return schema.safeParse(body).data?.data?.runner ?? undefined;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return undefined;
  }
}
