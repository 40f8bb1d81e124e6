import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { answerOr } from '../../../ports/failure.ts';
import type { TokenExpiry } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { answerWith, findInGraphQl } from './graphql-reader.ts';

export const tokenInGraphQl = answerWith({ tokenExpiresAt: z.string().nullish() });

/**
 * Reads the expiry of a runner's token. REST reports it only at the token's creation, and the
 * runner may renew its token later. GraphQL reports the current expiry to users who may administer
 * the runner (app/graphql/types/ci/runner_type.rb, as of 18.x). Null is ambiguous: other users get
 * it, and so does a token without expiry.
 */
export async function readTokenEnding(
  client: GitLabClient,
  id: RegistrationId,
): Promise<TokenExpiry> {
  const query = { fields: 'tokenExpiresAt', schema: tokenInGraphQl };
  const runner = await answerOr(() => findInGraphQl(client, id, query), undefined);
  const at = runner?.tokenExpiresAt;
  return at ? { kind: 'ends', at } : { kind: 'unknown' };
}
