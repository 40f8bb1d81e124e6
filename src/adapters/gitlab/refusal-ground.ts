import type { RefusalGround } from '../../ports/failure.ts';
import type { TransportAnswer } from '../transport/request.ts';
import { quote, readMessage } from '../transport/words/quote.ts';
import type { Redactor } from '../transport/words/redaction.ts';

/**
 * Translates GitLab refusals that need a specific fix. GitLab returns no code for them
 * (app/services/authz/tokens/authorize_granular_scopes_service.rb,
 * app/models/concerns/limitable.rb).
 */
export function findGround(
  { status, body }: Pick<TransportAnswer, 'status' | 'body'>,
  redactor: Redactor,
): RefusalGround | undefined {
  if (status === 403) return findGranularRefusal(readMessage(body), redactor);
  if (status === 400) return findRunnerLimit(readMessage(body));
  return undefined;
}

/** GraphQL returns REST's messages without their code. */
const missing =
  /insufficient_granular_scope|requires a fine-grained|lacks the required permissions/;
const unsupported = /This operation doesn't support fine-grained/;
const disabled = /Fine-grained [a-z ]+ are not yet supported/;
/** From 19.2 on, the kind of place precedes the list. Before, the place follows it. */
const named = /(?:with the following ([a-z ]+) permissions: )?\[([\w ,:/-]+)\](?: for "([^"]+))?/;

function findGranularRefusal(words: string, redactor: Redactor): RefusalGround | undefined {
  if (unsupported.test(words)) return { kind: 'no_fine_grained_token', of: 'call' };
  if (disabled.test(words)) return { kind: 'no_fine_grained_token', of: 'user' };
  if (!missing.test(words)) return undefined;
  const [, boundary, permissions, place] = named.exec(words) ?? [];
  const quoted = (text: string | undefined) =>
    text === undefined ? undefined : quote(text, redactor);
  return {
    kind: 'missing_permission',
    permissions: quoted(permissions),
    place: quoted(place ?? (boundary === undefined ? undefined : `the ${boundary}`)),
  };
}

function findRunnerLimit(words: string): RefusalGround | undefined {
  const limitText =
    /Maximum number of (?:ci )?registered (group|project) runners \((\d+)\) exceeded/i;
  const [, place, most] = limitText.exec(words) ?? [];
  if (place === undefined || most === undefined) return undefined;
  return {
    kind: 'runner_limit',
    place: place.toLowerCase() === 'group' ? 'group' : 'project',
    most: Number(most),
  };
}
