import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFaults, type Faults } from '../../../src/sandbox/faults.ts';
import { createGitLab, type GitLab } from '../../../src/sandbox/gitlab/gitlab.ts';
import type { SandboxClock } from '../../../src/sandbox/world/clock.ts';
import { createSandboxClock } from '../../../src/sandbox/world/clock.ts';
import { seededRandom } from '../../../src/sandbox/world/random.ts';
import { openFolder } from '../../../src/sandbox/world/store.ts';
import { problemsOf } from './published.ts';

export const DAY = Date.parse('2026-11-02T08:00:00.000Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface Sent {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Received {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, each held against its schema
  body: any;
  text: string;
}

export interface GitLabWorld {
  folder: string;
  clock: SandboxClock;
  faults: Faults;
  gitlab: GitLab;
  deployer: string;
  /** Throws when a successful answer has not the published shape. */
  call(method: string, path: string, sent?: Sent): Promise<Received>;
  /** A new process over the same folder. */
  restart(): GitLabWorld;
  close(): void;
}

export function createGitLabWorld(
  folder = mkdtempSync(join(tmpdir(), 'sandbox-gitlab-')),
  seed = 7,
  rateLimits?: 'gitlab.com',
): GitLabWorld {
  const store = openFolder(folder);
  const clock = createSandboxClock({ store, realNow: () => DAY });
  const random = seededRandom(seed);
  const faults = createFaults(random);
  const gitlab = createGitLab({
    clock,
    store,
    faults,
    random,
    baseUrl: () => 'http://127.0.0.1:1',
    rateLimits,
  });
  return {
    folder,
    clock,
    faults,
    gitlab,
    deployer: gitlab.deployerToken(),
    call: (method, path, sent = {}) => call(gitlab, { method, path, sent }),
    restart() {
      store.close();
      return createGitLabWorld(folder, seed + 1, rateLimits);
    },
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function call(
  gitlab: GitLab,
  {
    method,
    path,
    sent: { token, body, headers = {} },
  }: { method: string; path: string; sent: Sent },
): Promise<Received> {
  const isRaw = typeof body === 'string';
  const answer = await gitlab.fetch(
    new Request(`http://127.0.0.1:1/api/v4${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { 'private-token': token }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('application/json') ?? false;
  const received: Received = {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : undefined,
    text,
  };
  const problems = problemsOf({
    method,
    path: new URL(`http://x/api/v4${path}`).pathname,
    status: answer.status,
    body: received.body,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return received;
}
