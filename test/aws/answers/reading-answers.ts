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

/** Documented response of AWS, and the program's interpretation. */
export interface Reading {
  /** Operation with the name of the SDK's method. */
  readonly operation: string;
  /**
   * Complete response: every field that the program requests from the SDK, or that AWS always
   * returns.
   */
  readonly answer: object;
  /**
   * Reads the response with the program's code. Responses of other operations are fixed in the
   * reading.
   */
  readonly read: (answer: object) => unknown;
  /** Formats the result as a short text. */
  readonly format: (read: never) => string;
  readonly is: string;
  /**
   * Results if a field is missing or has an unknown value. Other changes have no effect.
   * A field that a list or a proof depends on must give `unread`, which is neither empty nor gone.
   */
  readonly otherwise: Readonly<Record<string, string>>;
}

/** Returns the interpretation of a response, or `unread`. */
export async function understood({ read, format }: Reading, answer: object): Promise<string> {
  try {
    return format((await read(answer)) as never);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return error.kind === 'unexpected' ? 'unread' : error.kind;
  }
}

/** Wraps a response to report each field that is read, even an absent one. */
export function watched(value: unknown, onRead: (path: string) => void, path = ''): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const isList = Array.isArray(value);
  return new Proxy(value, {
    get: (known, name) => {
      const inner: unknown = Reflect.get(known, name);
      if (typeof name === 'symbol' || typeof inner === 'function') return inner;
      const here = isList ? path : path === '' ? name : `${path}.${name}`;
      if (!isList) onRead(here);
      return watched(inner, onRead, here);
    },
  });
}

/** Lists changes of a value, one at a time: each field missing, and each text unknown. */
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
    // The SDK omits fields that AWS omits, which equals `undefined`.
    if (!Array.isArray(value)) found[`${here} missing`] = put(undefined);
    for (const [change, changed] of Object.entries(changesOf(inner, here)))
      found[change] = put(changed);
  }
  return found;
}

/** Adds an unknown field to every object. */
export function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, withMore(inner)]);
  return { ...Object.fromEntries(fields), Surprise: { Of: ['tomorrow'] } };
}
