import {
  type FailureKind,
  type LastingFailure,
  PortFailure,
  type Through,
} from '../../../ports/failure.ts';
import type { AttemptOutcome } from '../attempt.ts';
import { formatThrough, type NetworkError } from '../network-error.ts';
import { mayChange, type TransportAnswer, type TransportRequest } from '../request.ts';
import { quote, readMessage } from '../words/quote.ts';
import type { Redactor } from '../words/redaction.ts';
import { isReadOnly } from './read-only.ts';
import { isThrottled, isUnavailable } from './retry-after.ts';

interface Verdict {
  readonly kind: FailureKind;
  readonly detail: string;
  readonly status?: number;
  /** Set only if the write certainly changed nothing. */
  readonly harmless?: boolean;
  /** Whether there was no response. The failure then names the proxy. */
  readonly isTimeout?: boolean;
  readonly lasting?: LastingFailure | undefined;
}

/** Returns the failure for an outcome. Undefined for a response that the caller reads itself. */
export function failureOf(
  outcome: AttemptOutcome,
  request: TransportRequest,
  context: {
    redactor: Redactor;
    reason: string;
    through?: Through | undefined;
    againInMs?: number | undefined;
  },
): PortFailure | undefined {
  const { through } = context;
  const verdict = judge(outcome, request, through);
  if (verdict === undefined) return undefined;
  const { kind, status, detail, harmless = false, isTimeout = false, lasting } = verdict;
  const words = quote(detail, context.redactor);
  return new PortFailure({
    kind,
    status,
    source: request.source,
    detail: context.reason === '' ? words : `${words} (${context.reason})`,
    effect: mayChange(request) && !harmless ? 'unknown' : 'none',
    ...(isTimeout ? { through } : {}),
    lasting,
    againInMs: kind === 'throttled' || kind === 'read_only' ? context.againInMs : undefined,
  });
}

function judge(
  outcome: AttemptOutcome,
  request: TransportRequest,
  through: Through | undefined,
): Verdict | undefined {
  const { host } = request.url;
  switch (outcome.kind) {
    case 'answer':
      return judgeAnswer(outcome.answer, request);
    case 'failed':
      return {
        kind: 'unreachable',
        detail: formatFailed(outcome.error, { host, through }),
        harmless: outcome.error.sent === 'no',
        isTimeout: true,
        lasting: outcome.error.lasting,
      };
    case 'timeout': {
      const by = through === undefined ? '' : `, through the proxy ${through.proxy}`;
      return {
        kind: 'unreachable',
        detail: `no response from ${host} in time${by}`,
        isTimeout: true,
      };
    }
    case 'cancelled':
      return { kind: 'unreachable', detail: 'canceled before the response' };
    case 'too_large':
      return { kind: 'unexpected', status: outcome.status, detail: 'the response is too large' };
  }
}

function formatFailed(
  { words, unreached: isUnreached }: NetworkError,
  { host, through }: { host: string; through: Through | undefined },
): string {
  if (through === undefined) return `no response from ${host}: ${words}`;
  return formatThrough(through, { words, isUnreached });
}

function judgeAnswer(answer: TransportAnswer, request: TransportRequest): Verdict | undefined {
  const { status, headers } = answer;
  if (isReadOnly(answer))
    return { kind: 'read_only', status, detail: quoted(answer), harmless: true };
  if (isThrottled(answer))
    return { kind: 'throttled', status, detail: quoted(answer), harmless: true };
  if (isUnavailable(answer)) return { kind: 'unavailable', status, detail: quoted(answer) };
  if (status < 300 || status >= 400) return undefined;
  const target = readHost(headers.get('location') ?? '', request.url);
  return {
    kind: 'refused',
    status,
    detail: `answered ${status}, a redirect to ${target}, which hosted-runner does not follow: the URL is wrong`,
    harmless: status !== 303,
  };
}

function quoted({ status, body }: TransportAnswer): string {
  const words = readMessage(body).trim();
  return words === '' ? `answered ${status}` : `answered ${status}: ${words}`;
}

/** Returns only the host: path or query may contain a secret. */
function readHost(location: string, base: URL): string {
  if (!URL.canParse(location, base.href)) return 'nowhere';
  return new URL(location, base).origin;
}
