import { sanitize } from './sanitize.ts';

const mostCharacters = 4000;

/**
 * Removes secrets, escapes and workflow commands from every text of a value. It runs at the end of
 * a run, when the redactor knows all secrets.
 */
export function scrub<Value>(value: Value, redact: (text: string) => string): Value {
  return walk(value, (text) => redact(sanitize(redact(text), mostCharacters))) as Value;
}

function walk(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((entry) => walk(entry, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, walk(entry, clean)]),
  );
}
