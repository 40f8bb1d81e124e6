import type { ReadAnswer } from '../adapters/transport/answers/read-answer.ts';

export interface Route {
  readonly system: 'gitlab' | 'github';
  /** Route such as `/runners/:id/jobs`. */
  readonly pattern: string;
  /** Names of query parameters, with their values if these are keywords of the API. */
  readonly query: Readonly<Record<string, string>>;
}

/** Parameters whose values identify no user or object. */
const keptParameters: ReadonlySet<string> = new Set([
  'event',
  'filter',
  'include_projects',
  'include_retried',
  'order_by',
  'page',
  'per_page',
  'sort',
  'status',
  'type',
]);

/** Returns the route of a request, without any id, name or path. */
export function routeOf(method: string, url: URL, known: KnownRoutes): Route {
  const { system, path } = placeOf(url);
  const segments = path.split('/').filter((segment) => segment !== '');
  const pattern = known[system].find((route) => matches(route, method, segments));
  const words = new Set(known[system].flatMap(({ call }) => call.split(/[ /]/)));
  const masked = segments.map((segment) => (words.has(segment) ? segment : ':id'));
  const query = [...url.searchParams].map(([name, value]) => {
    const isKnown = keptParameters.has(name) && /^[a-z0-9_]{1,40}$/.test(value);
    return [/^[a-z_[\]]{1,40}$/.test(name) ? name : '…', isKnown ? value : '…'];
  });
  return {
    system,
    pattern: pattern?.call.split(' ')[1] ?? `/${masked.join('/')}`,
    query: Object.fromEntries(query),
  };
}

export type KnownRoutes = Readonly<Record<Route['system'], readonly Pick<ReadAnswer, 'call'>[]>>;

function placeOf({ pathname }: URL): { system: Route['system']; path: string } {
  const [, gitlab] = /\/api\/v4(\/.*)?$/.exec(pathname) ?? [];
  if (gitlab !== undefined) return { system: 'gitlab', path: gitlab };
  // GraphQL lies outside the API's path, and only GitLab is queried there.
  if (pathname.endsWith('/api/graphql')) return { system: 'gitlab', path: '/api/graphql' };
  return { system: 'github', path: pathname.replace(/^.*\/api\/v3(?=\/|$)/, '') };
}

/**
 * Matches a route. Literal segments take precedence: `/runners/all` precedes `/runners/:id` in the
 * table.
 */
function matches(
  { call }: Pick<ReadAnswer, 'call'>,
  method: string,
  path: readonly string[],
): boolean {
  const [verb, pattern = ''] = call.split(' ');
  const wanted = pattern.split('/').filter((segment) => segment !== '');
  return (
    verb === method &&
    wanted.length === path.length &&
    wanted.every((segment, index) => segment.startsWith(':') || segment === path[index])
  );
}
