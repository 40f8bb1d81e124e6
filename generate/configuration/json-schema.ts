import { lockableNames } from '../../src/config/rules/key-locks.ts';
import { type KeyTree, keyTree, type NamedKey } from '../../src/domain/keys/key-table.ts';
import { runnerNamePattern } from '../../src/domain/keys/name-patterns.ts';
import { jsonSchemaId } from '../../src/domain/project.ts';

export const jsonSchemaPath = 'schema/hosted-runners.schema.json';

/**
 * Renders the schema for editors. It accepts everything that hosted-runner accepts. Checks of
 * several keys, such as missing or contradictory ones, are left to hosted-runner.
 */
export function renderJsonSchema(): string {
  const reference = { $ref: '#/definitions/stack' };
  return `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: jsonSchemaId,
      title: 'hosted-runners.yml',
      type: 'object',
      additionalProperties: false,
      required: ['version', 'stacks'],
      properties: {
        version: { const: 1, description: 'Version of this format.' },
        defaults: { ...allOf(reference), description: 'Keys for every stack, merged one by one.' },
        locked: {
          description: 'Keys or sections that variables and flags cannot change.',
          type: ['array', 'null'],
          items: { type: 'string', enum: lockableNames() },
        },
        stacks: {
          description: 'Stacks by their runner_name. A key of a stack replaces the default.',
          type: 'object',
          minProperties: 1,
          additionalProperties: false,
          patternProperties: { [runnerNamePattern.source]: reference },
        },
      },
      definitions: { stack: { ...section(keyTree), description: 'One stack of runners.' } },
    },
    null,
    2,
  )}\n`;
}

/** Wraps the reference: draft 7 ignores everything beside a `$ref`. */
function allOf(reference: { $ref: string }) {
  return { allOf: [reference] };
}

/** Renders a section, which may be empty if all its keys are commented out. */
function section(tree: KeyTree): Readonly<Record<string, unknown>> {
  const properties = [...tree].map(([name, inner]) => [
    name,
    'accepts' in inner ? property(inner) : section(inner),
  ]);
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

function property({ description, otherwise, accepts, ...one }: NamedKey) {
  return {
    description: otherwise === undefined ? description : `${description} Default: ${otherwise}.`,
    ...(one.default === undefined ? {} : { default: one.default }),
    ...accepts.jsonSchema,
  };
}
