import type { Runners } from '@gitbeaker/rest';
import { parseJson } from '../../domain/text/json.ts';
import { refusalOf } from '../transport/answers/refusal.ts';
import { unexpected } from '../transport/answers/shape.ts';
import { mayChange, type TransportAnswer, type TransportRequest } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import type { Redactor } from '../transport/words/redaction.ts';
import { findGround } from './refusal-ground.ts';

type RequesterFunction = NonNullable<
  NonNullable<ConstructorParameters<typeof Runners>[0]>['requesterFn']
>;
type Resource = Parameters<RequesterFunction>[0];
export type Requester = ReturnType<RequesterFunction>;

interface Call {
  readonly method: string;
  readonly endpoint: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * Creates a requester that replaces gitbeaker's own. Gitbeaker's sends a POST again after a 502,
 * ignores Retry-After, follows redirects with the token and keeps the token in its errors.
 */
export function createRequester(
  transport: Transport,
  redactor: Redactor,
  read: ReadAnswer = readAnswer,
): RequesterFunction {
  return (resource) => {
    async function call(called: Call): Promise<never> {
      const request = await buildRequest(resource, called);
      const answer = await transport(request);
      if (answer.status >= 400)
        throw refusalOf(answer, {
          source: request.source,
          path: shortPath(request.url),
          redactor,
          ground: findGround(answer, redactor),
        });
      // The callers check the shape with schemas, so gitbeaker's types do not matter here.
      return read(answer, { request, redactor }) as never;
    }
    const send =
      (method: string) => (endpoint: string, options?: Parameters<Requester['get']>[1]) =>
        call({ method, endpoint, query: options?.searchParams, body: options?.body });
    return {
      get: send('GET'),
      post: send('POST'),
      put: send('PUT'),
      patch: send('PATCH'),
      delete: send('DELETE'),
    };
  };
}

async function buildRequest(resource: Resource, call: Call): Promise<TransportRequest> {
  const url = new URL(
    call.endpoint,
    resource.url.endsWith('/') ? resource.url : `${resource.url}/`,
  );
  for (const [name, value] of entriesOf(call.query)) url.searchParams.append(name, String(value));
  const body = Object.fromEntries(entriesOf(call.body));
  const hasBody = call.method !== 'GET' && Object.keys(body).length > 0;
  const authorization = await Promise.all(
    Object.entries(resource.authHeaders).map(async ([name, read]) => [name, await read()]),
  );
  return {
    method: call.method,
    url,
    source: `GitLab ${call.method} ${shortPath(url)}`,
    headers: {
      accept: 'application/json',
      ...resource.headers,
      ...Object.fromEntries(authorization),
      // The header is also needed without a body: in maintenance mode, GitLab redirects requests
      // that are not JSON.
      ...(call.method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
    ...(isGraphQlQuery(url, body) ? { reads: true } : {}),
  };
}

/** Detects a GraphQL query, which is also sent as POST. A mutation begins with that word. */
function isGraphQlQuery({ pathname }: URL, { query }: Record<string, unknown>): boolean {
  return pathname.endsWith('/api/graphql') && /^\s*(?:query\b|\{)/.test(String(query));
}

/**
 * Translates gitbeaker's names into GitLab's. Only the outermost: the names of inputs belong to the
 * user.
 */
function entriesOf(fields: unknown): [string, unknown][] {
  return Object.entries((fields ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`), value]);
}

function shortPath({ pathname }: URL): string {
  const [, path = pathname] = /\/api(?:\/v4)?(\/.*)$/.exec(pathname) ?? [];
  return decodeURIComponent(path);
}

type ReadAnswer = (
  answer: TransportAnswer,
  context: { request: TransportRequest; redactor: Redactor },
) => { body: unknown; headers: Record<string, string>; status: number };

/** Reads a response with plain text, such as the log of a job. */
export function readText({ status, headers, body }: TransportAnswer): ReturnType<ReadAnswer> {
  return { body, headers: Object.fromEntries(headers.entries()), status };
}

function readAnswer(
  { status, headers, body }: TransportAnswer,
  { request, redactor }: { request: TransportRequest; redactor: Redactor },
): ReturnType<ReadAnswer> {
  const json = body === '' ? null : parseJson(body);
  if (json === undefined) {
    const type = headers.get('content-type') ?? 'no content type';
    const effect = mayChange(request) ? 'unknown' : 'none';
    throw unexpected(`answered ${status} with ${type}, which is not JSON`, {
      source: request.source,
      effect,
      redactor,
    });
  }
  return { body: json, headers: Object.fromEntries(headers.entries()), status };
}
