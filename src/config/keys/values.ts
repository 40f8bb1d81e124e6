import { z } from 'zod';
import { formatDuration, parseDuration } from '../../domain/duration.ts';
import { show } from '../show.ts';
import { didYouMean } from '../suggestion.ts';

/** The text of a refusal: what was expected, and what was seen. */
function expected(what: string, explain: (value: unknown) => string = () => '') {
  return {
    error: (issue: { readonly input?: unknown }) =>
      `expected ${what}, found ${show(issue.input)}${explain(issue.input)}`,
  };
}

export function words(what: string, pattern: RegExp) {
  return z.string(expected(what)).regex(pattern, expected(what));
}

export function list<Item extends z.ZodType>(what: string, item: Item) {
  return z.array(item, expected(what));
}

export function flag() {
  return z.boolean(expected('true or false'));
}

export function whole(what: string, { min, max }: { min: number; max: number }) {
  const expectation = expected(`${what} from ${min} to ${max}`);
  return z.int(expectation).min(min, expectation).max(max, expectation);
}

export function choice<const Options extends readonly [string, ...string[]]>(
  options: Options,
  explain: (value: unknown) => string = (value) =>
    typeof value === 'string' ? didYouMean(value, options) : '',
) {
  const what = options.length === 1 ? `"${options[0]}"` : `one of ${options.join(', ')}`;
  return z.enum(options, expected(what, explain));
}

interface DurationBounds {
  readonly min: string;
  readonly max: string;
}

/** Milliseconds out of `"15m"`. */
export function duration(bounds: DurationBounds) {
  return durationText(/^(?:\d+(?:ms|s|m|h|d))+$/)
    .transform((text, context) => within({ text, bounds, context }))
    .meta({ compiles: 'duration', bounds });
}

/** Milliseconds, or `none` so that a stack can take back what `defaults` limits. */
export function durationOrNone(bounds: DurationBounds) {
  return durationText(/^(?:none|(?:\d+(?:ms|s|m|h|d))+)$/)
    .transform((text, context) =>
      text === 'none' ? ('none' as const) : within({ text, bounds, context }),
    )
    .meta({ compiles: 'duration', bounds });
}

function durationText(pattern: RegExp) {
  const expectation = expected('a duration such as "90s", "15m" or "1h30m"', (value) =>
    /^\d+$/.test(String(value)) ? ': the unit is missing (ms, s, m, h or d)' : '',
  );
  return z.string(expectation).max(32, expectation).regex(pattern, expectation);
}

function within({
  text,
  bounds,
  context,
}: {
  text: string;
  bounds: DurationBounds;
  context: z.core.$RefinementCtx<unknown>;
}): number {
  const milliseconds = parseDuration(text) ?? Number.POSITIVE_INFINITY;
  const [min, max] = [parseDuration(bounds.min) ?? 0, parseDuration(bounds.max) ?? 0];
  if (milliseconds >= min && milliseconds <= max) return milliseconds;
  const long = Number.isFinite(milliseconds) ? ` (${formatDuration(milliseconds)})` : '';
  context.addIssue({
    code: 'custom',
    message: `expected a duration from ${bounds.min} to ${bounds.max}, found ${show(text)}${milliseconds < 1000 ? '' : long}`,
  });
  return z.NEVER;
}
