import { type Context, Hono } from 'hono';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import type { Instance } from '../instance.ts';
import { ensureQueueValue, queueValue } from '../jobs/queue.ts';
import { assign, start } from '../jobs/transitions.ts';
import { digestOf, newToken } from '../secrets.ts';
import type { Runner } from '../state.ts';
import { jobPayload } from './job-payload.ts';
import { findJobFor } from './matching.ts';
import { authenticateRunner, findRunner, heartbeat, refuseOrphan } from './runner-token.ts';

const LAST_UPDATE = 'X-GitLab-Last-Update';

export function jobRequestRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/jobs/request', async (c) => {
    const held = await holdWhileQuiet(c, instance);
    if (held !== undefined) return held;

    const { runner, parameters, systemId } = await authenticateRunner(c, instance);
    refuseOrphan(instance, runner);
    const info = parameters.object('info');
    const manager = heartbeat(instance, runner, { systemId, info });
    if (runner.paused || !isNews(instance, runner, parameters)) return nothing(c, instance, runner);

    const job = findJobFor(instance, runner);
    if (job === undefined) return nothing(c, instance, runner);
    const token = newToken(instance.random, 'glcbt-');
    assign(instance, job, { runner, manager, tokenDigest: digestOf(token) });
    // Without two-phase commit on both sides, the job starts at once.
    const { twoPhaseCommit } = instance.features;
    if (!twoPhaseCommit || manager.features['two_phase_job_commit'] !== true) start(instance, job);
    return c.json(jobPayload(instance, { job, runner, token }), 201);
  });

  return app;
}

/**
 * Holds requests like Workhorse, in front of GitLab. A runner that sends the newest value of its
 * queue waits for the next one. Its response has no header, and GitLab itself does not see the
 * request. For this reason, `contacted_at` of a healthy idle runner may be an hour old.
 */
async function holdWhileQuiet(c: Context, instance: Instance): Promise<Response | undefined> {
  if (!instance.waiting.isOn) return undefined;
  const parameters = await readParameters(c);
  const runner = findRunner(instance, parameters.text('token') ?? '');
  if (runner === undefined || isNews(instance, runner, parameters)) return undefined;
  await instance.waiting.hold(runner.id, c.req.raw.signal);
  return c.body(null, 204);
}

function isNews(instance: Instance, runner: Runner, parameters: Parameters): boolean {
  const known = parameters.text('last_update');
  return known === undefined || known === '' || known !== queueValue(instance, runner);
}

function nothing(c: Context, instance: Instance, runner: Runner): Response {
  c.header(LAST_UPDATE, ensureQueueValue(instance, runner));
  return c.body(null, 204);
}
