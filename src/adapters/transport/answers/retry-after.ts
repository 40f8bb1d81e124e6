import type { AnswerHeaders, TransportAnswer } from '../request.ts';

/**
 * Whether the answer comes from a guard in front of the work, so that nothing was done. GitHub's says
 * 403 as well, and only its headers tell it from a refusal for good.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function isThrottled({ status, headers, body }: TransportAnswer): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isInHeader =
    headers.get('retry-after') !== null || headers.get('x-ratelimit-remaining') === '0';
  return isInHeader || /\b(?:API|secondary) rate limit\b|\babuse detection\b/i.test(body);
}

/**
 * Whether the other side cannot answer now. 408 and 425 come from what stands in front of it; a runner
 * repeats its requests after them, too. A write may have happened.
 */
export function isUnavailable({ status }: Pick<TransportAnswer, 'status'>): boolean {
  return status >= 500 || status === 408 || status === 425;
}

/**
 * How long the server asks to stay away, in milliseconds; undefined if it does not say, or if that time is over:
 * a server that refuses and asks for no wait would be asked again and again at once. GitLab has
 * two kinds of 429: one says it in `Retry-After` and `RateLimit-Reset`, the older one not at all.
 */
export function parseRetryAfter(headers: AnswerHeaders, nowMs: number): number | undefined {
  const serverNowMs = readDate(headers.get('date')) ?? nowMs;
  const reportedMs =
    readRetryAfter(headers.get('retry-after'), serverNowMs) ?? readReset(headers, serverNowMs);
  return reportedMs === undefined ? undefined : Math.min(reportedMs, longestToldMs);
}

/** Nobody means more, and a timer of the runtime holds no 25 days. */
const longestToldMs = 24 * 60 * 60_000;

const fields = ['limit', 'remaining', 'reset', 'observed'];

export interface Allowance {
  /** Of the whole period. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetInMs: number;
  /** Whether the period is known to be a minute. */
  readonly isOfMinute: boolean;
  /** Whether it is of every call to this host. GitHub counts some kinds of calls by themselves. */
  readonly isOfAll: boolean;
}

/**
 * What is left of a limit until it begins anew, where an answer says all of it. GitLab's `RateLimit-Limit`
 * is converted to a minute, whatever the period; what was observed and what remains are of the period.
 * https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
 */
export function readAllowance(headers: AnswerHeaders, nowMs: number): Allowance | undefined {
  const [stated, remaining, reset, observed] = fields.map((name) => {
    const text = either(headers, `ratelimit-${name}`)?.trim() ?? '';
    return /^\d+$/.test(text) ? Number(text) : undefined;
  });
  if (stated === undefined || remaining === undefined || reset === undefined) return undefined;
  const limit = observed === undefined ? stated : observed + remaining;
  const serverNowMs = readDate(headers.get('date')) ?? nowMs;
  const resetInMs = reset * 1000 - serverNowMs;
  if (resetInMs <= 0) return undefined;
  // Once calls are refused, more are observed than the limit is.
  const isOfMinute = observed !== undefined && limit === stated && remaining > 0;
  const isOfAll = (headers.get('x-ratelimit-resource') ?? 'core') === 'core';
  return { limit, remaining, resetInMs, isOfMinute, isOfAll };
}

function readRetryAfter(value: string | null, serverNowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return positive(Math.ceil(Number(value) * 1000));
  return until(readDate(value), serverNowMs);
}

/** Only where nothing remains: a successful answer names its reset, too. */
function readReset(headers: AnswerHeaders, serverNowMs: number): number | undefined {
  const remaining = either(headers, 'ratelimit-remaining');
  if (remaining !== null && Number(remaining) > 0) return undefined;
  const seconds = either(headers, 'ratelimit-reset');
  if (seconds !== null && /^\d+$/.test(seconds.trim())) {
    return until(Number(seconds) * 1000, serverNowMs);
  }
  return until(readDate(headers.get('ratelimit-resettime')), serverNowMs);
}

/** GitHub puts an `x-` before the names that GitLab uses. */
function either(headers: AnswerHeaders, name: string): string | null {
  return headers.get(name) ?? headers.get(`x-${name}`);
}

// Against the server's own clock, because ours may be wrong by more than the wait.
function until(momentMs: number | undefined, serverNowMs: number): number | undefined {
  return momentMs === undefined ? undefined : positive(momentMs - serverNowMs);
}

function positive(ms: number): number | undefined {
  return ms > 0 ? ms : undefined;
}

function readDate(value: string | null): number | undefined {
  // With a time of day: `in 60` is a moment of 1960 to the runtime.
  const time = value !== null && /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
