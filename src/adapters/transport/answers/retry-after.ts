import type { AnswerHeaders, TransportAnswer } from '../request.ts';

/**
 * Detects a rate limit, which refuses a request before any work. GitHub also uses 403, and only its
 * headers or message distinguish it from a permanent refusal.
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
 * Detects that the other side is unavailable. 408 and 425 come from a proxy in front of it, and a
 * runner also retries after them. A write may have happened.
 */
export function isUnavailable({ status }: Pick<TransportAnswer, 'status'>): boolean {
  return status >= 500 || status === 408 || status === 425;
}

/**
 * Returns the wait that the server requests, in milliseconds. Undefined without one, or if its time
 * has passed: a wait of zero would cause immediate retries. GitLab has two kinds of 429. One has
 * `Retry-After` and `RateLimit-Reset`, the older one has neither.
 */
export function parseRetryAfter(headers: AnswerHeaders, nowMs: number): number | undefined {
  const serverNowMs = readDate(headers.get('date')) ?? nowMs;
  const reportedMs =
    readRetryAfter(headers.get('retry-after'), serverNowMs) ?? readReset(headers, serverNowMs);
  return reportedMs === undefined ? undefined : Math.min(reportedMs, longestWaitMs);
}

/** Longest plausible wait. Node's timers cannot hold 25 days. */
const longestWaitMs = 24 * 60 * 60_000;

const fields = ['limit', 'remaining', 'reset', 'observed'];

export interface Allowance {
  /** Calls of the whole period. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetInMs: number;
  /** Whether the period is known to be a minute. */
  readonly isOfMinute: boolean;
  /**
   * Whether the limit covers every call to this host. GitHub counts some kinds of calls separately.
   */
  readonly isOfAll: boolean;
}

/**
 * Reads the remaining calls until the limit resets, if the response is complete. GitLab converts
 * `RateLimit-Limit` to a minute for any period. The observed and remaining calls belong to the
 * period.
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
  // Once calls are refused, the observed calls exceed the limit.
  const isOfMinute = observed !== undefined && limit === stated && remaining > 0;
  const isOfAll = (headers.get('x-ratelimit-resource') ?? 'core') === 'core';
  return { limit, remaining, resetInMs, isOfMinute, isOfAll };
}

function readRetryAfter(value: string | null, serverNowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return positive(Math.ceil(Number(value) * 1000));
  return until(readDate(value), serverNowMs);
}

/** Reads the reset time if no call remains. A successful response also contains it. */
function readReset(headers: AnswerHeaders, serverNowMs: number): number | undefined {
  const remaining = either(headers, 'ratelimit-remaining');
  if (remaining !== null && Number(remaining) > 0) return undefined;
  const seconds = either(headers, 'ratelimit-reset');
  if (seconds !== null && /^\d+$/.test(seconds.trim())) {
    return until(Number(seconds) * 1000, serverNowMs);
  }
  return until(readDate(headers.get('ratelimit-resettime')), serverNowMs);
}

/** Reads GitLab's header name, or GitHub's with `x-` in front. */
function either(headers: AnswerHeaders, name: string): string | null {
  return headers.get(name) ?? headers.get(`x-${name}`);
}

// The server's clock counts, because the local clock may be wrong by more than the wait.
function until(momentMs: number | undefined, serverNowMs: number): number | undefined {
  return momentMs === undefined ? undefined : positive(momentMs - serverNowMs);
}

function positive(ms: number): number | undefined {
  return ms > 0 ? ms : undefined;
}

function readDate(value: string | null): number | undefined {
  // A time of day is required: `Date.parse` reads `in 60` as a date of 1960.
  const time = value !== null && /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
