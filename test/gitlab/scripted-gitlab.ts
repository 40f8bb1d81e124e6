import { createGitLabClient, type GitLabClient } from '../../src/adapters/gitlab/gitlab-client.ts';
import { type Answer, createTestTransport, json } from '../transport/fake-server.ts';
import type { VirtualClock } from '../transport/virtual-clock.ts';

export const token = 'glpat-abcdefghij0123456789';

export interface ScriptedGitLab {
  readonly client: GitLabClient;
  readonly clock: VirtualClock;
  readonly sent: readonly string[];
  readonly bodies: readonly unknown[];
}

/**
 * Creates a client with scripted responses for `METHOD /path`, without the query. A list is used in
 * turn, and its last entry repeats. Other paths do not exist in GitLab.
 */
export function createScriptedGitLab(script: Record<string, Answer | Answer[]>): ScriptedGitLab {
  const sent: string[] = [];
  const bodies: unknown[] = [];
  const { transport, clock, redactor } = createTestTransport(async (request) => {
    const { pathname } = new URL(request.url);
    const call = `${request.method} ${decodeURIComponent(pathname.replace('/api/v4', ''))}`;
    const turn = sent.filter((each) => each === call).length;
    sent.push(call);
    const body = await request.text();
    bodies.push(body === '' ? undefined : JSON.parse(body));
    const scripted = [script[call] ?? json(404, { error: '404 Not Found' })].flat();
    const answer = scripted[Math.min(turn, scripted.length - 1)];
    if (answer instanceof Error) throw answer;
    if (answer === 'silence' || answer === undefined) return new Promise(() => undefined);
    return answer.clone();
  });
  const client = createGitLabClient({
    url: 'https://gitlab.example.com',
    token,
    transport,
    redactor,
  });
  return { client, clock, sent, bodies };
}

/** Returns a single page. */
export function page(items: readonly unknown[], headers: Record<string, string> = {}): Response {
  return json(200, items, {
    'x-page': '1',
    'x-per-page': '100',
    'x-next-page': '',
    'x-total': String(items.length),
    ...headers,
  });
}

export function html(status: number): Response {
  return new Response('<html><title>Sign in · GitLab</title><body>…</body></html>', {
    status,
    headers: { 'content-type': 'text/html' },
  });
}

export const runner = {
  id: 48213,
  description: 'pink-linux',
  paused: false,
  runner_type: 'group_type',
  status: 'online',
  contacted_at: '2026-11-02T07:50:00.000Z',
  job_execution_status: 'idle',
  tag_list: ['linux'],
  run_untagged: false,
  maintenance_note: null,
  groups: [{ id: 10, web_url: 'https://gitlab.example.com/groups/acme' }],
};

export const runnerMissing = json(404, { message: '404 Runner Not Found' });
