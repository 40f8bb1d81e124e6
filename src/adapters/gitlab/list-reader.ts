import type { z } from 'zod';
import { type Origin, readShape, unexpected } from '../transport/answers/shape.ts';
import type { GitLabClient } from './gitlab-client.ts';

export interface Listing<T extends { readonly id: number }> {
  /** Path relative to `/api/v4/`. */
  readonly endpoint: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly item: z.ZodType<T>;
}

/** Items per page, GitLab's maximum. A page with fewer items is the last one. */
export const perPage = 100;
const maxPages = 200;
const readings = 3;

/**
 * Reads all items of a list, or rejects. Pages shift if items are added or removed meanwhile. If
 * the pages do not match each other, the list is read again from the start.
 */
export async function listAll<T extends { readonly id: number }>(
  client: GitLabClient,
  listing: Listing<T>,
): Promise<readonly T[]> {
  const origin = originOf(client, listing.endpoint);
  for (let reading = 1; ; reading += 1) {
    const result = await readPages(client, listing, origin);
    if (result.kind === 'complete') return result.items;
    if (reading === readings || result.isTooLong === true)
      throw unexpected(`the list is incomplete: ${result.gap}`, origin);
  }
}

/** Reads only the first page, for lists whose newest items matter. */
export async function listNewest<T extends { readonly id: number }>(
  client: GitLabClient,
  { endpoint, query, item }: Listing<T>,
): Promise<readonly T[]> {
  const { body } = await client.raw.get(endpoint, {
    searchParams: { ...query, per_page: perPage, page: 1 },
  });
  return readShape(item.array(), body, originOf(client, endpoint));
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Size of the whole list. Absent above 10,000 rows. */
  readonly total: number | undefined;
  readonly isLast: boolean;
  /** Whether GitLab reports that this page contains the whole list. */
  readonly isAll: boolean;
}

/** Reads one page of a list that is not needed completely. */
export async function readPage<T extends { readonly id: number }>(
  client: GitLabClient,
  { endpoint, query, item }: Listing<T>,
  page = 1,
): Promise<Page<T>> {
  const { body, headers } = await client.raw.get(endpoint, {
    searchParams: { ...query, per_page: perPage, page },
  });
  const items = readShape(item.array(), body, originOf(client, endpoint));
  const total = /^\d+$/.test(headers['x-total'] ?? '') ? Number(headers['x-total']) : undefined;
  const isEnd = headers['x-next-page'] === '';
  const isAll = page === 1 && isEnd && (total === undefined || total === items.length);
  return { items, total, isLast: isEnd || items.length < perPage, isAll };
}

type Reading<T> =
  | { readonly kind: 'complete'; readonly items: readonly T[] }
  | { readonly kind: 'incomplete'; readonly gap: string; readonly isTooLong?: boolean };

async function readPages<T extends { readonly id: number }>(
  client: GitLabClient,
  listing: Listing<T>,
  origin: Origin,
): Promise<Reading<T>> {
  const items: T[] = [];
  for (let page = 1; page <= maxPages; ) {
    const { body, headers } = await client.raw.get(listing.endpoint, {
      searchParams: { ...listing.query, per_page: perPage, page },
    });
    const found = readShape(listing.item.array(), body, origin);
    items.push(...found);
    const gap = findGap({ count: items.length, found: found.length, page, headers });
    if (gap !== undefined) return { kind: 'incomplete', gap };
    if (headers['x-next-page'] === '') return whole(items);
    page = Number(headers['x-next-page']);
  }
  // A second read would be as long.
  return { kind: 'incomplete', gap: `it has more than ${maxPages} pages`, isTooLong: true };
}

/** Returns why the pages so far do not match each other. Undefined if they do. */
function findGap(seen: {
  count: number;
  found: number;
  page: number;
  headers: Record<string, string>;
}): string | undefined {
  const { count, found, page, headers } = seen;
  const next = headers['x-next-page'];
  if (next === undefined) return `page ${page} does not report whether another page follows`;
  if (next !== '' && Number(next) !== page + 1) return `page ${page} is followed by ${next}`;
  const size = Number(headers['x-per-page'] ?? perPage);
  if (next !== '' && found < size) return `page ${page} has ${found} items instead of ${size}`;
  // Absent above 10,000 rows, and for filters that make counting expensive.
  const total = headers['x-total'];
  if (next !== '' || total === undefined || Number(total) === count) return undefined;
  return `${count} items were listed and ${total} counted`;
}

function whole<T extends { readonly id: number }>(items: readonly T[]): Reading<T> {
  if (new Set(items.map((item) => item.id)).size === items.length) {
    return { kind: 'complete', items };
  }
  return { kind: 'incomplete', gap: 'an item was listed twice' };
}

/** Reads one response in its documented shape. */
export async function readOne<T>(
  client: GitLabClient,
  endpoint: string,
  { schema, query = {} }: { schema: z.ZodType<T>; query?: Readonly<Record<string, unknown>> },
): Promise<T> {
  const { body } = await client.raw.get(endpoint, { searchParams: query });
  return readShape(schema, body, originOf(client, endpoint));
}

function originOf(client: GitLabClient, endpoint: string): Origin {
  const source = `GitLab GET /${decodeURIComponent(endpoint)}`;
  return { source, effect: 'none', redactor: client.redactor };
}
