import { Hono } from 'hono';
import { z } from 'zod';
import type { QueryAnswer, WebhookAnswer } from '../signals/signals.ts';
import type { Controlled } from './controlled.ts';
import { ControlRefusal, readBody, toSnakeCase } from './input.ts';

/** Creates the routes for Prometheus, CloudWatch alarms and the webhook. */
export function signalRoutes({ signals }: Controlled): Hono {
  const app = new Hono();
  app.get('/signals', (context) =>
    context.json({
      queries: signals.queries(),
      alarms: signals.alarms().map(toSnakeCase),
      webhook: signals.webhook(),
      asked: signals.webhookRequests(),
    }),
  );
  app.put('/signals/queries', async (context) => {
    const { query, says: value, series, incomplete } = await readBody(context, querySchema);
    signals.setQuery(query, queryAnswer(value, series, incomplete));
    return context.body(null, 204);
  });
  app.put('/signals/alarms', async (context) => {
    const { alarm: name, says: value, kind, reason } = await readBody(context, alarmSchema);
    if (value === 'none') {
      if (!signals.removeAlarm(name)) throw new ControlRefusal(404, `There is no alarm "${name}".`);
    } else {
      signals.setAlarm({ name, kind, state: value, reason: reason ?? `state ${value} was set` });
    }
    return context.body(null, 204);
  });
  app.put('/signals/webhook', async (context) => {
    const { says: value, body } = await readBody(context, webhookSchema);
    signals.setWebhook(webhookAnswer(value, body));
    return context.body(null, 204);
  });
  return app;
}

const number = /^[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Inf)$|^NaN$/;

const words: readonly string[] = ['none', 'silent', 'malformed', 'refused'];

const querySchema = z.strictObject({
  query: z.string().min(1),
  says: z
    .string()
    .refine((word) => number.test(word) || words.includes(word), {
      error: `expected a number, NaN, +Inf, ${words.join(', ')}`,
    })
    .default('none'),
  series: z
    .array(
      z.strictObject({ metric: z.record(z.string(), z.string()), value: z.string().regex(number) }),
    )
    .optional(),
  incomplete: z.boolean().default(false),
});

function queryAnswer(
  value: string,
  series: Extract<QueryAnswer, { kind: 'series' }>['series'] | undefined,
  incomplete: boolean,
): QueryAnswer {
  if (value === 'silent' || value === 'malformed' || value === 'refused') return { kind: value };
  const one = value === 'none' ? [] : [{ metric: {}, value }];
  return { kind: 'series', series: series ?? one, incomplete };
}

const alarmSchema = z.strictObject({
  alarm: z.string().min(1).max(255),
  says: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA', 'none']),
  kind: z.enum(['metric', 'composite', 'log']).default('metric'),
  reason: z.string().optional(),
});

const webhookSchema = z.strictObject({
  says: z.string().regex(/^(?:[2-5]\d\d|silent|malformed)$/, {
    error: 'expected a status from 200 to 599, `silent` or `malformed`',
  }),
  body: z.string().default(''),
});

function webhookAnswer(value: string, body: string): WebhookAnswer {
  if (value === 'silent' || value === 'malformed') return { kind: value };
  return { kind: 'status', status: Number(value), body };
}
