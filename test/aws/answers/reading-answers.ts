import type { StackShard } from '../../../src/domain/shard.ts';
import { isPortFailure } from '../../../src/ports/failure.ts';

export const pink = { runnerName: 'linux', shard: 'pink' } as StackShard;
export const keys = { stackTag: 'stack', shardTag: 'shard' };
export const instanceId = 'i-0123456789abcdef0';
export const at = new Date('2026-11-02T08:00:00.000Z');
export const ourTags = [
  { Key: 'stack', Value: 'linux' },
  { Key: 'shard', Value: 'pink' },
];

export const kindOf = ({ kind }: { kind: string }) => kind;

/** One answer of AWS as its documentation has it, read as the program reads it. */
export interface Reading {
  /** The operation, as the SDK's client calls it. */
  readonly operation: string;
  /** Whole: with every field that the program asks the SDK for, or that AWS always gives. */
  readonly answer: object;
  /** Answered by this; what other operations say beside it is the reading's own. */
  readonly read: (answer: object) => unknown;
  /** What was understood, in a word. */
  readonly tell: (read: never) => string;
  readonly is: string;
  /**
   * What is understood where a field is missing or has another word; with all others it is the same.
   * Whatever a list or a proof rests on has to be `unread`: it is neither empty nor gone then.
   */
  readonly otherwise: Readonly<Record<string, string>>;
}

/** What is understood of an answer, or `unread`. */
export async function understood({ read, tell }: Reading, answer: object): Promise<string> {
  try {
    return tell((await read(answer)) as never);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return error.kind === 'unexpected' ? 'unread' : error.kind;
  }
}

/** The same answer, and which of its fields are looked at, whether they are there or not. */
export function watched(value: unknown, look: (path: string) => void, path = ''): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const isList = Array.isArray(value);
  return new Proxy(value, {
    get: (known, name) => {
      const inner: unknown = Reflect.get(known, name);
      if (typeof name === 'symbol' || typeof inner === 'function') return inner;
      const here = isList ? path : path === '' ? name : `${path}.${name}`;
      if (!isList) look(here);
      return watched(inner, look, here);
    },
  });
}

/** Each field of each object missing, and each word another one: one change at a time. */
export function changesOf(value: unknown, path = ''): Readonly<Record<string, unknown>> {
  if (typeof value === 'string') return { [`${path} another word`]: 'Surprise' };
  if (typeof value !== 'object' || value === null || value instanceof Date) return {};
  const found: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    const put = (changed: unknown) => {
      if (Array.isArray(value))
        return value.map((one, nth) => (String(nth) === key ? changed : one));
      return { ...value, [key]: changed };
    };
    // The SDK leaves out what AWS leaves out; `undefined` is the same to everybody.
    if (!Array.isArray(value)) found[`${here} missing`] = put(undefined);
    for (const [change, changed] of Object.entries(changesOf(inner, here)))
      found[change] = put(changed);
  }
  return found;
}

/** A field that nobody knows, in every object. */
export function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, withMore(inner)]);
  return { ...Object.fromEntries(fields), Surprise: { Of: ['tomorrow'] } };
}
