/** A part of a JSON Schema (draft 2020-12). */
export type Shape = Readonly<Record<string, unknown>>;
type Shapes = Readonly<Record<string, Shape>>;

export const text: Shape = { type: 'string' };
export const whole: Shape = { type: 'integer' };
export const flag: Shape = { type: 'boolean' };
/** Somebody else's: the answer of a port, what a module gives out. */
export const anything: Shape = { description: 'Of any form.' };

export function listOf(items: Shape): Shape {
  return { type: 'array', items };
}

export function oneOf(...values: readonly (string | number)[]): Shape {
  return values.length === 1 ? { const: values[0] } : { enum: values };
}

export function either(...shapes: readonly Shape[]): Shape {
  return { anyOf: shapes };
}

export function orNull(shape: Shape): Shape {
  return either(shape, { type: 'null' });
}

export function mapOf(values: Shape): Shape {
  return { type: 'object', additionalProperties: values };
}

/** Fields that are always there, and those that may be. Readers ignore what they do not know. */
export function object(always: Shapes, sometimes: Shapes = {}): Shape {
  const required = Object.keys(always);
  const properties = { ...always, ...sometimes };
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

export function described(description: string, shape: Shape): Shape {
  return { description, ...shape };
}

/** Of one of several stacks, which it names first. */
export function named(shape: Shape): Shape {
  const { required, properties } = shape as {
    required: string[];
    properties: Record<string, Shape>;
  };
  return {
    ...shape,
    required: ['runner_name', ...required],
    properties: { runner_name: text, ...properties },
  };
}
