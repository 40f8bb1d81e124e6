import { escapeMarkup } from '../markup.ts';

/** Text that is markup already; only `element` makes it, so that everything else is escaped. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number;

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const empty = new Set(['meta', 'rect', 'line', 'path', 'circle']);

/** One element of HTML or SVG. Numbers are cut to a tenth: nobody sees more of a pixel. */
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
