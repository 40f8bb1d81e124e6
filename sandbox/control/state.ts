import { Hono } from 'hono';
import { z } from 'zod';
import { parseDuration } from '../../src/domain/text/duration.ts';
import type { Controlled } from './controlled.ts';
import { ControlRefusal, readBody, toSnakeCase } from './input.ts';
import { presentInstances, presentProcesses } from './instances.ts';

/** Creates the routes for the whole state and the time. */
export function stateRoutes(world: Controlled): Hono {
  const { clock, gitlab, fleet, stacks, faults, address } = world;
  const app = new Hono();
  app.get('/state', (context) => {
    gitlab.tick();
    return context.json({
      now: new Date(clock.now()).toISOString(),
      gitlab_url: address.url,
      ssm_url: address.ssmUrl,
      folder: address.folder,
      stacks: Object.fromEntries(
        Object.entries(stacks.list()).map(([name, resources]) => [name, resources.length]),
      ),
      instances: presentInstances(fleet),
      processes: presentProcesses(fleet),
      runners: toSnakeCase(gitlab.runners()),
      jobs: countJobs(gitlab.jobs().map(({ status }) => status)),
      faults: faults.list().length,
    });
  });
  app.post('/clock', async (context) => {
    const { advance } = await readBody(context, clockSchema);
    const ms = parseDuration(advance);
    if (ms === undefined)
      throw new ControlRefusal(400, `"${advance}" is not a duration such as "30d".`);
    clock.advance(ms);
    gitlab.tick();
    return context.json({ now: new Date(clock.now()).toISOString() });
  });
  return app;
}

function countJobs(statuses: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const clockSchema = z.strictObject({ advance: z.string() });
