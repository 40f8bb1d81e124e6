import { z } from 'zod';

/** Fields of a response that a schema reads, at any depth. */
export type Fields =
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Fields> }
  | { readonly kind: 'list'; readonly item: Fields }
  | { readonly kind: 'value' };

/** Returns the fields that any of several readers of a response uses. */
export function fieldsOf(schemas: readonly z.ZodType[]): Fields {
  const all = schemas.map((schema) => {
    // The input of the schema counts, not the transformed output.
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return fieldsIn(shape as JsonSchema);
  });
  return all.reduce(merged, { kind: 'value' });
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

function fieldsIn({ properties, items, anyOf, oneOf, allOf }: JsonSchema): Fields {
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, inner]) => [name, fieldsIn(inner)] as const,
    );
    return { kind: 'object', fields: new Map(fields) };
  }
  if (items !== undefined) return { kind: 'list', item: fieldsIn(items) };
  const choices = anyOf ?? oneOf ?? allOf ?? [];
  return choices.map(fieldsIn).reduce<Fields>(merged, { kind: 'value' });
}

function merged(one: Fields, other: Fields): Fields {
  if (one.kind === 'value') return other;
  if (other.kind === 'value') return one;
  if (one.kind === 'list' && other.kind === 'list') {
    return { kind: 'list', item: merged(one.item, other.item) };
  }
  if (one.kind === 'list' || other.kind === 'list') return one;
  const fields = new Map(one.fields);
  for (const [name, inner] of other.fields) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? inner : merged(before, inner));
  }
  return { kind: 'object', fields };
}
