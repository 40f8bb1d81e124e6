import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import { answerOr } from '../../../ports/failure.ts';
import type { TokenExpiry } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { answerWith, findInGraphQl } from './graphql-reader.ts';

export const tokenInGraphQl = answerWith({ tokenExpiresAt: z.string().nullish() });

/**
 * REST says it only when a token is made. GraphQL says it of the token of now, which the runner may
 * have renewed itself, to who may administer the runner (app/graphql/types/ci/runner_type.rb, as of
 * 18.x); to others it says null, as it does of a token that never ends. So null is no answer.
 */
export async function readTokenEnding(
  client: GitLabClient,
  id: RegistrationId,
): Promise<TokenExpiry> {
  const asked = { fields: 'tokenExpiresAt', schema: tokenInGraphQl };
  const runner = await answerOr(() => findInGraphQl(client, id, asked), undefined);
  const at = runner?.tokenExpiresAt;
  return at ? { kind: 'ends', at } : { kind: 'unknown' };
}
