import { Hono } from 'hono';
import { z } from 'zod';
import type { Fault } from '../faults.ts';
import type { Controlled } from './controlled.ts';
import { ControlRefusal, readBody } from './input.ts';

export function faultRoutes({ faults }: Controlled): Hono {
  const app = new Hono();
  app.get('/faults', (context) => context.json(faults.list().map(present)));
  app.post('/faults', async (context) => {
    const fault = await readBody(context, faultSchema);
    const id = fault.id ?? nextId(faults.list());
    try {
      faults.add({ ...fault, id } as Fault);
    } catch (error) {
      throw new ControlRefusal(400, (error as Error).message);
    }
    return context.json({ id }, 201);
  });
  app.delete('/faults', (context) => {
    faults.clear();
    return context.body(null, 204);
  });
  app.delete('/faults/:id', (context) => {
    const id = context.req.param('id');
    if (!faults.remove(id)) throw new ControlRefusal(404, `There is no fault "${id}".`);
    return context.body(null, 204);
  });
  return app;
}

function nextId(known: readonly Fault[]): string {
  const numbers = known.map(({ id }) => Number(/^fault-(\d+)$/.exec(id)?.[1] ?? 0));
  return `fault-${Math.max(0, ...numbers) + 1}`;
}

function present({ effect, ...fault }: Fault): unknown {
  if (effect.kind !== 'status') return { ...fault, effect };
  const { retryAfterSeconds, ...rest } = effect;
  return {
    ...fault,
    effect: {
      ...rest,
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
  };
}

const ms = z.number().min(0).max(3_600_000);

const effectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms }),
  z
    .strictObject({
      kind: z.literal('status'),
      status: z.int().min(400).max(599),
      retry_after_seconds: z.number().min(0).optional(),
      body: z.string().optional(),
    })
    .transform(({ retry_after_seconds: retryAfterSeconds, ...rest }) => ({
      ...rest,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })),
  z.strictObject({ kind: z.literal('reset_before') }),
  z.strictObject({ kind: z.literal('reset_after') }),
  z.strictObject({ kind: z.literal('stale'), ms }),
  z.strictObject({ kind: z.literal('lose_race') }),
  z.strictObject({ kind: z.literal('late_removal') }),
  z.strictObject({ kind: z.literal('maintenance') }),
  z.strictObject({ kind: z.literal('migrations') }),
  z.strictObject({ kind: z.literal('read_only'), bounded: z.boolean() }),
]);

const faultSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional(),
  service: z.enum(['gitlab', 'github', 'runner', 'ssm']),
  match: z
    .strictObject({
      method: z.string().optional(),
      path: z.string().optional(),
      operation: z.string().optional(),
    })
    .optional(),
  effect: effectSchema,
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
});
