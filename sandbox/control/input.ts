import type { Context } from 'hono';
import { z } from 'zod';

export class ControlRefusal extends Error {
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** The request's JSON held against its schema; no body is an empty one. */
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
  throw new ControlRefusal(400, `"${text}" is no number.`);
}

/** `runnerName` in our words is `runner_name` on every surface. */
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
