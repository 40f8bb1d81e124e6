import { Hono } from 'hono';
import { z } from 'zod';
import type { Controlled } from './controlled.ts';
import { ControlRefusal, readBody, toSnakeCase } from './input.ts';

/** Creates the routes for machines and their failures. */
export function instanceRoutes({ fleet }: Controlled): Hono {
  const app = new Hono();
  app.get('/instances', (context) => context.json(presentInstances(fleet)));
  app.get('/processes', (context) => context.json(presentProcesses(fleet)));
  app.post('/instances/:id/terminate', async (context) => {
    const { abrupt } = await readBody(context, terminateSchema);
    const id = knownId(context.req.param('id'));
    await fleet.terminate(id, { abrupt });
    return context.body(null, 204);
  });
  app.post('/instances/:id/:act', async (context) => {
    const id = knownId(context.req.param('id'));
    const name = context.req.param('act');
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (act === undefined) throw new ControlRefusal(404, `Nothing is called "${name}" here.`);
    if (await act(id)) return context.body(null, 204);
    throw new ControlRefusal(409, `${id} is ${fleet.find(id)?.state}: no "${name}".`);
  });

  function knownId(id: string): string {
    if (fleet.find(id) === undefined) throw new ControlRefusal(404, `There is no instance ${id}.`);
    return id;
  }

  const acts: Readonly<Record<string, (id: string) => boolean | Promise<boolean>>> = {
    stop: (id) => fleet.stop(id),
    start: (id) => fleet.start(id),
    'lose-agent': (id) => fleet.setAgent(id, 'lost'),
    'deafen-agent': (id) => fleet.setAgent(id, 'deaf'),
    'restore-agent': (id) => fleet.setAgent(id, 'online'),
    protect: (id) => fleet.protect(id),
    unprotect: (id) => fleet.protect(id, false),
    'kill-manager': (id) => fleet.killManager(id),
    hang: (id) => fleet.hang(id),
  };
  return app;
}

export function presentInstances(fleet: Controlled['fleet']): object[] {
  return fleet.list().map((instance) => {
    const unit = fleet.machine(instance.id)?.unit;
    const { tags, ...fields } = instance;
    const manager = unit && {
      running: unit.isRunning,
      pid: unit.pid ?? null,
      port: unit.port ?? null,
      exit_code: unit.exitCode ?? null,
      restarts: unit.restarts,
      restart_policy: unit.restartPolicy,
      contacted_at: unit.contactedAt ?? null,
    };
    return { ...(toSnakeCase(fields) as object), tags, manager: manager ?? null };
  });
}

export function presentProcesses(fleet: Controlled['fleet']): object[] {
  return fleet.list().flatMap(({ id }) => {
    const pid = fleet.machine(id)?.unit?.pid;
    return pid === undefined ? [] : [{ instance_id: id, kind: 'runner_manager', pid }];
  });
}

const terminateSchema = z.strictObject({ abrupt: z.boolean().default(false) });
