import type { z } from 'zod';
import { PortFailure } from '../../../ports/failure.ts';
import { quote } from '../words/quote.ts';
import type { Redactor } from '../words/redaction.ts';

export interface Origin {
  readonly source: string;
  readonly effect: 'none' | 'unknown';
  readonly redactor: Redactor;
}

/**
 * Returns the value if it has the documented shape. Otherwise throws a failure that names the first
 * field.
 */
export function readShape<T>(schema: z.ZodType<T>, value: unknown, origin: Origin): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  const where = path.length === 0 ? 'the response' : path.join('.');
  throw unexpected(
    `${where} is ${show(valueAt(value, path))}, which this version does not support: ${issue?.message ?? 'not as documented'}`,
    origin,
  );
}

export function unexpected(detail: string, { source, effect, redactor }: Origin): PortFailure {
  return new PortFailure({ kind: 'unexpected', effect, source, detail: quote(detail, redactor) });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = (inner as Record<PropertyKey, unknown>)[key];
  }
  return inner;
}

// Shows a value, but never a whole object: an unknown field may contain a token.
function show(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  // The mark of the cut stays: redaction recognizes the beginning of a secret by it.
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
