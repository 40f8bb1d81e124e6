import type { RefusalGround } from '../../ports/failure.ts';
import type { TransportAnswer } from '../transport/request.ts';
import { quote, readWords } from '../transport/words/quote.ts';
import type { Redactor } from '../transport/words/redaction.ts';

/**
 * Translates the two refusals of GitLab that have an action of their own. GitLab gives neither of them a
 * code of its own (lib/gitlab/auth/auth_finders.rb, app/models/concerns/limitable.rb).
 */
export function findGround(
  { status, body }: Pick<TransportAnswer, 'status' | 'body'>,
  redactor: Redactor,
): RefusalGround | undefined {
  if (status === 403) return findMissingPermission(readWords(body), redactor);
  if (status === 400) return findRunnerLimit(readWords(body));
  return undefined;
}

/** GraphQL sends the sentence of REST without its code. */
function findMissingPermission(words: string, redactor: Redactor): RefusalGround | undefined {
  if (!/insufficient_granular_scope|lacks the required permissions/.test(words)) return undefined;
  const [, permissions, place] = /\[([\w ,:]+)\](?: for "([^"]+))?/.exec(words) ?? [];
  const quoted = (text: string | undefined) =>
    text === undefined ? undefined : quote(text, redactor);
  return { kind: 'missing_permission', permissions: quoted(permissions), place: quoted(place) };
}

function findRunnerLimit(words: string): RefusalGround | undefined {
  const said = /Maximum number of (?:ci )?registered (group|project) runners \((\d+)\) exceeded/i;
  const [, place, most] = said.exec(words) ?? [];
  if (place === undefined || most === undefined) return undefined;
  return {
    kind: 'runner_limit',
    place: place.toLowerCase() === 'group' ? 'group' : 'project',
    most: Number(most),
  };
}
