import { Octokit } from '@octokit/core';
import type { Clock } from '../../ports/clock.ts';
import { PortFailure } from '../../ports/failure.ts';
import { done, pending, pollUntil } from '../../ports/poll.ts';
import { refusalOf } from '../transport/answers/refusal.ts';
import type { Transport } from '../transport/transport.ts';
import type { Redactor } from '../transport/words/redaction.ts';

export interface GitHubClientOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` for an Enterprise Server. */
  readonly url: string;
  readonly credentials: GitHubCredentials;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
}

/** Credentials. An App takes precedence over a token, because an App's tokens expire. */
export type GitHubCredentials =
  /** Only public resources are readable. */
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'app';
      readonly appId: number;
      readonly installationId: number;
      /** Key in PEM format. */
      readonly privateKey: string;
    };

/** GitHub client for one credential. It only rejects with a PortFailure. */
export interface GitHubClient {
  readonly redactor: Redactor;
  readonly clock: GitHubClientOptions['clock'];
  /** Sends a request such as `GET /orgs/{org}/actions/runners` with its parameters. */
  request(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<GitHubAnswer>;
}

export interface GitHubAnswer {
  readonly status: number;
  readonly data: unknown;
  /** Request and target, for errors. */
  readonly source: string;
}

/** https://docs.github.com/rest/about-the-rest-api/api-versions */
const apiVersion = '2022-11-28';

export async function createGitHubClient(options: GitHubClientOptions): Promise<GitHubClient> {
  const { url, redactor } = options;
  const baseUrl = url.replace(/\/+$/, '');
  const octokit = new Octokit({
    baseUrl,
    ...(await authentication(options)),
    request: { fetch: fetchThrough(options) },
  });
  return {
    redactor,
    clock: options.clock,
    async request(route, parameters = {}) {
      const headers = { 'x-github-api-version': apiVersion };
      try {
        const answer = await octokit.request(route, { ...parameters, headers });
        const source = sourceOf(
          route.split(' ')[0] ?? 'GET',
          new URL(answer.url || baseUrl),
          baseUrl,
        );
        return { status: answer.status, data: answer.data, source };
      } catch (error) {
        throw failureIn(error) ?? refusedIn(error, { redactor, baseUrl }) ?? thrownIn(error);
      }
    },
  };
}

async function authentication({ credentials, redactor }: GitHubClientOptions) {
  if (credentials.kind === 'none') return {};
  if (credentials.kind === 'token') {
    redactor.add(credentials.token);
    return { auth: credentials.token };
  }
  const { appId, installationId, privateKey } = credentials;
  redactor.add(privateKey);
  const { createAppAuth } = await import('@octokit/auth-app');
  return { authStrategy: createAppAuth, auth: { appId, installationId, privateKey } };
}

/** Time in which GitHub may refuse a new App token, until all its servers know the token. */
const freshMs = 10_000;
const freshPauseMs = 1000;

/**
 * Returns a `fetch` for Octokit. Octokit's default would follow redirects with the token and ignore
 * the request budget.
 */
function fetchThrough({ transport, redactor, url: base, clock }: GitHubClientOptions) {
  let freshUntil = Number.NEGATIVE_INFINITY;
  return async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const method = init.method ?? 'GET';
    const source = sourceOf(method, url, base);
    const { body } = init;
    const isApp = isOfApp(url, base);
    const send = () =>
      transport({
        method,
        url,
        source,
        headers: asBearer(init.headers as Record<string, string>),
        ...(typeof body === 'string' ? { body } : {}),
        // An App's POST creates a token, which reads also need.
        ...(isApp ? { reads: true } : {}),
      });
    // A refusal proves that nothing changed, so a write may be repeated too.
    const answer = await pollUntil({ clock, cadence: { pollMs: freshPauseMs } }, async () => {
      const one = await send();
      return isRefusedToken(one.status) && clock.elapsed() < freshUntil ? pending() : done(one);
    });
    // Octokit handles a refused App key itself: it corrects for a wrong clock.
    if (answer.status >= 400 && !(isApp && answer.status === 401))
      throw refusalOf(answer, { source, redactor });
    if (isApp && answer.status === 201) freshUntil = clock.elapsed() + freshMs;
    learnToken(answer.body, redactor);
    const response = new Response(answer.status === 204 ? null : answer.body, {
      status: answer.status,
      headers: [...answer.headers.entries()],
    });
    // Octokit reads the URL, which a constructed Response lacks.
    Object.defineProperty(response, 'url', { value: url.href });
    return response;
  };
}

/**
 * Replaces the scheme `token` of Octokit, which GitHub still accepts. GitHub's documentation uses
 * Bearer, and so do the proxies in front of it.
 */
function asBearer(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization, ...others } = headers;
  if (authorization === undefined) return headers;
  return { ...others, authorization: authorization.replace(/^token /i, 'Bearer ') };
}

function isRefusedToken(status: number): boolean {
  return status === 401 || status === 403;
}

function isOfApp(url: URL, base: string): boolean {
  return url.pathname.startsWith(`${new URL(base).pathname.replace(/\/+$/, '')}/app/`);
}

/** Redacts installation, registration and remove tokens from their creation on. */
function learnToken(body: string, redactor: Redactor): void {
  const token = /"token"\s*:\s*"([^"]{8,})"/.exec(body)?.[1];
  if (token !== undefined) redactor.add(token);
}

function sourceOf(method: string, url: URL, base: string): string {
  const prefix = new URL(base).pathname.replace(/\/+$/, '');
  return `GitHub ${method} ${decodeURIComponent(url.pathname).slice(prefix.length)}`;
}

/** Finds the PortFailure from `fetch`, which Octokit and each of its plugins wrap. */
function failureIn(error: unknown): PortFailure | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof PortFailure) return inner;
  }
  return undefined;
}

/** Returns the innermost error. A cancel is recognized by its reason, not by Octokit's message. */
function thrownIn(error: unknown): unknown {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  return inner;
}

/** Returns the failure for a response that Octokit turned into an error. */
function refusedIn(
  error: unknown,
  { redactor, baseUrl }: { redactor: Redactor; baseUrl: string },
): PortFailure | undefined {
  if (!(error instanceof Error) || !('status' in error) || !('response' in error)) return undefined;
  const { status, response, request } = error as Error & {
    status: number;
    response?: { data?: unknown };
    request?: { method?: string; url?: string };
  };
  // The call had no response, for example after a cancel.
  if (response === undefined) return undefined;
  const source = sourceOf(request?.method ?? 'GET', new URL(request?.url ?? baseUrl), baseUrl);
  const body = JSON.stringify(response.data ?? {});
  return refusalOf({ status, headers: new Headers(), body }, { source, redactor });
}
