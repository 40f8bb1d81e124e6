import { formatDuration, parseDuration } from '../text/duration.ts';
import { show } from '../text/show.ts';
import { didYouMean } from '../text/suggestion.ts';

/** A kind of value: whoever checks, converts or describes a key has it from here. */
export interface Accepts<Value> {
  /** What the text of a variable or flag is turned into before it is read. */
  readonly type: 'text' | 'number' | 'boolean' | 'words' | 'argv';
  /** In the words of the reference. */
  readonly typeText: string;
  /** As an editor checks it; it accepts whatever `read` accepts. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  read(value: unknown): Checked<Value>;
}

/** What a value is turned into, or why it is refused. */
export type Checked<Value = unknown> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

export interface Issue {
  /** The index in a list, where the item is at fault. */
  readonly item?: number;
  readonly message: string;
}

export function accepted<Value>(value: Value): Checked<Value> {
  return { kind: 'value', value };
}

export function refusedValue(message: string): { kind: 'refused'; issues: readonly Issue[] } {
  return { kind: 'refused', issues: [{ message }] };
}

/** What was expected, and what was seen. */
export function expected(what: string, value: unknown, because = '') {
  return refusedValue(`expected ${what}, found ${show(value)}${because}`);
}

interface Limit {
  readonly least?: number;
  readonly most?: number;
  readonly refusal: string;
}

function isWithin({ length }: { readonly length: number }, { least = 0, most = length }: Limit) {
  return length >= least && length <= most;
}

/** So many characters that all can be seen. */
export function printableText(most: number): RegExp {
  return new RegExp(`^[^\\u0000-\\u001f\\u007f-\\u009f]{1,${most}}$`);
}

export function text(what: string, pattern: RegExp, limit?: Limit): Accepts<string> {
  return {
    type: 'text',
    typeText: 'text',
    jsonSchema: {
      type: 'string',
      ...(limit?.most === undefined ? {} : { maxLength: limit.most }),
      pattern: pattern.source,
    },
    read(value) {
      if (typeof value !== 'string' || !pattern.test(value))
        return expected(what, value, withoutQuotes(value, pattern));
      return limit === undefined || isWithin(value, limit)
        ? accepted(value)
        : refusedValue(limit.refusal);
    },
  };
}

/** What YAML reads as a boolean or a number, where that is as it was typed. */
function withoutQuotes(value: unknown, pattern: RegExp): string {
  const isOther = typeof value === 'boolean' || typeof value === 'number';
  return isOther && pattern.test(String(value)) ? `; in quotes it is text: "${value}"` : '';
}

export function list<Item>(
  what: string,
  item: Accepts<Item>,
  ...limits: readonly Limit[]
): Accepts<readonly Item[]> {
  return {
    type: 'words',
    typeText: 'list of words',
    jsonSchema: {
      type: 'array',
      ...Object.assign(
        {},
        ...limits.map(({ least, most }) => ({
          ...(least === undefined ? {} : { minItems: least }),
          ...(most === undefined ? {} : { maxItems: most }),
        })),
      ),
      items: item.jsonSchema,
    },
    read(value) {
      if (!Array.isArray(value)) return expected(what, value);
      // By index: a hole in a list is no item.
      const items = Array.from(value, (one: unknown) => item.read(one));
      const issues = [
        ...items.flatMap((one, index) =>
          one.kind === 'value' ? [] : one.issues.map(({ message }) => ({ item: index, message })),
        ),
        ...limits.flatMap((limit) => (isWithin(value, limit) ? [] : [{ message: limit.refusal }])),
      ];
      if (issues.length > 0) return { kind: 'refused', issues };
      return accepted(items.flatMap((one) => (one.kind === 'value' ? [one.value] : [])));
    },
  };
}

/** The words of a command; no shell reads them. */
export function argv(what: string, word: Accepts<string>): Accepts<readonly string[]> {
  const words = list(
    what,
    word,
    { least: 1, refusal: 'expected a command of at least one word, found an empty list' },
    { most: 200, refusal: 'expected a command of at most 200 words' },
  );
  return { ...words, type: 'argv', typeText: 'command' };
}

export function flag(): Accepts<boolean> {
  return {
    type: 'boolean',
    typeText: '`true`, `false`',
    jsonSchema: { type: 'boolean' },
    read: (value) =>
      typeof value === 'boolean' ? accepted(value) : expected('true or false', value),
  };
}

/** @param because why there is an end, where the value alone does not tell */
export function whole(
  what: string,
  { min, max, because }: { min: number; max: number; because?: string },
): Accepts<number> {
  const reason = because === undefined ? '' : ` (${because})`;
  return {
    type: 'number',
    typeText: `${min} to ${max}`,
    jsonSchema: { type: 'integer', minimum: min, maximum: max },
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
        ? accepted(value)
        : expected(`${what} from ${min} to ${max}${reason}`, value),
  };
}

/** Also with a fraction; in a variable without an exponent. */
export function decimal(what: string, { min, max }: { min: number; max: number }): Accepts<number> {
  return {
    type: 'number',
    typeText: `${min} to ${max}`,
    jsonSchema: { type: 'number', minimum: min, maximum: max },
    read: (value) =>
      typeof value === 'number' && value >= min && value <= max
        ? accepted(value)
        : expected(`${what} from ${min} to ${max}`, value),
  };
}

export function choice<const Option extends string>(options: readonly Option[]): Accepts<Option> {
  return {
    type: 'text',
    typeText: options.map((option) => `\`${option}\``).join(', '),
    jsonSchema: { type: 'string', enum: options },
    read(value) {
      const found = options.find((option) => option === value);
      if (found !== undefined) return accepted(found);
      const meant = typeof value === 'string' ? didYouMean(value, options) : '';
      return expected(`one of ${options.join(', ')}`, value, meant);
    },
  };
}

interface DurationBounds {
  readonly min: string;
  readonly max: string;
}

const longestDuration = 32;

/** Milliseconds out of `"15m"`. */
export function duration(bounds: DurationBounds): Accepts<number> {
  const pattern = /^(?:\d+(?:ms|s|m|h|d))+$/;
  return {
    type: 'text',
    typeText: 'duration',
    jsonSchema: { type: 'string', maxLength: longestDuration, pattern: pattern.source },
    read(value) {
      if (typeof value !== 'string' || value.length > longestDuration || !pattern.test(value)) {
        const because = isBareNumber(value) ? ': the unit is missing (ms, s, m, h or d)' : '';
        return expected('a duration such as "90s", "15m" or "1h30m"', value, because);
      }
      return within(value, bounds);
    },
  };
}

function isBareNumber(value: unknown): boolean {
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return isScalar && /^\d+$/.test(String(value));
}

/** Milliseconds, or `none`. */
export function durationOrNone(bounds: DurationBounds): Accepts<number | undefined> {
  const limited = orNone(duration(bounds));
  const pattern = '^(?:none|(?:\\d+(?:ms|s|m|h|d))+)$';
  return { ...limited, jsonSchema: { ...limited.jsonSchema, pattern } };
}

/** `none` is no value, so that a stack can take back what `defaults` gives. */
export function orNone<Value>(accepts: Accepts<Value>): Accepts<Value | undefined> {
  return {
    ...accepts,
    read: (value) => (value === 'none' ? accepted(undefined) : accepts.read(value)),
  };
}

/** A value as the settings have it, from the one that the file writes. */
export function converted<Value, Setting>(
  accepts: Accepts<Value>,
  into: (value: Value) => Setting,
): Accepts<Setting> {
  return {
    ...accepts,
    read(value) {
      const checked = accepts.read(value);
      return checked.kind === 'value' ? accepted(into(checked.value)) : checked;
    },
  };
}

function within(value: string, { min, max }: DurationBounds): Checked<number> {
  const milliseconds = parseDuration(value) ?? Number.POSITIVE_INFINITY;
  const isFine =
    milliseconds >= (parseDuration(min) ?? 0) && milliseconds <= (parseDuration(max) ?? 0);
  if (isFine) return accepted(milliseconds);
  const isLong = Number.isFinite(milliseconds) && milliseconds >= 1000;
  const because = isLong ? ` (${formatDuration(milliseconds)})` : '';
  return expected(`a duration from ${min} to ${max}`, value, because);
}
