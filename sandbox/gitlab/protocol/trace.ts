import { Hono } from 'hono';
import { badParameter, Refusal } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { moveTo } from '../jobs/transitions.ts';
import type { Job } from '../state.ts';
import {
  authenticateJob,
  JOB_STATUS_HEADER,
  noteContact,
  TRACE_INTERVAL_HEADER,
} from './job-token.ts';

const TRACE_MAX_BYTES = 100 * 1024 * 1024;
const INTERVAL_SECONDS = { watched: 3, unwatched: 60 };

export function traceRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.patch('/jobs/:id{[0-9]+}/trace', async (c) => {
    const job = authenticateJob(c, instance, c.req.query('token'));
    noteContact(instance, job);
    const start = rangeStart(c.req.header('content-range'));
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (start + bytes.length > TRACE_MAX_BYTES) {
      moveTo(instance, job, { status: 'failed', failureReason: 'trace_size_exceeded' });
      throw new Refusal(403, { error: '403 Forbidden' });
    }
    const size = instance.traces.size(job.id);
    if (start !== size) {
      throw new Refusal(416, { error: '416 Range Not Satisfiable' }, { Range: `0-${size}` });
    }
    instance.traces.append(job.id, bytes);
    job.updatedAt = instance.now();
    c.header(JOB_STATUS_HEADER, job.status);
    c.header(TRACE_INTERVAL_HEADER, String(intervalSeconds(instance, job)));
    c.header('Range', `0-${instance.traces.size(job.id)}`);
    return c.json({}, 202);
  });

  return app;
}

/** Returns the interval at which the runner sends its log and notices a cancellation. */
function intervalSeconds(instance: Instance, { watchedUntil }: Job): number {
  const { watched, unwatched } = INTERVAL_SECONDS;
  return instance.now() < (watchedUntil ?? 0) ? watched : unwatched;
}

// Reads the start of `<start>-<end>`, without a unit. The end is counted from the body.
function rangeStart(header: string | undefined): number {
  if (header === undefined) throw badParameter('400 Missing header Content-Range');
  return Number.parseInt(header, 10);
}
