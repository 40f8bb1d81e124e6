import { Octokit } from '@octokit/core';
import { PortFailure } from '../ports/failure.ts';
import type { Redactor } from '../transport/redaction.ts';
import { refusalOf } from '../transport/refusal.ts';
import type { Transport } from '../transport/transport.ts';

export interface GitHubClientOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise Server. */
  readonly url: string;
  readonly credentials: GitHubCredentials;
  readonly transport: Transport;
  readonly redactor: Redactor;
}

/** Where App and token are both given, the App: its tokens end by themselves. */
export type GitHubCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'app';
      readonly appId: number;
      readonly installationId: number;
      /** PEM. */
      readonly privateKey: string;
    };

/** GitHub as one credential sees it. Rejects with a PortFailure, and with nothing else. */
export interface GitHubClient {
  readonly redactor: Redactor;
  /** `GET /orgs/{org}/actions/runners` with its parameters. */
  request(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<GitHubAnswer>;
}

export interface GitHubAnswer {
  readonly status: number;
  readonly data: unknown;
  /** What was asked of whom, for errors. */
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
        throw failureIn(error) ?? error;
      }
    },
  };
}

async function authentication({ credentials, redactor }: GitHubClientOptions) {
  if (credentials.kind === 'token') {
    redactor.add(credentials.token);
    return { auth: credentials.token };
  }
  const { appId, installationId, privateKey } = credentials;
  redactor.add(privateKey);
  const { createAppAuth } = await import('@octokit/auth-app');
  return { authStrategy: createAppAuth, auth: { appId, installationId, privateKey } };
}

/** Octokit's own way to the network would follow redirects with the token and knows no budget. */
function fetchThrough({ transport, redactor, url: base }: GitHubClientOptions) {
  return async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const method = init.method ?? 'GET';
    const source = sourceOf(method, url, base);
    const { body } = init;
    const answer = await transport({
      method,
      url,
      source,
      headers: init.headers as Record<string, string>,
      ...(typeof body === 'string' ? { body } : {}),
    });
    if (answer.status >= 400) throw refusalOf(answer, { source, redactor });
    learnToken(answer.body, redactor);
    const response = new Response(answer.status === 204 ? null : answer.body, {
      status: answer.status,
      headers: [...answer.headers.entries()],
    });
    // Octokit reads it, and a Response made by hand has none.
    Object.defineProperty(response, 'url', { value: url.href });
    return response;
  };
}

/** Installation, registration and remove tokens are secrets from the moment they exist. */
function learnToken(body: string, redactor: Redactor): void {
  const token = /"token"\s*:\s*"([^"]{8,})"/.exec(body)?.[1];
  if (token !== undefined) redactor.add(token);
}

function sourceOf(method: string, url: URL, base: string): string {
  const prefix = new URL(base).pathname.replace(/\/+$/, '');
  return `GitHub ${method} ${decodeURIComponent(url.pathname).slice(prefix.length)}`;
}

/** Octokit wraps what its `fetch` throws, once for itself and once for each plugin. */
function failureIn(error: unknown): PortFailure | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof PortFailure) return inner;
  }
  return undefined;
}
