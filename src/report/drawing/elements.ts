import { escapeMarkup } from '../markup.ts';

/** Text that is already markup. Only `element` creates it, and everything else is escaped. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number;

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const empty = new Set(['meta', 'rect', 'line', 'path', 'circle']);

/**
 * Returns one element of HTML or SVG. Numbers are rounded to a tenth of a pixel, below what is
 * visible.
 */
export function element(
  name: string,
  attributes: Attributes,
  content: readonly Content[] = [],
): Markup {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeMarkup(formatValue(value))}"`],
  );
  const open = `<${name}${given.join('')}`;
  if (empty.has(name)) return { markup: name === 'meta' ? `${open}>` : `${open}/>` };
  return { markup: `${open}>${join(content)}</${name}>` };
}

export function join(content: readonly Content[]): string {
  return content
    .map((part) => (isMarkup(part) ? part.markup : escapeMarkup(String(part))))
    .join('');
}

function formatValue(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
}

function isMarkup(part: Content): part is Markup {
  return typeof part === 'object';
}
