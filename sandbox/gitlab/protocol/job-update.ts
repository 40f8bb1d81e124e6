import { type Context, Hono } from 'hono';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import type { Instance } from '../instance.ts';
import { isAssigned, moveTo, start } from '../jobs/transitions.ts';
import type { Job } from '../state.ts';
import { knownFailureReason } from './failure-reasons.ts';
import {
  authenticateJob,
  JOB_STATUS_HEADER,
  noteContact,
  TRACE_INTERVAL_HEADER,
} from './job-token.ts';

/** Time until a background worker has stored the log's pieces. */
const TRACE_WHOLE_AFTER_MS = 300;
const RETRY_AFTER_SECONDS = 1;

type Status = 200 | 202 | 400 | 409;

export function jobUpdateRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.put('/jobs/:id{[0-9]+}', async (c) => {
    const parameters = await readParameters(c);
    const job = authenticateJob(c, instance, parameters.text('token'));
    noteContact(instance, job);
    return answer(c, job, applyState(instance, { job, parameters }));
  });

  return app;
}

// Returns the response. Its body is the status.
function answer(c: Context, job: Job, status: Status): Response {
  c.header(JOB_STATUS_HEADER, job.status);
  c.header(TRACE_INTERVAL_HEADER, status === 202 ? String(RETRY_AFTER_SECONDS) : '');
  return c.body(String(status), status, { 'content-type': 'application/json' });
}

interface Word {
  job: Job;
  parameters: Parameters;
}

function applyState(instance: Instance, { job, parameters }: Word): Status {
  const state = parameters.text('state');
  if (isAssigned(job)) {
    const refused = acknowledge(instance, { job, state });
    if (refused !== undefined) return refused;
  } else if (state === 'pending' && instance.features.twoPhaseCommit && job.managerId !== null) {
    return 409;
  }
  job.updatedAt = instance.now();
  if (state === 'running') return 200;
  if (state !== 'success' && state !== 'failed') return 400;
  if (!isTraceWhole(instance, { job, parameters })) return 202;
  finish(instance, { job, state, parameters });
  return 200;
}

/** Handles the acknowledgement of an assigned job. Undefined once the job starts. */
function acknowledge(
  instance: Instance,
  { job, state }: { job: Job; state: string | undefined },
): Status | undefined {
  if (state === 'pending') {
    // The runner is still preparing the job and keeps it.
    job.assignedAt = instance.now();
    return 200;
  }
  const manager = instance.state.managers.find(
    (row) => row.runnerId === job.runnerId && row.systemId === job.systemId,
  );
  if (state !== 'running' || manager === undefined) return 400;
  start(instance, job);
  return undefined;
}

/** Decides whether the log is complete. Only a runner that sends a checksum has to wait. */
function isTraceWhole(instance: Instance, { job, parameters }: Word): boolean {
  const checksum = parameters.object('output')['checksum'] ?? parameters.text('checksum');
  if (checksum === undefined || instance.traces.size(job.id) === 0) return true;
  job.endToldAt ??= instance.now();
  instance.changed();
  return instance.now() - job.endToldAt >= TRACE_WHOLE_AFTER_MS;
}

function finish(
  instance: Instance,
  { job, state, parameters }: Word & { state: 'success' | 'failed' },
): void {
  job.exitCode = parameters.integer('exit_code') ?? null;
  if (job.status === 'canceling') moveTo(instance, job, { status: 'canceled' });
  else if (state === 'success') moveTo(instance, job, { status: 'success' });
  else {
    const failureReason = knownFailureReason(parameters.text('failure_reason'));
    moveTo(instance, job, { status: 'failed', failureReason });
  }
}
