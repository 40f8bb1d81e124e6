import { runUnreadable } from '../../../errors/run.ts';
import { normalMoment, parseMoment } from '../moment.ts';
import type { Environment } from '../variables.ts';

/** When a workflow run was created, ISO 8601. Rejects with RunUnknown. */
export type GitHubRunReader = (run: { repository: string; runId: string }) => Promise<string>;

const timeoutMs = 15_000;

/** The run's creation is the one thing of a run that GitHub does not put into the environment. */
export function createGitHubRunReader({
  environment,
  fetch,
}: {
  environment: Environment;
  fetch: typeof globalThis.fetch;
}): GitHubRunReader {
  return async ({ repository, runId }) => {
    const api = (environment['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/$/, '');
    const url = `${api}/repos/${repository}/actions/runs/${runId}`;
    const token = environment['GITHUB_TOKEN'];
    const refuse = (reason: string) => runUnreadable({ url, reason });
    if (!URL.canParse(url) || !isSafe(new URL(url))) throw refuse('It is not an https address.');
    const response = await fetch(url, {
      headers: {
        accept: 'application/vnd.github+json',
        ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      // The token goes to this address and to no other.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw refuse(`No answer: ${(error as Error).name}.`);
    });
    if (response.status !== 200) throw refuse(`It answered with HTTP ${response.status}.`);
    const body: unknown = await response.json().catch(() => undefined);
    const createdAt = (body as { created_at?: unknown } | null | undefined)?.created_at;
    if (typeof createdAt !== 'string' || parseMoment(createdAt) === undefined) {
      throw refuse('Its answer has no created_at.');
    }
    return normalMoment(createdAt);
  };
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
