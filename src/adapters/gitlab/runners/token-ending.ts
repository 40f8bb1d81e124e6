import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { TokenEnding } from '../../../ports/registry.ts';
import type { GitLabClient } from '../client.ts';
import { numberOf } from './registration.ts';

export const tokenInGraphQl = z.object({
  data: z
    .object({ runner: z.object({ tokenExpiresAt: z.string().nullish() }).nullish() })
    .nullish(),
});

/**
 * REST says it only when a token is made. GraphQL says it of the token of now, which the runner may
 * have renewed itself, to who may administer the runner (app/graphql/types/ci/runner_type.rb, as of
 * 18.x); to others it says null, as it does of a token that never ends. So null is no answer.
 */
export async function readTokenEnding(
  client: GitLabClient,
  id: RegistrationId,
): Promise<TokenEnding> {
  const query = `query { runner(id: "gid://gitlab/Ci::Runner/${numberOf(id)}") { tokenExpiresAt } }`;
  try {
    const { body } = await client.impatient.post('../graphql', { body: { query } });
    const at = tokenInGraphQl.safeParse(body).data?.data?.runner?.tokenExpiresAt;
    return at ? { kind: 'ends', at } : { kind: 'unknown' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { kind: 'unknown' };
  }
}
