import { Hono } from 'hono';
import { z } from 'zod';
import type { Controlled } from './controlled.ts';
import { ControlRefusal, readBody, toSnakeCase } from './input.ts';

/** Creates the routes for workflow jobs of GitHub's customers and for runners. */
export function githubRoutes({ github }: Controlled): Hono {
  const app = new Hono();
  app.get('/github/jobs', (context) => context.json(toSnakeCase(github.jobs())));
  app.post('/github/jobs', async (context) => {
    const { labels, script, ...rest } = await readBody(context, jobSchema);
    const given = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    );
    const created = github.submitJob({ labels, script, ...given });
    return context.json(toSnakeCase(created), 201);
  });
  app.put('/github/limits', async (context) => {
    const { per_hour: perHour, points_per_minute: points } = await readBody(context, limitsSchema);
    github.limit({
      ...(perHour === undefined ? {} : { perHour }),
      ...(points === undefined ? {} : { pointsPerMinute: points }),
    });
    return context.json({});
  });
  app.post('/github/runners/:id/second-assignment', (context) => {
    if (!github.assignAgain(Number(context.req.param('id'))))
      throw new ControlRefusal(404, 'The runner has no job.');
    return context.json({});
  });
  app.get('/github/runners', (context) =>
    context.json(github.runners().map(({ credentialDigest: _, ...runner }) => toSnakeCase(runner))),
  );
  return app;
}

const limitsSchema = z.strictObject({
  per_hour: z.int().positive().optional(),
  points_per_minute: z.int().min(5).optional(),
});

const jobSchema = z
  .strictObject({
    labels: z.array(z.string().min(1)).default([]),
    script: z.array(z.string()).min(1),
    name: z.string().optional(),
    group: z.string().min(1).optional(),
    repository: z.string().min(1).optional(),
  })
  .refine(({ labels, group }) => labels.length > 0 || group !== undefined, {
    message: 'labels or group',
  });
