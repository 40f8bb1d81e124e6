declare const valueType: unique symbol;

/** Part of a JSON Schema (draft 2020-12), with the type of the accepted values. */
export interface JsonShape<Value = unknown> extends Readonly<Record<string, unknown>> {
  readonly [valueType]?: Value;
}
type Shapes = Readonly<Record<string, JsonShape>>;

export type ShapeValue<One> = One extends { readonly [valueType]?: infer Value } ? Value : never;
type Fields<Given extends Shapes> = { readonly [Name in keyof Given]: ShapeValue<Given[Name]> };

export const textShape: JsonShape<string> = { type: 'string' };
export const wholeShape: JsonShape<number> = { type: 'integer' };
export const flagShape: JsonShape<boolean> = { type: 'boolean' };
/** Value from another system: a port's response, or the outputs of a module. */
export const anything: JsonShape = { description: 'Any value.' };

export function listOf<Value>(items: JsonShape<Value>): JsonShape<readonly Value[]> {
  return { type: 'array', items };
}

export function oneOf<const Value extends string | number>(
  ...values: readonly Value[]
): JsonShape<Value> {
  return values.length === 1 ? { const: values[0] } : { enum: values };
}

export function either<Each extends readonly JsonShape[]>(
  ...shapes: Each
): JsonShape<ShapeValue<Each[number]>> {
  return { anyOf: shapes };
}

export function orNull<Value>(shape: JsonShape<Value>): JsonShape<Value | null> {
  return { anyOf: [shape, { type: 'null' }] };
}

export function mapOf(values: JsonShape): JsonShape {
  return { type: 'object', additionalProperties: values };
}

/** Describes required and optional fields. Readers ignore unknown fields. */
export function object<Always extends Shapes, Sometimes extends Shapes = Record<never, JsonShape>>(
  always: Always,
  sometimes?: Sometimes,
): JsonShape<Fields<Always> & Partial<Fields<Sometimes>>> {
  const required = Object.keys(always);
  const properties = { ...always, ...sometimes };
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

export function described(description: string, shape: JsonShape): JsonShape {
  return { description, ...shape };
}

/** Adds the name of the stack as the first field, for output of several stacks. */
export function named(shape: JsonShape): JsonShape {
  const { required, properties } = shape as {
    required: string[];
    properties: Record<string, JsonShape>;
  };
  return {
    ...shape,
    required: ['runner_name', ...required],
    properties: { runner_name: textShape, ...properties },
  };
}
