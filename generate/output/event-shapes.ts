import { allPhases } from '../../src/domain/deployment/stages-and-steps.ts';
import { brokenWhys } from '../../src/domain/deployment/tally.ts';
import { findingCodes } from '../../src/domain/doctor/catalogue.ts';
import { evidenceKinds } from '../../src/domain/health/evidence.ts';
import {
  anything,
  described,
  either,
  flagShape as flag,
  listOf,
  mapOf,
  object,
  oneOf,
  orNull,
  type JsonShape as Shape,
  textShape as text,
  wholeShape as whole,
} from '../../src/domain/output/json-shape.ts';

const phase = oneOf(...allPhases);
const known = either(whole, oneOf('unknown'));

export const errorShape = object(
  { code: text, message: text, why: listOf(text), fix: listOf(text), ref: text },
  { now: text },
);

/** Result of one of several stacks. */
export const exitShape = object({ runner_name: text, exit_code: whole }, { error: errorShape });

const counts = {
  jobs_finished: known,
  jobs_broken: known,
  broken: listOf(object({ id: text, why: oneOf(...brokenWhys) }, { url: text })),
  longest_wait_seconds: known,
  two_shards_seconds: known,
};
const areAtLeast = { jobs_finished_at_least: flag, jobs_broken_at_least: flag };
const costShape = object(counts, areAtLeast);

const limit = object({ ms: whole, from: text, by: text, job: text });

const tallyShape = object(
  {
    since: text,
    seen: listOf(text),
    seen_beyond: whole,
    hidden: flag,
    settled: flag,
    broken: listOf(object({ id: text, why: oneOf(...brokenWhys) }, { url: text })),
    broken_beyond: whole,
  },
  { longest_wait_ms: whole, expected_at: text, timeout: limit, force_after: limit },
);

const evidence = object({
  kind: oneOf(...evidenceKinds),
  state: oneOf('good', 'missing', 'bad', 'unknown'),
  detail: text,
  source: text,
  at: text,
});

const service = object(
  { kind: oneOf('proven', 'closed', 'disproven', 'unknown'), reason: text },
  {
    age_ms: whole,
    absent: flag,
    missing: text,
    open: flag,
    against: flag,
    passing: flag,
    ended: flag,
  },
);

const view = object(
  { id: text, kind: text, candidate: text, phase, phase_at: text, started_at: text },
  {
    retiring: text,
    pipeline_url: text,
    registration: text,
    canary: text,
    expected_at: text,
    cost: costShape,
  },
);

const stack = object({
  runner_name: text,
  runners: oneOf('gitlab', 'github'),
  shards: listOf(text),
  parameter_prefix: text,
  tags: listOf(text),
  run_untagged: flag,
  host_access: text,
  evidence: mapOf(oneOf('required', 'optional', 'off')),
  evidence_max_age_ms: whole,
  poll_of_runner_ms: whole,
  may_kill_jobs: flag,
});

/** Form of a job, a worker or a verdict: named fields and others. */
const open = { type: 'object', additionalProperties: true };

export const contradictionShape = object({
  about: text,
  says: listOf(object({ who: text, what: text })),
});

const guard = { guard: text, outcome: oneOf('passed', 'refused', 'unanswered') };
const call = { c: whole, call: text, effect: flag };

/** Fields of each kind, in addition to those of every line. */
const kinds: Readonly<Record<string, readonly [always: Fields, sometimes?: Fields]>> = {
  run: [
    {
      schema: whole,
      program: text,
      command: text,
      deployment: text,
      pipeline_created_at: text,
      ci: text,
      job: text,
      by: text,
      stack,
    },
    { pipeline_url: text, own_registration: text, deadline: text },
  ],
  resumed: [{ deployment: text, pipeline_created_at: text }],
  begin: [{ c: whole, call: text, args: listOf(anything) }],
  call: [
    { ...call, outcome: oneOf('answered', 'rejected') },
    {
      args: listOf(anything),
      answer: anything,
      same_as: whole,
      failure: text,
      effect_unknown: flag,
      error: text,
    },
  ],
  said: [{ how: oneOf('act', 'warning', 'wait'), text }],
  step: [{ step: text, phase }],
  status: [{}, { active: text }],
  record: [{ how: oneOf('read', 'written'), deployment: view }],
  guard: [guard, { code: text, exit_code: whole, detail: text }],
  evidence: [{ shard: text, verdict: text, evidence: listOf(evidence) }],
  service: [{ shard: text, service }],
  drain: [{ shard: text, judgement: { ...object({ kind: text, reason: text }), ...open } }],
  bake: [
    {
      shard: text,
      verdict: oneOf('watching', 'healthy', 'unhealthy', 'inconclusive'),
      reason: text,
      wanted: whole,
    },
    { finished: whole },
  ],
  drained: [{ shard: text, tally: tallyShape }],
  removal: [{ shard: text, judgement: { ...object({ kind: text }), ...open } }],
  cost: [{ deployment: text, ...counts }, areAtLeast],
  token_stored: [{ registration: text }],
  doctor: [
    {
      findings: listOf(
        object({ code: oneOf(...findingCodes), seen: text, commands: listOf(text) }),
      ),
      contradictions: listOf(contradictionShape),
    },
  ],
  gitlab: [{ outcome: text }, { version: text, enterprise: flag, ahead_ms: whole, detail: text }],
  silence: [{ side: text, ms: whole }],
  http_repetition: [{ source: text, attempts: whole, after_ms: whole, told: flag }],
  end: [
    { schema: whole, outcome: oneOf('done', 'nothing', 'error'), exit_code: whole },
    { summary: listOf(text), reason: text, error: errorShape },
  ],
};

type Fields = Readonly<Record<string, Shape>>;

/** Line of the event file, and of `--json` of a long-running command. */
export const eventShape: Shape = described('One event per line; the last one has the kind end.', {
  oneOf: Object.entries(kinds).map(([kind, [always, sometimes = {}]]) =>
    object({ at: text, ms: whole, run: text, n: whole, kind: oneOf(kind), ...always }, sometimes),
  ),
});

export const recordedDeployment: Shape = object(
  {
    id: text,
    kind: text,
    pipeline_created_at: text,
    by: text,
    candidate: text,
    phase,
    phase_at: text,
    started_at: text,
  },
  {
    pipeline_url: text,
    retiring: text,
    status_version: whole,
    tally: object({ two_shards_ms: whole }, { two_shards_since: text, drain: tallyShape }),
    closed_at: text,
    closed_by_other: flag,
    pause_unanswered_at: text,
    stopping_at: text,
    bake: object(
      { since: text, for_ms: whole, until: text },
      {
        ended: object({
          verdict: oneOf('healthy', 'unhealthy', 'inconclusive'),
          at: text,
          why: text,
        }),
      },
    ),
    takes_back: object({ id: text, at: text, why: text }),
    reopened: object({ times: whole, at: text, why: text }),
    fingerprint: object({ settings: text }, { plan: text, images: text, commit: text }),
  },
);

/** Actors that block a stack: the lock holder, and the operator of a hold. */
export const heldShapes = {
  lock: orNull(
    object(
      { by: text, state: oneOf('at_work', 'ended', 'not_known'), reason: text },
      { stopped_pid: whole, deployment: text, job: text, since: text },
    ),
  ),
  hold: orNull(object({ who: text, why: text, since: text })),
};
