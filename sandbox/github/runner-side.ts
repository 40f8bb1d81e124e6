import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { register } from './fleet.ts';
import type { Instance } from './instance.ts';
import { acquireJob, connected, finishJob, heartbeat, takeJob } from './jobs.ts';
import { invalid } from './refusal.ts';
import { livingVersion } from './versions.ts';

/** Creates the routes that the hosts' runners call. */
export function runnerSide(instance: Instance): Hono {
  const app = new Hono();
  app.post('/register', async (context) => {
    const arrival = await read(context, arrivalSchema);
    return context.json(register(instance, arrival), 201);
  });
  app.post('/session', async (context) => {
    connected(instance, (await read(context, credentialSchema)).credential);
    return context.json({});
  });
  app.post('/take', async (context) => {
    const job = takeJob(instance, (await read(context, credentialSchema)).credential);
    if (job === undefined) return context.body(null, 204);
    const { id, name, script } = job;
    return context.json({ id, name, script });
  });
  app.post('/acquire', async (context) => {
    const { credential, job_id: jobId } = await read(context, beatSchema);
    acquireJob(instance, { credential, jobId });
    return context.json({});
  });
  app.post('/heartbeat', async (context) => {
    const { credential, job_id: jobId } = await read(context, beatSchema);
    return context.json(heartbeat(instance, { credential, jobId }));
  });
  app.post('/finish', async (context) => {
    const { credential, job_id: jobId, conclusion } = await read(context, endSchema);
    finishJob(instance, { credential, jobId, conclusion });
    return context.json({});
  });
  return app;
}

async function read<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  if (!parsed.success) throw invalid('Validation Failed');
  return parsed.data;
}

const arrivalSchema = z.object({
  token: z.string(),
  name: z.string().min(1).max(64),
  labels: z.array(z.string()),
  group: z.string().default('Default'),
  ephemeral: z.boolean().default(false),
  version: z.string().default(livingVersion),
  replace: z.boolean().default(false),
});
const credentialSchema = z.object({ credential: z.string() });
const beatSchema = z.object({ credential: z.string(), job_id: z.int() });
const endSchema = beatSchema.extend({ conclusion: z.enum(['success', 'failure']) });
