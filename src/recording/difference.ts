import type { KnownAnswers } from './answer-knowledge.ts';
import { maskRefusal } from './refusal-mask.ts';

export interface Answered {
  readonly status: number;
  readonly answer: unknown;
}

/** Lists the differences of a response from the known ones of its version. */
export function differencesOf(
  { status, answer }: Answered,
  known: KnownAnswers,
  vocabulary: ReadonlySet<string>,
): readonly string[] {
  if (status >= 300)
    return isKnown({ status, answer }, known, vocabulary)
      ? []
      : ['this version is not known to refuse in this way'];
  const { good, goodStatus, unlike } = known;
  if (unlike !== undefined)
    return [
      ...(status === goodStatus ? [] : [`${status} instead of ${goodStatus}`]),
      ...unlike(answer),
    ];
  if (good === undefined || goodStatus === undefined)
    return ['this version is not known to have this endpoint'];
  const inStatus = status === goodStatus ? [] : [`${status} instead of ${goodStatus}`];
  const items = [answer].flat().filter(isObject);
  if (items.length === 0 || good.size === 0) return inStatus;
  return [...inStatus, ...fieldsThatDiffer(items, good)];
}

function fieldsThatDiffer(
  items: readonly Readonly<Record<string, unknown>>[],
  good: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const names = new Set(items.flatMap(Object.keys));
  const more = [...names].filter((name) => !good.has(name));
  const less = [...good.keys()].filter((name) => !names.has(name));
  const others = [...names].flatMap((name) => {
    const types = good.get(name) ?? [];
    const seen = new Set(items.flatMap((item) => (name in item ? [typeOf(item[name])] : [])));
    const strange = [...seen].filter((type) => type !== 'null' && !types.includes(type));
    // A null in the data proves nothing about other types of the field.
    if (strange.length === 0 || types.every((type) => type === 'null')) return [];
    return [`${name} is ${strange.join(', ')} instead of ${types.join(' or ')}`];
  });
  return [
    ...(more.length === 0 ? [] : [`more fields: ${more.join(', ')}`]),
    ...(less.length === 0 ? [] : [`fewer fields: ${less.join(', ')}`]),
    ...others,
  ];
}

function isKnown(
  { status, answer }: Answered,
  { refusals }: KnownAnswers,
  vocabulary: ReadonlySet<string>,
): boolean {
  const text = JSON.stringify(answer ?? '');
  return refusals.some((one) => {
    if (one.status !== status) return false;
    const answerText = JSON.stringify(one.body).replace(/<[^>]*>|\.\.\./g, '\u0000');
    const parts = answerText.split('\u0000').map((part) => part.trim());
    // The data has a placeholder, and the recording has masked text in its place.
    if (parts.length > 1) return inTurn(text, parts);
    return text === JSON.stringify(maskRefusal(one.body, vocabulary));
  });
}

function inTurn(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return true;
}

/**
 * Returns the type of a value. A recording contains only the type of a field that no schema reads:
 * `<number>`.
 */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  const [, type] = /^<(number|boolean|object|list)\b[^>]*>$/.exec(value) ?? [];
  return type ?? 'string';
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
