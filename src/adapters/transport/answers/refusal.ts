import type { CredentialState } from '../../../domain/text/credential-renewal.ts';
import { parseJson } from '../../../domain/text/json.ts';
import { type FailureKind, PortFailure, type RefusalGround } from '../../../ports/failure.ts';
import type { TransportAnswer } from '../request.ts';
import { quote, readMessage } from '../words/quote.ts';
import type { Redactor } from '../words/redaction.ts';
import { isReadOnly } from './read-only.ts';

const kinds: Readonly<Record<number, FailureKind>> = {
  401: 'unauthenticated',
  403: 'denied',
};

/**
 * Creates the failure for a response with a status from 400 on. A refusal proves that nothing
 * changed.
 */
export function refusalOf(
  answer: TransportAnswer,
  {
    source,
    path,
    redactor,
    ground,
  }: { source: string; path?: string; redactor: Redactor; ground?: RefusalGround | undefined },
): PortFailure {
  const { status, body } = answer;
  const words = quote(readMessage(body), redactor);
  // A proxy, a login page or a wrong path also responds. Only JSON comes from the API.
  const isItsOwn = parseJson(body) !== undefined;
  const kind = isReadOnly(answer) ? 'read_only' : (kinds[status] ?? 'refused');
  return new PortFailure({
    kind: isItsOwn || kinds[status] !== undefined ? kind : 'unexpected',
    effect: 'none',
    source,
    path,
    status,
    ground,
    credentials: status === 401 ? findCredentialState(body) : undefined,
    detail: words === '' ? `answered ${status}` : words,
  });
}

/**
 * Returns why GitLab no longer accepts a token: RFC 6750's description in
 * `lib/api/api_guard.rb`, "Token is expired. …" or "Token was revoked. …".
 */
function findCredentialState(body: string): CredentialState | undefined {
  const { error_description: words } = (parseJson(body) ?? {}) as { error_description?: unknown };
  if (typeof words !== 'string') return undefined;
  if (words.startsWith('Token is expired')) return 'expired';
  return words.startsWith('Token was revoked') ? 'revoked' : undefined;
}

export function isRefusal(error: unknown, status: number): error is PortFailure {
  return error instanceof PortFailure && error.kind !== 'unexpected' && error.status === status;
}
