import type { Context } from 'hono';
import { z } from 'zod';

export class ControlRefusal extends Error {
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** Parses the request's JSON with a schema. A missing body counts as empty. */
export async function readBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await context.req.text();
  const result = schema.safeParse(parse(text === '' ? '{}' : text));
  if (result.success) return result.data;
  throw new ControlRefusal(400, z.prettifyError(result.error));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlRefusal(400, 'The body is not JSON.');
  }
}

export function readNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ControlRefusal(400, `"${text}" is not a number.`);
}

/** Converts names: `runnerName` in code is `runner_name` in every interface. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(own),
    ]),
  );
}

export function toCamelCase(text: string): string {
  return text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
