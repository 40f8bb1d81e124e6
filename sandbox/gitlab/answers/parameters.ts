import type { Context } from 'hono';
import { badParameter } from './refusal.ts';

/** Query and body of a request, as GitLab reads them. The body takes precedence. */
export class Parameters {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Record<string, unknown>) {
    this.values = values;
  }

  has(name: string): boolean {
    return this.values[name] !== undefined && this.values[name] !== null;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') throw badParameter(`${name} is invalid`);
    return String(value);
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw badParameter(`${name} is missing`);
    if (value === '') throw badParameter(`${name} is empty`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw badParameter(`${name} is invalid`);
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    if (!/^-?\d{1,15}$/.test(value)) throw badParameter(`${name} is invalid`);
    return Number(value);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw badParameter(`${name} does not have a valid value`);
    return found;
  }

  /** Returns a list from an array or from text with commas. */
  list(name: string): string[] | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    const items = Array.isArray(value) ? value : String(value).split(',');
    if (items.some((item) => typeof item === 'object')) throw badParameter(`${name} is invalid`);
    return items.map((item) => String(item).trim()).filter((item) => item !== '');
  }

  object(name: string): Record<string, unknown> {
    const value = this.values[name];
    if (value === undefined || value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) throw badParameter(`${name} is invalid`);
    return value as Record<string, unknown>;
  }
}

export async function readParameters(c: Context): Promise<Parameters> {
  return new Parameters({ ...readQuery(c).values, ...(await readBody(c)) });
}

export function readQuery(c: Context): Parameters {
  return new Parameters(foldPairs(new URL(c.req.url).searchParams.entries()));
}

async function readBody(c: Context): Promise<Record<string, unknown>> {
  const type = c.req.header('content-type') ?? '';
  if (type.includes('form')) {
    const form = await c.req.formData();
    return foldPairs(
      [...form.entries()].filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
  }
  const text = await c.req.text();
  if (text.trim() === '' || (type !== '' && !type.includes('json'))) return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>;
    }
  } catch {
    // The code below returns GitLab's message.
  }
  throw badParameter('The request body is invalid JSON');
}

// Parses pairs: `scope[]=a&scope[]=b` is a list, `inputs[tag]=x` an object.
function foldPairs(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of pairs) {
    const nested = /^([^[]+)\[([^\]]+)\]$/.exec(name);
    if (name.endsWith('[]')) {
      const list = name.slice(0, -2);
      values[list] = [...((values[list] as unknown[] | undefined) ?? []), value];
    } else if (nested?.[1] !== undefined && nested[2] !== undefined) {
      values[nested[1]] = { ...(values[nested[1]] as object | undefined), [nested[2]]: value };
    } else values[name] = value;
  }
  return values;
}
