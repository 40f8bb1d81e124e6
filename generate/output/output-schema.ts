import { findingCodes } from '../../src/domain/doctor/catalogue.ts';
import {
  described,
  listOf,
  named,
  object,
  oneOf,
  orNull,
  type JsonShape as Shape,
  textShape as text,
  wholeShape as whole,
} from '../../src/domain/output/json-shape.ts';
import { outputSchema } from '../../src/domain/output-schema.ts';
import {
  contradictionShape,
  errorShape,
  eventShape,
  exitShape,
  heldShapes,
  recordedDeployment,
} from './event-shapes.ts';
import { statusStack, usage } from './status-shapes.ts';

const schema = oneOf(outputSchema);
const shards = listOf(text);
const ofStack = named(errorShape);
const failures = { errors: listOf(ofStack) };

const rows = Object.fromEntries(
  [
    'shard',
    'status',
    'record',
    'registration',
    'managers',
    'jobs',
    'infrastructure',
    'instances',
    'hosts',
    'leftovers',
    'token',
  ].map((name) => [name, text]),
);

const doctorStack = object(
  {
    runner_name: text,
    now: text,
    deployment: orNull(recordedDeployment),
    hold: heldShapes.hold,
    lock: orNull({ type: 'object', additionalProperties: true }),
    owner: orNull(object({ kind: text, reason: text })),
    shards: listOf(object(rows)),
    contradictions: listOf(contradictionShape),
    findings: listOf(
      object(
        {
          code: oneOf(...findingCodes),
          title: text,
          seen: text,
          because: text,
          commands: listOf(text),
        },
        { by_hand: text, repair: text },
      ),
    ),
    causes: listOf(object({ code: text, title: text, seen: text, time: text })),
  },
  { logs: listOf(object({ shard: text, host: text, lines: listOf(text) })) },
);

const documents: Readonly<Record<string, Shape>> = {
  event: eventShape,
  refusal: described(
    'A command that was refused or failed, if no event reports it.',
    object({ schema, error: errorShape }),
  ),
  status: described(
    'hosted-runner status. One line for each check with --watch. api: only with --api.',
    object(
      { schema, stacks: listOf(statusStack), ...failures },
      { error: ofStack, api: listOf(usage) },
    ),
  ),
  doctor: described(
    'hosted-runner doctor.',
    object({ schema, stacks: listOf(doctorStack), ...failures }, { error: ofStack }),
  ),
  finalize_all: described(
    'The last line of hosted-runner finalize --all, after the events of the stacks.',
    object({ schema, stacks: listOf(exitShape) }),
  ),
  endpoint: described(
    'hosted-runner healthcheck --once --listen.',
    object({ schema, runner_name: text, message: text }),
  ),
  validate: described(
    'hosted-runner validate; online only with --online.',
    object(
      {
        schema,
        path: text,
        stacks: listOf(
          object({
            runner_name: text,
            runners: oneOf('gitlab', 'github'),
            shards,
            gitlab_url: text,
            tags: listOf(text),
            canary: text,
            healthcheck_timeout_ms: whole,
            drain_timeout_ms: orNull(whole),
          }),
        ),
        warnings: listOf(text),
      },
      { online: object({ stacks: listOf(exitShape) }) },
    ),
  ),
  explain: described(
    'hosted-runner explain: one page, or all pages.',
    object({ schema, pages: listOf(object({ code: text, text, ref: text })) }),
  ),
  verify: described(
    'hosted-runner verify.',
    object({
      schema,
      findings: listOf(
        object({
          invariant: text,
          outcome: oneOf('held', 'violated', 'not_decidable'),
          reasons: listOf(text),
        }),
      ),
      runs: whole,
      lines: whole,
      damage: listOf(text),
    }),
  ),
  replay: described(
    'hosted-runner replay.',
    object({
      schema,
      runs: whole,
      versions: listOf(text),
      answers: listOf(
        object(
          {
            line: whole,
            call: text,
            outcome: oneOf('read', 'unread', 'refused', 'not_asked', 'failed'),
            detail: text,
            differences: listOf(text),
          },
          { status: whole, version: text, against: text },
        ),
      ),
      damage: listOf(text),
    }),
  ),
  init: described(
    'hosted-runner init.',
    object({
      schema,
      path: text,
      files: listOf(text),
      stacks: listOf(text),
      ci: oneOf('gitlab', 'github'),
      findings: listOf(text),
      fill_in: listOf(object({ path: text, line: whole, content: text })),
      snippet: text,
    }),
  ),
  version: described('hosted-runner version.', object({ schema, version: text })),
};

/** Renders the schema of `--json` and of the event file for other programs. */
export function renderOutputSchema(): string {
  return `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Output of hosted-runner with --json, and lines of its evidence file',
      anyOf: Object.keys(documents).map((name) => ({ $ref: `#/$defs/${name}` })),
      $defs: documents,
    },
    undefined,
    2,
  )}\n`;
}
