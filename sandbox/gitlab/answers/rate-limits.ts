import type { Context, MiddlewareHandler } from 'hono';
import { serviceOf } from '../control/fault-injection.ts';
import type { Instance } from '../instance.ts';
import { digestOf } from '../secrets.ts';
import { readParameters } from './parameters.ts';

/** What one caller may ask a minute. */
interface Limit {
  readonly name: string;
  readonly perMinute: number;
  /** Said by the application itself, not by the front before it: as JSON, and without `RateLimit-*`. */
  readonly byApplication?: true;
}

/**
 * What GitLab.com publishes of the calls that a deployment and its runners make. A user's API traffic,
 * and an address's without a token: https://docs.gitlab.com/user/gitlab_com/rate_limits/. A project's
 * jobs: https://docs.gitlab.com/security/rate_limits/. The runners' calls:
 * https://gitlab.com/gitlab-org/gitlab/-/merge_requests/204751. The 2,000 of one address are for what
 * none of these covers.
 */
const gitlabCom = {
  user: { name: 'throttle_authenticated_api', perMinute: 2000 },
  stranger: { name: 'throttle_unauthenticated_api', perMinute: 500 },
  projectJobs: { name: 'project_jobs_api', perMinute: 600, byApplication: true },
  jobRequest: { name: 'runner_jobs_request_api', perMinute: 2000, byApplication: true },
  jobTrace: { name: 'runner_jobs_patch_trace_api', perMinute: 200, byApplication: true },
  job: { name: 'runner_jobs_api', perMinute: 200, byApplication: true },
} satisfies Record<string, Limit>;

const minuteMs = 60_000;

/** Counts in minutes of the clock, as the front of GitLab.com does, and refuses what is too much. */
export function limitRates(instance: Instance): MiddlewareHandler {
  let minute = 0;
  const counts = new Map<string, number>();
  const count = (key: string) => {
    const now = Math.floor(instance.now() / minuteMs);
    if (now !== minute) counts.clear();
    minute = now;
    const observed = (counts.get(key) ?? 0) + 1;
    counts.set(key, observed);
    return observed;
  };
  return async (c, next) => {
    let told: Record<string, string> = {};
    for (const { limit, caller } of await limitsOf(c, instance)) {
      const observed = count(`${limit.name} ${caller}`);
      const isTooMuch = observed > limit.perMinute;
      if (limit.byApplication !== true) told = wordsOf(limit, observed, instance.now());
      if (isTooMuch) return refuse(limit, told, instance.now());
    }
    await next();
    for (const [name, value] of Object.entries(told)) c.res.headers.set(name, value);
    return undefined;
  };
}

interface Counted {
  readonly limit: Limit;
  readonly caller: string;
}

async function limitsOf(c: Context, instance: Instance): Promise<Counted[]> {
  const { method, path } = c.req;
  if (serviceOf(method, path) === 'runner') {
    return instance.features.rateLimitsOfRunners ? limitsOfRunner(c) : [];
  }
  const caller = callerOf(c, instance);
  if (caller === undefined) return [{ limit: gitlabCom.stranger, caller: 'address' }];
  const isOfProject = method === 'GET' && /^\/api\/v4\/projects\/[^/]+\/jobs$/.test(path);
  return [
    { limit: gitlabCom.user, caller },
    ...(isOfProject ? [{ limit: gitlabCom.projectJobs, caller }] : []),
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

/** All tokens of a user count together. */
function callerOf(c: Context, instance: Instance): string | undefined {
  const secret = c.req.header('private-token') ?? c.req.header('authorization')?.slice(7);
  const digest = digestOf(secret ?? c.req.header('job-token') ?? '');
  const token = instance.state.tokens.find((one) => one.digest === digest);
  if (token !== undefined) return `user ${token.userId}`;
  return instance.state.jobs
    .find(({ tokenDigests }) => tokenDigests.includes(digest))
    ?.userId.toString();
}

function wordsOf({ name, perMinute }: Limit, observed: number, now: number) {
  return {
    'ratelimit-name': name,
    'ratelimit-limit': `${perMinute}`,
    'ratelimit-observed': `${observed}`,
    'ratelimit-remaining': `${Math.max(0, perMinute - observed)}`,
    'ratelimit-reset': `${nextMinute(now) / 1000}`,
  };
}

function refuse({ byApplication }: Limit, told: Record<string, string>, now: number): Response {
  if (byApplication) {
    const error = 'This endpoint has been requested too many times. Try again later.';
    return Response.json({ message: { error } }, { status: 429, headers: { 'retry-after': '60' } });
  }
  const resetAt = nextMinute(now);
  return new Response('Retry later\n', {
    status: 429,
    headers: {
      ...told,
      'content-type': 'text/plain',
      'retry-after': `${Math.ceil((resetAt - now) / 1000)}`,
      'ratelimit-resettime': new Date(resetAt).toUTCString(),
    },
  });
}

function nextMinute(now: number): number {
  return (Math.floor(now / minuteMs) + 1) * minuteMs;
}
