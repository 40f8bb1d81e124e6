import type { Context } from 'hono';
import { badParameter } from './refusal.ts';

const PER_PAGE_DEFAULT = 20;
const PER_PAGE_MAX = 100;

interface Window {
  page: number;
  perPage: number;
}

/** Returns one page of `items` with GitLab's headers. `count: false` omits the totals. */
export function answerPage<T>(
  c: Context,
  {
    items,
    present,
    baseUrl,
    count = true,
  }: {
    items: readonly T[];
    present: (item: T) => unknown;
    baseUrl: string;
    count?: boolean;
  },
): Response {
  const { page, perPage } = readWindow(c);
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  const next = page < lastPage ? page + 1 : undefined;
  const previous = page > 1 ? page - 1 : undefined;
  c.header('x-page', String(page));
  c.header('x-per-page', String(perPage));
  c.header('x-next-page', next === undefined ? '' : String(next));
  c.header('x-prev-page', previous === undefined ? '' : String(previous));
  if (count) {
    c.header('x-total', String(items.length));
    c.header('x-total-pages', String(lastPage));
  }
  const links: [string, number | undefined][] = [
    ['prev', previous],
    ['next', next],
    ['first', 1],
    ['last', count ? lastPage : undefined],
  ];
  c.header(
    'link',
    links
      .flatMap(([rel, target]) =>
        target === undefined
          ? []
          : [link(c, baseUrl, rel, { page: String(target), per_page: String(perPage) })],
      )
      .join(', '),
  );
  return c.json(items.slice((page - 1) * perPage, page * perPage).map(present));
}

/** Returns a keyset page. It has only a `Link` to the next page, and no numbers. */
export function answerKeyset<T extends { id: number }>(
  c: Context,
  {
    items,
    present,
    baseUrl,
    descending,
  }: {
    items: readonly T[];
    present: (item: T) => unknown;
    baseUrl: string;
    descending: boolean;
  },
): Response {
  const { perPage } = readWindow(c);
  const cursor = c.req.query('cursor');
  const start =
    cursor === undefined || cursor === '' ? 0 : positionAfter(items, cursor, descending);
  const shown = items.slice(start, start + perPage);
  const last = shown.at(-1);
  if (last !== undefined && start + perPage < items.length) {
    const next = Buffer.from(JSON.stringify({ id: String(last.id), _kd: 'n' })).toString(
      'base64url',
    );
    c.header('link', link(c, baseUrl, 'next', { cursor: next, per_page: String(perPage) }));
  }
  return c.json(shown.map(present));
}

function readWindow(c: Context): Window {
  return {
    page: positive(c.req.query('page'), 'page') ?? 1,
    perPage: Math.min(
      positive(c.req.query('per_page'), 'per_page') ?? PER_PAGE_DEFAULT,
      PER_PAGE_MAX,
    ),
  };
}

function positive(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw badParameter(`${name} is invalid`);
  if (name === 'per_page' && Number(text) === 0)
    throw badParameter('per_page has a value not allowed');
  return Math.max(1, Number(text));
}

function positionAfter(
  items: readonly { id: number }[],
  cursor: string,
  descending: boolean,
): number {
  let id: number;
  try {
    id = Number(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')).id);
  } catch {
    throw badParameter('cursor is invalid');
  }
  const position = items.findIndex((item) => (descending ? item.id < id : item.id > id));
  return position === -1 ? items.length : position;
}

function link(c: Context, baseUrl: string, rel: string, changes: Record<string, string>): string {
  const url = new URL(c.req.url);
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return `<${baseUrl}${url.pathname}${url.search}>; rel="${rel}"`;
}
