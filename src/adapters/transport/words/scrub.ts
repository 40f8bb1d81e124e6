import { sanitize } from './sanitize.ts';

const mostCharacters = 4000;

/**
 * Every text of a value without secrets, escapes and workflow commands. At the end of a run and not
 * when a line is collected: by then every secret of the run is known to the redactor.
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
