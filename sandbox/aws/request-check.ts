import type { Form } from './form.ts';
import type { Body } from './operation.ts';
import { AwsRefusal } from './refusal.ts';
import { type Limit, limitsOf } from './request-limits.ts';

/** Refuses a JSON request with a value that AWS's own check refuses before the operation. */
export function checkBody(operation: string, body: Body): void {
  checkValues(operation, body, 'ValidationException');
}

/** Refuses such a request of the query protocol, which contains texts only. */
export function checkForm(operation: string, form: Form): void {
  const names = Object.keys(limitsOf[operation] ?? {}).map((path) => path.replace(/\[.*/, ''));
  const readValue = (name: string) =>
    form.list(name).length > 0 ? form.list(name) : form.text(name);
  const body = Object.fromEntries(names.map((name) => [name, readValue(name)]));
  checkValues(operation, body, 'ValidationError');
}

function checkValues(operation: string, body: Body, code: string): void {
  for (const [path, limit] of Object.entries(limitsOf[operation] ?? {}))
    for (const value of valuesAt(body, path.split('.'))) {
      refuseType(value, limit, code);
      const broken = constraintOf(value, limit);
      if (broken === undefined) continue;
      const shown = typeof value === 'object' || value === undefined ? '' : ` '${value}'`;
      const member = path.replaceAll('[]', '').replace(/(^|\.)[A-Z]/g, (one) => one.toLowerCase());
      throw new AwsRefusal(
        code,
        `1 validation error detected: Value${value === undefined ? ' null' : shown} at '${member}' failed to satisfy constraint: Member must ${broken}`,
      );
    }
}

/** Returns each value at a path. Without entries of a list, there is none. */
function valuesAt(value: unknown, [step = '', ...rest]: readonly string[]): readonly unknown[] {
  const parent = typeof value === 'object' && value !== null ? (value as Body) : {};
  const key = step.replace('[]', '');
  const found = parent[key];
  const entries = key === step ? [found] : Array.isArray(found) ? found : [];
  return rest.length === 0 ? entries : entries.flatMap((entry) => valuesAt(entry, rest));
}

/** AWS's JSON protocol converts no types. */
function refuseType(value: unknown, limit: Limit, code: string): void {
  if (value === undefined || code === 'ValidationError') return;
  const isNumber = typeof value === 'number';
  if (limit.range !== undefined && !isNumber)
    throw new AwsRefusal(
      'SerializationException',
      'STRING_VALUE can not be converted to an Integer',
    );
  if (limit.range === undefined && isNumber)
    throw new AwsRefusal('SerializationException', 'NUMBER_VALUE can not be converted to a String');
}

function constraintOf(value: unknown, limit: Limit): string | undefined {
  if (value === undefined) return limit.isRequired ? 'not be null' : undefined;
  const { length: [short, long] = unlimited, range: [low, high] = unlimited } = limit;
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : short;
  if (size < short) return `have length greater than or equal to ${short}`;
  if (size > long) return `have length less than or equal to ${long}`;
  const number = limit.range === undefined ? low : Number(value);
  if (!(number >= low)) return `have value greater than or equal to ${low}`;
  if (number > high) return `have value less than or equal to ${high}`;
  const { pattern, oneOf } = limit;
  if (pattern !== undefined && !pattern.test(String(value)))
    return `satisfy regular expression pattern: ${pattern.source}`;
  if (oneOf !== undefined && !oneOf.includes(String(value)))
    return `satisfy enum value set: [${oneOf.join(', ')}]`;
  return undefined;
}

const unlimited = [0, Number.POSITIVE_INFINITY] as const;
