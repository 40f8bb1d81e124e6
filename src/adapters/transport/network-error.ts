import type { LastingFailure, Through } from '../../ports/failure.ts';

export interface NetworkError {
  /** Error code or message of the system, such as `ECONNREFUSED`. */
  readonly words: string;
  /** Whether the request provably never left this machine. */
  readonly sent: 'no' | 'unknown';
  /** Whether there was no connection to the addressee, which may be a proxy. */
  readonly unreached: boolean;
  /** False if a retry would fail in the same way, for example with a bad certificate. */
  readonly passing: boolean;
  readonly lasting?: LastingFailure;
}

// All of these happen before the first byte of a request is written.
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const refusedByProxy = new Set(['PROXY_REFUSED', 'PROXY_UNAVAILABLE']);

/** Reads the error of a request with all its causes. */
export function readNetworkError(error: unknown): NetworkError {
  const causes = collectCauses(error);
  const codes = causes.map((cause) => cause.code).filter((code) => code !== undefined);
  const certificate = codes.find((code) => /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code));
  const last = causes.findLast((cause) => cause.message !== '') ?? causes[0];
  const code = certificate ?? codes[0];
  const unreached =
    certificate === undefined && codes.length > 0 && codes.every((each) => neverSent.has(each));
  const isUnsent =
    unreached || certificate !== undefined || codes.some((each) => refusedByProxy.has(each));
  return {
    words: describe(code, last?.message ?? String(error)),
    sent: isUnsent ? 'no' : 'unknown',
    unreached,
    // A proxy that requires credentials or forbids the host also refuses the next request.
    passing: certificate === undefined && !codes.includes('PROXY_REFUSED'),
    ...lastingOf(codes),
  };
}

/**
 * Finds a permanent cause by Node's code. An unavailable resolver causes `EAI_AGAIN`, which is
 * temporary.
 */
export function lastingOf(codes: readonly string[]): { readonly lasting?: LastingFailure } {
  if (codes.includes('ENOTFOUND')) return { lasting: 'unknown_name' };
  const isUntrusted = codes.some((code) =>
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(code),
  );
  return isUntrusted ? { lasting: 'untrusted_certificate' } : {};
}

/** Formats the failure of a request through a proxy, in one line. */
export function formatThrough(
  { proxy, host }: Through,
  { words, isUnreached }: { readonly words: string; readonly isUnreached: boolean },
): string {
  return isUnreached
    ? `the proxy ${proxy}, which is used for ${host}, does not respond: ${words}`
    : `no response from ${host} through the proxy ${proxy}: ${words}`;
}

function describe(code: string | undefined, message: string): string {
  if (code === undefined) return message;
  return message === '' || message === code ? code : `${message} (${code})`;
}

interface Cause {
  readonly code: string | undefined;
  readonly message: string;
}

/** Lists the error and its causes. Several addresses of one name fail as one AggregateError. */
function collectCauses(error: unknown, depth = 0): Cause[] {
  // `instanceof` fails for errors of another VM context.
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, message, cause, errors } = error as Record<string, unknown>;
  const inner = Array.isArray(errors) ? errors : [cause];
  return [
    {
      code: typeof code === 'string' ? code : undefined,
      message: typeof message === 'string' ? message : '',
    },
    ...inner.flatMap((each) => collectCauses(each, depth + 1)),
  ];
}
