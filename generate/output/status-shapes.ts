import {
  either,
  listOf,
  object,
  oneOf,
  orNull,
  textShape as text,
  wholeShape as whole,
} from '../../src/domain/output/json-shape.ts';
import { shardReport } from '../../src/operator/shard-report.ts';
import { heldShapes, recordedDeployment } from './event-shapes.ts';

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
  active_since: orNull(text),
  finding: orNull(object({ code: text, title: text, seen: text, next: text })),
  unanswered: listOf(text),
  deployment: orNull(recordedDeployment),
  ...heldShapes,
  shards: listOf(shardReport),
  history,
});

const limit = { calls: whole, per: oneOf('minute', 'hour') };

/** Calls of this process to one API. */
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
