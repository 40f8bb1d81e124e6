import {
  createGitLabClient,
  type GitLabClient,
} from '../../../src/adapters/gitlab/gitlab-client.ts';
import type { Transport } from '../../../src/adapters/transport/transport.ts';
import { createTestTransport } from '../../transport/fake-server.ts';
import type { VirtualClock } from '../../transport/virtual-clock.ts';
import { token } from '../scripted-gitlab.ts';
import { endpointsOf, type KnownAnswer } from './known-answers.ts';

/** Responses by route. A list is used in turn, and its last entry repeats. */
export type Overrides = Readonly<Record<string, KnownAnswer | readonly KnownAnswer[]>>;

export interface AnsweringGitLab {
  readonly client: GitLabClient;
  readonly transport: Transport;
  readonly clock: VirtualClock;
  /** Requests as `METHOD /path`. */
  readonly sent: readonly string[];
}

/**
 * Creates a GitLab of a version that has one of everything, as in the data. An override names a
 * route (`GET /runners/:id`) or one path of it (`GET /runners/48214`). The path takes precedence.
 */
export function createAnsweringGitLab(version: string, overrides: Overrides): AnsweringGitLab {
  const routes = routesOf(version);
  const sent: string[] = [];
  const { transport, clock, redactor } = createTestTransport(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const call = `${request.method} ${decodeURIComponent(pathname.replace('/api/v4', ''))}`;
    const route = routes.find(({ pattern }) => pattern.test(call));
    const turn = sent.filter((each) => each === call).length;
    sent.push(call);
    const given = overrides[call] ?? overrides[route?.call ?? ''] ?? route?.success;
    if (given === undefined) return responseOf({ status: 404, body: { error: '404 Not Found' } });
    const answers = [given].flat();
    const answer = answers[Math.min(turn, answers.length - 1)] as KnownAnswer;
    return responseOf(filtered(concrete(answer, version), searchParams.get('status')));
  });
  const url = 'https://gitlab.example.com';
  const client = createGitLabClient({ url, token, transport, redactor });
  return { client, transport, clock, sent };
}

function routesOf(version: string) {
  return (
    endpointsOf(version)
      .filter(({ success }) => success !== undefined)
      .flatMap(({ call, success }) =>
        [call, ...(twins[call] ?? [])].map((one) => ({ call: one, success })),
      )
      // `runners/all` must come before `runners/:id`.
      .toSorted((one, other) => one.call.split(':').length - other.call.split(':').length)
      .map(({ call, success }) => ({
        call,
        success,
        pattern: new RegExp(`^${call.replace(/:\w+/g, '[^/]+(?:/app)?')}$`),
      }))
  );
}

/** Routes with the same responses as another route of the data. */
const twins: Readonly<Record<string, readonly string[]>> = {
  'GET /groups/:id/members/all/:user_id': ['GET /projects/:id/members/all/:user_id'],
};

/** Removes jobs in other states than `?status=`. */
function filtered(answer: KnownAnswer, status: string | null): KnownAnswer {
  const { body, headers = {} } = answer;
  if (status === null || !Array.isArray(body)) return answer;
  const left = body.filter((each) => (each as { status?: unknown }).status === status);
  return { ...answer, body: left, headers: { ...headers, 'x-total': String(left.length) } };
}

/** Placeholders of the data for parts that differ between instances or responses. */
const places: readonly (readonly [string, string])[] = [
  ['hosted-runner/linux/blue', 'pink-linux'],
  [
    '<param> is invalid | <param> is missing | <param> does not have a valid value',
    'per_page is invalid',
  ],
  ['<scopes registered for the endpoint, then api read_api>', 'manage_runner api read_api'],
  ['<reason>', 'Your account has been blocked'],
  ['<message>', 'jobs:canary config contains unknown keys: tag'],
  ['Validation failed: ...', 'Validation failed: Runner has already been taken'],
  ['<Assign to ', 'Assign to '],
  ['taken> - runner_error', 'taken - runner_error'],
  [
    '<...needs to be assigned to at least one project...>',
    'Runner needs to be assigned to at least one project',
  ],
  [
    '<... Taking over an orphaned project runner is not allowed ...>',
    'Taking over an orphaned project runner is not allowed',
  ],
  ['<same URL with the project id>', 'https://gitlab.example.com/api/v4/projects/201'],
  ['<...page=1...>', '<https://gitlab.example.com/api/v4/runners?page=1>'],
  ['<...>', '<https://gitlab.example.com/api/v4/runners?page=2>'],
  ['<s>', '7'],
];

/** Fills in placeholders. A remaining one would be a response that no GitLab gives. */
export function concrete<T>(value: T, version: string): T {
  if (typeof value === 'string') {
    const filled = places.reduce(
      (text, [place, filling]) => text.replaceAll(place, filling),
      value as string,
    );
    const result = filled.replace('<version>', `${version}.1`);
    if (/<(?!https:)[^>]*>/.test(result)) throw new Error(`nothing is said for ${result}`);
    return result as T;
  }
  if (Array.isArray(value)) return value.map((each) => concrete(each, version)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, concrete(inner, version)]),
  ) as T;
}

function responseOf({ status, headers = {}, body }: KnownAnswer): Response {
  const isText = headers['content-type'] === 'text/plain';
  const text = isText ? String(body) : JSON.stringify(body);
  const isEmpty = status === 204 || body === null || body === undefined || body === '';
  const type = isText ? {} : { 'content-type': 'application/json' };
  const entries = Object.entries(headers).filter(([, value]) => value !== '' || !isText);
  return new Response(isEmpty ? null : text, {
    status,
    headers: { ...type, ...Object.fromEntries(entries) },
  });
}
