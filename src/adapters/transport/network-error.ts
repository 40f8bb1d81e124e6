import type { LastingFailure, Through } from '../../ports/failure.ts';

export interface NetworkError {
  /** The last word of the system, e.g. `ECONNREFUSED`. */
  readonly words: string;
  /** Whether the request provably never left this machine. */
  readonly sent: 'no' | 'unknown';
  /** No connection to whom it was sent to, be it a proxy. */
  readonly unreached: boolean;
  /** False where it would only fail the same way again, e.g. a bad certificate. */
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

/** What a request was rejected with, and everything under it. */
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
    // A proxy that wants credentials, or forbids the host, wants them the next time as well.
    passing: certificate === undefined && !codes.includes('PROXY_REFUSED'),
    ...lastingOf(codes),
  };
}

/** By Node's codes. A resolver that does not answer gives `EAI_AGAIN`, and its outage passes. */
export function lastingOf(codes: readonly string[]): { readonly lasting?: LastingFailure } {
  if (codes.includes('ENOTFOUND')) return { lasting: 'unknown_name' };
  const isUntrusted = codes.some((code) =>
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(code),
  );
  return isUntrusted ? { lasting: 'untrusted_certificate' } : {};
}

/** What happened to a request that was sent through a proxy, in one line. */
export function formatThrough(
  { proxy, host }: Through,
  { words, isUnreached }: { readonly words: string; readonly isUnreached: boolean },
): string {
  return isUnreached
    ? `the proxy ${proxy} does not answer, and ${host} is asked through it: ${words}`
    : `no answer from ${host} through the proxy ${proxy}: ${words}`;
}

function describe(code: string | undefined, message: string): string {
  if (code === undefined) return message;
  return message === '' || message === code ? code : `${message} (${code})`;
}

interface Cause {
  readonly code: string | undefined;
  readonly message: string;
}

/** The error and everything under it; several addresses of one name fail as one AggregateError. */
function collectCauses(error: unknown, depth = 0): Cause[] {
  // By its looks: an error of the runtime is no `instanceof` ours inside a VM context.
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
