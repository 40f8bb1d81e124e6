import { retiredToken } from '../../domain/deployment/retired-token.ts';

/** Parameters that hold what people may read; of all others, tokens among them, no value is shown. */
const readable = /\/deployment_(status|record|lock|hold)$/;
/** Lines of a host's log belong to customers, and are long. */
const leftOut = new Set(['log']);
const secret = new Set(['token', 'password', 'secret_access_key', 'session_token']);
const mostCharacters = 5000;

/** What the evidence file says of a call: everything but secrets, whatever the redactor knows. */
export function shownCall(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const args = event['args'] as readonly unknown[] | undefined;
  const hidden = String(event['call']).startsWith('parameters.') && !readable.test(nameIn(args));
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, shownValue(value, hidden)]),
  );
}

function nameIn(args: readonly unknown[] | undefined): string {
  const first = args?.[0];
  if (typeof first === 'string') return first;
  const name = (first as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

export function shownValue(value: unknown, hidesValues = false): unknown {
  if (typeof value === 'string')
    return value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value;
  if (value instanceof Error) return shownValue(`${value.name}: ${value.message}`);
  if (Array.isArray(value)) return value.map((entry) => shownValue(entry, hidesValues));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, entry]) => {
    if (leftOut.has(key)) return [];
    const hides = secret.has(key) || (hidesValues && key === 'value' && entry !== retiredToken);
    return [[key, hides && entry !== undefined ? '(not shown)' : shownValue(entry, hidesValues)]];
  });
  return Object.fromEntries(entries);
}
