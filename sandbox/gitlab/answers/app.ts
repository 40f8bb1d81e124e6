import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { injectFaults } from '../control/fault-injection.ts';
import type { Instance } from '../instance.ts';
import { settleOverdue } from '../jobs/overdue.ts';
import { artifactRoutes } from '../protocol/artifacts.ts';
import { jobRequestRoutes } from '../protocol/job-request.ts';
import { jobUpdateRoutes } from '../protocol/job-update.ts';
import { runnerSelfRoutes } from '../protocol/runners.ts';
import { traceRoutes } from '../protocol/trace.ts';
import { aboutRoutes } from '../routes/about.ts';
import { assignmentRoutes } from '../routes/assignments.ts';
import { invalidIdRoutes } from '../routes/invalid-ids.ts';
import { jobRoutes } from '../routes/jobs.ts';
import { memberRoutes } from '../routes/members.ts';
import { pipelineCreationRoutes } from '../routes/pipeline-creation.ts';
import { pipelineRoutes } from '../routes/pipelines.ts';
import { projectRoutes } from '../routes/projects.ts';
import { registrationRoutes } from '../routes/registrations.ts';
import { resourceGroupRoutes } from '../routes/resource-groups.ts';
import { runnerJobRoutes } from '../routes/runner-jobs.ts';
import { runnerRoutes } from '../routes/runners.ts';
import { lintRoutes } from '../settings/lint.ts';
import { scheduleRoutes } from '../settings/schedules.ts';
import { variableRoutes } from '../settings/variable-routes.ts';
import { MovedProject } from './access.ts';
import { graphqlRoute } from './graphql.ts';
import { limitRates } from './rate-limits.ts';
import { Refusal } from './refusal.ts';
import type { GitLabOptions } from './surface.ts';

const ROUTES = [
  // The runners' own paths come first, because `verify` and `managers` are no ids.
  jobRequestRoutes,
  jobUpdateRoutes,
  traceRoutes,
  artifactRoutes,
  runnerSelfRoutes,
  aboutRoutes,
  registrationRoutes,
  runnerRoutes,
  runnerJobRoutes,
  assignmentRoutes,
  projectRoutes,
  memberRoutes,
  pipelineCreationRoutes,
  pipelineRoutes,
  jobRoutes,
  resourceGroupRoutes,
  variableRoutes,
  lintRoutes,
  scheduleRoutes,
  invalidIdRoutes,
];

export function createApp(
  instance: Instance,
  {
    faults,
    rateLimits,
    count,
  }: Pick<GitLabOptions, 'faults' | 'rateLimits'> & { count: MiddlewareHandler },
): Hono {
  const app = new Hono();
  app.use(count);
  if (rateLimits !== undefined) app.use(limitRates(instance, rateLimits));
  app.use(injectFaults(faults, () => instance.now(), instance.features));
  app.use(async (_c, next) => {
    settleOverdue(instance);
    await next();
  });
  for (const routes of ROUTES) app.route('/api/v4', routes(instance));
  app.route('/api', graphqlRoute(instance));
  app.notFound((c) => c.json({ error: '404 Not Found' }, 404));
  app.onError((error, c) => {
    if (error instanceof MovedProject) return answerMoved(c, error);
    if (!(error instanceof Refusal)) {
      return c.json({ message: `500 Internal Server Error - ${error.message}` }, 500);
    }
    const status = error.status as ContentfulStatusCode;
    return c.json(error.body as object, status, error.headers);
  });
  return app;
}

// Redirects a read to the project's new path. A write is refused.
function answerMoved(c: Context, { reference, projectId }: MovedProject): Response {
  if (c.req.method !== 'GET') {
    return c.json({ message: 'Non GET methods are not allowed for moved projects' }, 405);
  }
  const { href } = new URL(c.req.url);
  const location = href.replace(encodeURIComponent(reference), String(projectId));
  return c.body('', 301, { location });
}
