import { heldShapes, recordedDeployment } from './event-shapes.ts';
import { either, flag, listOf, object, oneOf, orNull, type Shape, text, whole } from './shapes.ts';

const job = object({ id: text, name: text, status: text, url: text }, { started_at: text });

const manager = object(
  { id: whole, version: text, system_id: text },
  { created_at: text, contacted_at: text },
);

const registration = object({
  id: text,
  paused: flag,
  tags: listOf(text),
  contacted: flag,
  managers: listOf(manager),
});

/** A list, or a text that says why it could not be asked. */
function listOrWhy(items: Shape): Shape {
  return either(listOf(items), text);
}

const statusShard = object(
  {
    shard: text,
    role: text,
    service: object(
      { verdict: oneOf('proven', 'closed', 'disproven', 'unknown'), reason: text },
      { missing: text, age_ms: whole },
    ),
    unhealthy_in_a_row: whole,
    registrations: listOrWhy(registration),
    hosts: listOrWhy(object({ id: text, agent: text })),
    endings: listOrWhy(text),
    token_endings: listOf(text),
    jobs: listOf(job),
  },
  { applied_at: text, proven_at: text },
);

const history = listOf(
  object({ id: text, kind: text, candidate: text, finished_at: text }, { cost: text }),
);

export const statusStack = object({
  runner_name: text,
  registry: object({ registry: text, registration: text, managers: text, paused: text }),
  now: text,
  deployment_status: either(
    object({ kind: oneOf('absent') }),
    object({ kind: oneOf('known'), active: text, inactive: text }),
    object({ kind: oneOf('invalid'), reason: text }),
  ),
  deployment: orNull(recordedDeployment),
  ...heldShapes,
  shards: listOf(statusShard),
  history,
});

const limit = { calls: whole, per: oneOf('minute', 'hour') };

/** The calls of this process to one API. */
export const usage = object({
  service: text,
  endpoint: text,
  calls: whole,
  last_minute: whole,
  last_hour: whole,
  throttled: whole,
  limits: listOf(
    either(
      object({ source: oneOf('key'), key: text, ...limit }),
      object({ source: oneOf('response_header', 'default'), ...limit }),
    ),
  ),
  remaining: orNull(object({ calls: whole, of: whole, resets_at: text })),
});
