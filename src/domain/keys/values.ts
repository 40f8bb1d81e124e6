import { formatDuration, parseDuration } from '../text/duration.ts';
import { show } from '../text/show.ts';
import { didYouMean } from '../text/suggestion.ts';

/** Type of a value, used by everything that checks, converts or describes a key. */
export interface Accepts<Value> {
  /** Type to which a variable's or flag's text is converted before the check. */
  readonly type: 'text' | 'number' | 'boolean' | 'words' | 'argv';
  /** Type in the reference. */
  readonly typeText: string;
  /** JSON Schema for editors; it accepts every value that `read` accepts. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  read(value: unknown): Checked<Value>;
}

/** Converted value, or the reasons to refuse it. */
export type Checked<Value = unknown> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

export interface Issue {
  /** Index of the invalid item of a list. */
  readonly item?: number;
  readonly message: string;
}

export function accepted<Value>(value: Value): Checked<Value> {
  return { kind: 'value', value };
}

export function refusedValue(message: string): { kind: 'refused'; issues: readonly Issue[] } {
  return { kind: 'refused', issues: [{ message }] };
}

/** Formats the expected and the found value. */
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

/** Matches up to `most` printable characters. */
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

/** Suggests quotes for a text that YAML parses as a boolean or a number, if they preserve it. */
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
      // By index: a hole in a list is an invalid item.
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

/** Accepts the words of a command, which no shell interprets. */
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

/** @param because reason for the limit, if the value alone does not show it */
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

/** Accepts numbers with a fraction; in a variable without an exponent. */
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

/** Parses `"15m"` into milliseconds. */
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

/** Parses milliseconds, or `none`. */
export function durationOrNone(bounds: DurationBounds): Accepts<number | undefined> {
  const limited = orNone(duration(bounds));
  const pattern = '^(?:none|(?:\\d+(?:ms|s|m|h|d))+)$';
  return { ...limited, jsonSchema: { ...limited.jsonSchema, pattern } };
}

/** Accepts `none` as well, with which a stack removes a value of `defaults`. */
export function orNone<Value>(accepts: Accepts<Value>): Accepts<Value | undefined> {
  return {
    ...accepts,
    read: (value) => (value === 'none' ? accepted(undefined) : accepts.read(value)),
  };
}

/** Converts a value of the file into its setting. */
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
