import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { JOB_STATUSES } from '../gitlab/state.ts';
import type { Controlled } from './controlled.ts';
import { readBody, readNumber, toSnakeCase } from './input.ts';

/** Creates the routes for customer jobs, pipelines and user tokens. */
export function workRoutes({ gitlab }: Controlled): Hono {
  const app = new Hono();
  app.get('/jobs', (context) => {
    gitlab.tick();
    return context.json(gitlab.jobs().map(({ tokenDigests: _, ...job }) => toSnakeCase(job)));
  });
  app.post('/jobs', async (context) => {
    const {
      timeout_seconds: timeoutSeconds,
      after_script: afterScript,
      ...job
    } = await readBody(context, jobSchema);
    const created = gitlab.submitJob({
      ...withoutAbsent(job),
      ...withoutAbsent({ timeoutSeconds, afterScript }),
    });
    return context.json(toSnakeCase(created), 201);
  });
  app.put('/jobs/:id', async (context) => {
    const { status, failure_reason: failureReason } = await readBody(context, statusSchema);
    gitlab.setJobStatus(readNumber(context.req.param('id')), status, failureReason);
    return context.body(null, 204);
  });
  app.post('/pipelines', async (context) => {
    const { runner_names: runnerNames, ...order } = await readBody(context, pipelineSchema);
    return context.json(
      gitlab.createPipeline({ ...withoutAbsent(order), ...withoutAbsent({ runnerNames }) }),
      201,
    );
  });
  app.post('/tokens', async (context) => {
    const {
      access_level: accessLevel,
      expires_at: expiresAt,
      permissions,
      ...order
    } = await readBody(context, tokenSchema);
    const token = gitlab.createToken({
      ...withoutAbsent(order),
      ...withoutAbsent({ accessLevel, expiresAt, permissions }),
    });
    return context.json(token, 201);
  });
  app.put('/runner-limit', async (context) => {
    const { runners } = await readBody(context, limitSchema);
    gitlab.setRunnerLimit(runners ?? undefined);
    return context.body(null, 204);
  });
  app.put('/runner-tokens', async (context) => {
    const { seconds } = await readBody(context, lifeSchema);
    gitlab.setRunnerTokenLife(seconds ?? undefined);
    return context.body(null, 204);
  });
  app.delete('/tokens/:id', (context: Context<object, '/tokens/:id'>) => {
    gitlab.revokeToken(readNumber(context.req.param('id')));
    return context.body(null, 204);
  });
  return app;
}

type WithoutAbsent<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Removes optional fields without a value: an absent field is not the same as undefined. */
function withoutAbsent<T extends object>(fields: T): WithoutAbsent<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithoutAbsent<T>;
}

const project = z.union([z.int(), z.string()]);
const strings = z.array(z.string());

const jobSchema = z.strictObject({
  project: project.default(201),
  tags: strings.default([]),
  script: strings.min(1),
  after_script: strings.optional(),
  name: z.string().optional(),
  ref: z.string().optional(),
  timeout_seconds: z.int().min(1).optional(),
});

const statusSchema = z.strictObject({
  status: z.enum(JOB_STATUSES),
  failure_reason: z.string().optional(),
});

const limitSchema = z.strictObject({ runners: z.int().min(0).nullable() });

// GitLab accepts no shorter time.
const lifeSchema = z.strictObject({ seconds: z.int().min(7200).nullable() });

const pipelineSchema = z.strictObject({
  project: project.default(101),
  ref: z.string().optional(),
  runner_names: strings.optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
});

const tokenSchema = z.strictObject({
  user: z.string().min(1),
  scopes: strings,
  permissions: strings.optional(),
  access_level: z
    .enum(['none', 'guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin'])
    .optional(),
  project: project.optional(),
  expires_at: z.string().optional(),
});
