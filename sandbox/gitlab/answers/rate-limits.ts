import type { Context, MiddlewareHandler } from 'hono';
import { serviceOf } from '../control/fault-injection.ts';
import type { Instance } from '../instance.ts';
import { digestOf } from '../secrets.ts';
import { readParameters } from './parameters.ts';

/** Calls that one caller may make in a period. */
interface Limit {
  readonly name: string;
  readonly calls: number;
  readonly periodMs: number;
  /**
   * Whether the application refuses the call, not the proxy in front of it. The response is then
   * JSON, without `RateLimit-*`.
   */
  readonly byApplication?: true;
}

/**
 * GitLab.com's published limits for the calls of a deployment and its runners. The limit of 2,000
 * per address applies to all calls that no other limit covers. Sources:
 * https://docs.gitlab.com/user/gitlab_com/rate_limits/ (a user, and an address without a token)
 * https://docs.gitlab.com/security/rate_limits/ (jobs of a project)
 * https://gitlab.com/gitlab-org/gitlab/-/merge_requests/204751 (calls of runners)
 */
const minuteMs = 60_000;
const gitlabCom = {
  user: { name: 'throttle_authenticated_api', calls: 2000, periodMs: minuteMs },
  stranger: { name: 'throttle_unauthenticated_api', calls: 500, periodMs: minuteMs },
  projectJobs: { name: 'project_jobs_api', calls: 600, periodMs: minuteMs, byApplication: true },
  jobRequest: {
    name: 'runner_jobs_request_api',
    calls: 2000,
    periodMs: minuteMs,
    byApplication: true,
  },
  jobTrace: {
    name: 'runner_jobs_patch_trace_api',
    calls: 200,
    periodMs: minuteMs,
    byApplication: true,
  },
  job: { name: 'runner_jobs_api', calls: 200, periodMs: minuteMs, byApplication: true },
} satisfies Record<string, Limit>;

/**
 * Default limits of a self-managed instance once they are enabled: 7,200 calls per user and hour.
 * https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/
 */
const selfManaged: typeof gitlabCom = {
  ...gitlabCom,
  user: { ...gitlabCom.user, calls: 7200, periodMs: 60 * minuteMs },
  stranger: { ...gitlabCom.stranger, calls: 3600, periodMs: 60 * minuteMs },
};

export type RateLimitsOf = 'gitlab.com' | 'self-managed';

/**
 * Counts calls in fixed periods of the clock, like GitLab's proxy, and refuses calls above the
 * limit.
 */
export function limitRates(instance: Instance, whose: RateLimitsOf): MiddlewareHandler {
  const limits = whose === 'gitlab.com' ? gitlabCom : selfManaged;
  const counts = new Map<string, { readonly period: number; readonly observed: number }>();
  const count = ({ name, periodMs }: Limit, caller: string) => {
    const key = `${name} ${caller}`;
    const period = Math.floor(instance.now() / periodMs);
    const counted = counts.get(key);
    const observed = (counted?.period === period ? counted.observed : 0) + 1;
    counts.set(key, { period, observed });
    return observed;
  };
  return async (c, next) => {
    let headers: Record<string, string> = {};
    for (const { limit, caller } of await limitsOf(c, instance, limits)) {
      const observed = count(limit, caller);
      const isTooMuch = observed > limit.calls;
      if (limit.byApplication !== true) headers = wordsOf(limit, observed, instance.now());
      if (isTooMuch) return refuse(limit, headers, instance.now());
    }
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    return undefined;
  };
}

interface Counted {
  readonly limit: Limit;
  readonly caller: string;
}

async function limitsOf(
  c: Context,
  instance: Instance,
  limits: typeof gitlabCom,
): Promise<Counted[]> {
  const { method, path } = c.req;
  if (serviceOf(method, path) === 'runner') {
    return instance.features.rateLimitsOfRunners ? limitsOfRunner(c) : [];
  }
  const caller = callerOf(c, instance);
  if (caller === undefined) return [{ limit: limits.stranger, caller: 'address' }];
  const isOfProject = method === 'GET' && /^\/api\/v4\/projects\/[^/]+\/jobs$/.test(path);
  return [
    { limit: limits.user, caller },
    ...(isOfProject ? [{ limit: limits.projectJobs, caller }] : []),
  ];
}

async function limitsOfRunner(c: Context): Promise<Counted[]> {
  const { method, path } = c.req;
  if (path === '/api/v4/jobs/request') {
    const token = (await readParameters(c)).text('token');
    return [{ limit: gitlabCom.jobRequest, caller: digestOf(token ?? '') }];
  }
  if (!/^\/api\/v4\/jobs\/\d+/.test(path)) return [];
  const isTrace = method === 'PATCH' && path.endsWith('/trace');
  const caller = digestOf(c.req.header('job-token') ?? path);
  return [{ limit: isTrace ? gitlabCom.jobTrace : gitlabCom.job, caller }];
}

/** Returns the caller. All tokens of a user count together. */
function callerOf(c: Context, instance: Instance): string | undefined {
  const secret = c.req.header('private-token') ?? c.req.header('authorization')?.slice(7);
  const digest = digestOf(secret ?? c.req.header('job-token') ?? '');
  const token = instance.state.tokens.find((one) => one.digest === digest);
  if (token !== undefined) return `user ${token.userId}`;
  return instance.state.jobs
    .find(({ tokenDigests }) => tokenDigests.includes(digest))
    ?.userId.toString();
}

/**
 * Returns the headers. Only the limit is converted to a minute:
 * lib/gitlab/rack_attack/request_throttle_data.rb.
 */
function wordsOf(limit: Limit, observed: number, now: number) {
  const { name, calls, periodMs } = limit;
  return {
    'ratelimit-name': name,
    'ratelimit-limit': `${Math.ceil((calls * minuteMs) / periodMs)}`,
    'ratelimit-observed': `${observed}`,
    'ratelimit-remaining': `${Math.max(0, calls - observed)}`,
    'ratelimit-reset': `${nextPeriod(limit, now) / 1000}`,
  };
}

function refuse(limit: Limit, headers: Record<string, string>, now: number): Response {
  if (limit.byApplication) {
    const error = 'This endpoint has been requested too many times. Try again later.';
    return Response.json({ message: { error } }, { status: 429, headers: { 'retry-after': '60' } });
  }
  const resetAt = nextPeriod(limit, now);
  return new Response('Retry later\n', {
    status: 429,
    headers: {
      ...headers,
      'content-type': 'text/plain',
      'retry-after': `${Math.ceil((resetAt - now) / 1000)}`,
      'ratelimit-resettime': new Date(resetAt).toUTCString(),
    },
  });
}

function nextPeriod({ periodMs }: Limit, now: number): number {
  return (Math.floor(now / periodMs) + 1) * periodMs;
}
