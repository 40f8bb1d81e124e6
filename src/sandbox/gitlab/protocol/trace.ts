import { Hono } from 'hono';
import type { Instance } from '../instance.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { authenticateJob, describeJob, noteContact } from './job-token.ts';

export function traceRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.patch('/jobs/:id{[0-9]+}/trace', async (c) => {
    const job = authenticateJob(c, instance, undefined);
    const start = rangeStart(c.req.header('content-range'));
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const size = instance.traces.size(job.id);
    if (start !== size) {
      throw new Refusal(416, { message: '416 Range Not Satisfiable' }, { Range: `0-${size}` });
    }
    instance.traces.append(job.id, bytes);
    job.updatedAt = instance.now();
    noteContact(instance, job, {});
    describeJob(c, job);
    c.header('Range', `0-${instance.traces.size(job.id)}`);
    return c.json({}, 202);
  });

  return app;
}

// `<start>-<end>`, without a unit; where it ends is counted, not believed.
function rangeStart(header: string | undefined): number {
  if (header === undefined) throw badRequest('Missing header Content-Range');
  return Number.parseInt(header, 10);
}
