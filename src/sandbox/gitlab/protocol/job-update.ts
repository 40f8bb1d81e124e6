import { Hono } from 'hono';
import type { Instance } from '../instance.ts';
import { type Parameters, readParameters } from '../parameters.ts';
import type { Job } from '../state.ts';
import { isAssigned, moveTo, start } from '../transitions.ts';
import { knownFailureReason } from './failure-reasons.ts';
import { authenticateJob, describeJob, noteContact } from './job-token.ts';

const STATES = ['pending', 'running', 'success', 'failed'] as const;

export function jobUpdateRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.put('/jobs/:id{[0-9]+}', async (c) => {
    const parameters = await readParameters(c);
    const job = authenticateJob(c, instance, parameters.text('token'));
    const state = parameters.choice('state', STATES);
    applyState(instance, { job, state, parameters });
    noteContact(instance, job, parameters.object('info'));
    describeJob(c, job);
    // The checksum of the trace is taken on trust, so nothing has to be sent again.
    return c.json({ status: job.status }, 200);
  });

  return app;
}

function applyState(
  instance: Instance,
  {
    job,
    state,
    parameters,
  }: {
    job: Job;
    state: (typeof STATES)[number] | undefined;
    parameters: Parameters;
  },
): void {
  const now = instance.now();
  job.updatedAt = now;
  if (state === 'pending') {
    // The runner is still getting ready and keeps its claim.
    if (isAssigned(job)) job.assignedAt = now;
    return;
  }
  if (state === undefined) return;
  if (isAssigned(job)) start(instance, job);
  if (state === 'success' || state === 'failed') finish(instance, { job, state, parameters });
}

function finish(
  instance: Instance,
  { job, state, parameters }: { job: Job; state: 'success' | 'failed'; parameters: Parameters },
): void {
  job.exitCode = parameters.integer('exit_code') ?? null;
  if (job.status === 'canceling') moveTo(instance, job, { status: 'canceled' });
  else if (state === 'success') moveTo(instance, job, { status: 'success' });
  else {
    const failureReason = knownFailureReason(parameters.text('failure_reason'));
    moveTo(instance, job, { status: 'failed', failureReason });
  }
}
