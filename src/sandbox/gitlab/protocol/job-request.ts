import { type Context, Hono } from 'hono';
import type { Instance } from '../instance.ts';
import { digestOf, newToken } from '../secrets.ts';
import type { Runner } from '../state.ts';
import { assign, start } from '../transitions.ts';
import { jobPayload } from './job-payload.ts';
import { findJobFor } from './matching.ts';
import { authenticateRunner, findManager, heartbeat, LEGACY_SYSTEM_ID } from './runner-token.ts';

const LAST_UPDATE = 'X-GitLab-Last-Update';
/** For so long the front of GitLab answers a runner that has nothing new without asking the rest. */
const QUIET_FOR_MS = 60 * 60 * 1000;

export function jobRequestRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/jobs/request', async (c) => {
    const {
      runner,
      parameters,
      systemId = LEGACY_SYSTEM_ID,
    } = await authenticateRunner(c, instance);
    const isNews = parameters.text('last_update') !== queueValue(instance);
    if (!isNews && heardLately(instance, runner, systemId)) return nothing(c, instance);

    const info = parameters.object('info');
    const manager = heartbeat(instance, runner, { systemId, info });
    runner.creationFinished = true;
    if (runner.paused || !isNews) return nothing(c, instance);

    const job = findJobFor(instance, runner);
    if (job === undefined) return nothing(c, instance);
    const token = newToken(instance.random, 'glcbt-');
    assign(instance, job, { runner, manager, tokenDigest: digestOf(token) });
    // A runner that will not confirm is believed at once.
    if (manager.features['two_phase_job_commit'] !== true) start(instance, job);
    return c.json(jobPayload(instance, { job, runner, token }), 201);
  });

  return app;
}

function queueValue(instance: Instance): string {
  return String(instance.state.queueValue);
}

// This is why `contacted_at` of a healthy idle runner can be an hour old.
function heardLately(instance: Instance, runner: Runner, systemId: string): boolean {
  const heardAt = findManager(instance, runner, systemId)?.contactedAt ?? null;
  return heardAt !== null && instance.now() - heardAt < QUIET_FOR_MS;
}

function nothing(c: Context, instance: Instance): Response {
  c.header(LAST_UPDATE, queueValue(instance));
  return c.body(null, 204);
}
