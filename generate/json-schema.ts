import { z } from 'zod';
import type { KeyFacts } from '../src/config/keys/key.ts';
import { listLeaves } from '../src/config/keys/leaf.ts';
import { runnerNamePattern } from '../src/config/keys/names.ts';
import { stackSchema } from '../src/config/keys/schema.ts';
import { lockableNames } from '../src/config/rules/locked.ts';

export const jsonSchemaPath = 'schema/hosted-runners.schema.json';

/**
 * What an editor checks while the file is written. It accepts whatever the program accepts, and
 * leaves to the program what needs more than one key: what is missing and what contradicts.
 */
export function renderJsonSchema(): string {
  const stack = z.toJSONSchema(stackSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => adapt(jsonSchema),
  });
  const { $schema, ...definition } = stack;
  const reference = { $ref: '#/definitions/stack' };
  return `${JSON.stringify(
    {
      $schema,
      title: 'hosted-runners.yml',
      type: 'object',
      additionalProperties: false,
      required: ['version', 'stacks'],
      properties: {
        version: { const: 1, description: 'Version of this format.' },
        defaults: { ...allOf(reference), description: 'What every stack starts from, key by key.' },
        locked: {
          description:
            'Keys, or sections of them, that no variable and no flag may change: only this file gives them a value.',
          type: ['array', 'null'],
          items: { type: 'string', enum: lockableNames(listLeaves()) },
        },
        stacks: {
          description: 'The stacks by their runner_name. A key of a stack replaces the default.',
          type: 'object',
          minProperties: 1,
          additionalProperties: false,
          patternProperties: { [runnerNamePattern.source]: reference },
        },
      },
      definitions: { stack: definition },
    },
    null,
    2,
  )}\n`;
}

/** Draft 7 ignores everything beside a `$ref`. */
function allOf(reference: { $ref: string }) {
  return { allOf: [reference] };
}

/** What a schema carries for us and an editor has no use for. */
const ours = ['faces', 'unit', 'otherwise', 'required', 'only', 'compiles', 'bounds'];

function adapt(schema: Record<string, unknown>): void {
  const facts = schema as Partial<Record<keyof KeyFacts, unknown>>;
  if (facts.otherwise !== undefined) {
    schema['description'] = `${String(schema['description'])} Default: ${String(facts.otherwise)}.`;
  }
  for (const name of ours) delete schema[name];
  // A section may be empty while all its keys are commented out.
  if (schema['type'] === 'object') schema['type'] = ['object', 'null'];
}
