import type { GitLabClient } from '../../adapters/gitlab/gitlab-client.ts';
import type { TransportLimits } from '../../adapters/transport/request.ts';
import type { Surroundings } from './compose.ts';
import { gitlabToken } from './gitlab-token.ts';

/** One short attempt, because the rest of the run may wait for this response. */
export const oneShortAttempt = { attempts: 1, attemptMs: 5500, callMs: 5500 } as const;

interface Opening {
  readonly gitlabUrl: string;
  readonly signal: () => AbortSignal;
  readonly limits: Partial<TransportLimits>;
}

/** Opens a GitLab client for calls outside the steps of a deployment. */
export async function openGitLab(
  surroundings: Surroundings,
  { gitlabUrl, signal, limits }: Opening,
): Promise<GitLabClient> {
  const [{ createTransport }, { createGitLabClient }] = await Promise.all([
    import('../../adapters/transport/transport.ts'),
    import('../../adapters/gitlab/gitlab-client.ts'),
  ]);
  return createGitLabClient({
    url: gitlabUrl,
    token: gitlabToken(surroundings.environment),
    transport: createTransport({ ...surroundings, signal, limits }),
    redactor: surroundings.redactor,
  });
}
