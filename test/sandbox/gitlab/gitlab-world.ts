import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFaults, type Faults } from '../../../sandbox/faults.ts';
import { createGitLab, type GitLab, type GitLabOptions } from '../../../sandbox/gitlab/gitlab.ts';
import type { SandboxClock } from '../../../sandbox/surroundings/clock.ts';
import { createSandboxClock } from '../../../sandbox/surroundings/clock.ts';
import { seededRandom } from '../../../sandbox/surroundings/random.ts';
import { openFolder } from '../../../sandbox/surroundings/store.ts';

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
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, compared in answers/
  body: any;
  text: string;
}

export type WorldOptions = Pick<GitLabOptions, 'rateLimits' | 'version' | 'longPollMs'>;

export interface GitLabWorld {
  folder: string;
  clock: SandboxClock;
  faults: Faults;
  gitlab: GitLab;
  deployer: string;
  call(method: string, path: string, sent?: Sent): Promise<Received>;
  /** Starts a new process over the same folder. */
  restart(): GitLabWorld;
  close(): void;
}

export function createGitLabWorld(
  folder = mkdtempSync(join(tmpdir(), 'sandbox-gitlab-')),
  seed = 7,
  { rateLimits, version, longPollMs }: WorldOptions = {},
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
    version,
    longPollMs,
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
      return createGitLabWorld(folder, seed + 1, { rateLimits, version, longPollMs });
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
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : undefined,
    text,
  };
}

/** Runs everything that was begun as far as possible, then the sandbox's clock. */
export async function passing({ gitlab }: GitLabWorld): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  gitlab.tick();
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}
