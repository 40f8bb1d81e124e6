import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Behaviour } from '../hosts/behaviour.ts';
import type { StackChange } from '../hosts/stacks.ts';
import type { Controlled } from './controlled.ts';
import { ControlRefusal, readBody, toCamelCase, toSnakeCase } from './input.ts';

/** Creates the routes for the shards' infrastructure and the behaviour of their machines. */
export function stackRoutes({ settings, stacks }: Controlled): Hono {
  const app = new Hono();
  app.get('/stacks', (context) => context.json(toSnakeCaseBelow(stacks.list())));
  app.get('/stacks/:runner', (context) =>
    context.json(toSnakeCase(settings.read(placeOf(context)))),
  );
  app.get('/stacks/:runner/:shard', (context) =>
    context.json(toSnakeCase(settings.read(placeOf(context)))),
  );
  for (const path of ['/stacks/:runner', '/stacks/:runner/:shard']) {
    app.put(path, async (context) => {
      settings.change(placeOf(context), await readBody(context, behaviourSchema));
      return context.json(toSnakeCase(settings.read(placeOf(context))));
    });
  }
  app.post('/stacks/:runner/:shard/:verb{apply|destroy}', async (context) => {
    const place = shardOf(context);
    // If the client is killed, the change stops in the middle, like a killed Terraform.
    const signal = context.req.raw.signal;
    const change =
      context.req.param('verb') === 'apply'
        ? await stacks.apply(place, signal)
        : await stacks.destroy(place, signal);
    return context.json(present(place, change), statusOf(change));
  });
  return app;
}

function statusOf({ kind }: StackChange): 200 | 409 | 500 {
  if (kind === 'done') return 200;
  return kind === 'locked' ? 409 : 500;
}

function present(place: { runnerName: string; shard: string }, change: StackChange): object {
  const { kind, ...rest } = change;
  return toSnakeCase({ ...place, outcome: kind, ...rest }) as object;
}

function placeOf(context: Context): { runnerName: string; shard?: string } {
  const runnerName = nameOf(context.req.param('runner'));
  const shard = context.req.param('shard');
  return shard === undefined ? { runnerName } : { runnerName, shard: nameOf(shard) };
}

function shardOf(context: Context): { runnerName: string; shard: string } {
  return {
    runnerName: nameOf(context.req.param('runner')),
    shard: nameOf(context.req.param('shard')),
  };
}

// Checks a name, which becomes part of names in AWS and of keys in the store.
function nameOf(text: string | undefined): string {
  if (text !== undefined && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new ControlRefusal(400, `"${text ?? ''}" is not the name of a stack or shard.`);
}

function toSnakeCaseBelow(list: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(list).map(([key, value]) => [key, toSnakeCase(value)]));
}

const ms = z.number().min(0).max(86_400_000);

const behaviourSchema = z
  .strictObject({
    boot: z.enum([
      'ok',
      'never_contacts',
      'contacts_but_fails_jobs',
      'contacts_but_never_takes_jobs',
      'dies_after_ms',
      'hangs',
    ]),
    boot_delay_ms: ms,
    dies_after_ms: ms,
    hangs_after_ms: ms,
    runner_version: z.string().regex(/^\d+\.\d+(?:\.\d+)?$/),
    log_format: z.enum(['runner', 'text', 'json']),
    job_router: z.boolean(),
    process: z.enum(['docker', 'systemd', 'actions_runner']),
    ephemeral: z.boolean(),
    fails_every: z.int().min(0).max(1000),
    wrapped: z.boolean(),
    restart_policy: z.enum(['always', 'on-failure', 'no']),
    workload: z.enum(['ok', 'broken', 'hangs']),
    health: z.enum(['starting', 'healthy', 'unhealthy']),
    idle_workers: z.int().min(0).max(10_000),
    managers: z.int().min(1).max(10),
    concurrent: z.int().min(1).max(100),
    check_interval_ms: ms.min(10),
    trace_interval_ms: ms.min(10),
    heartbeat_ms: ms.min(10),
    unhealthy_interval_ms: ms,
    revision: z.string(),
    fail_apply_after: z.int().min(0),
    resource_ms: ms,
  })
  .partial()
  .transform(
    (patch) =>
      Object.fromEntries(
        Object.entries(patch).map(([key, value]) => [toCamelCase(key), value]),
      ) as Partial<Behaviour>,
  );
