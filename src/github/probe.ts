import type { GitHubScope } from '../domain/settings.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { ProbeResult } from '../ports/registry.ts';
import type { GitHubClient } from './client.ts';
import { createRegistrationToken, listRunners } from './runners.ts';
import { describeScope } from './scope.ts';

/** A registration token that nobody uses is no effect: it ends by itself after an hour. */
export async function probeRunners(
  client: GitHubClient,
  scope: GitHubScope,
): Promise<readonly ProbeResult[]> {
  const place = describeScope(scope);
  return [
    ...groupOnlyJobs(scope),
    await probe(`list the runners of ${place}`, () => listRunners(client, scope)),
    await probe(`register and remove runners of ${place}`, () =>
      createRegistrationToken(client, scope),
    ),
  ];
}

async function probe(what: string, act: () => Promise<unknown>): Promise<ProbeResult> {
  try {
    await act();
    return { what, outcome: 'granted', detail: 'answered' };
  } catch (error) {
    // GitHub says 404 to who may not look.
    if (!isPortFailure(error) || ![401, 403, 404].includes(error.status ?? 0)) throw error;
    return { what, outcome: 'missing', detail: error.detail };
  }
}

/**
 * `runs-on: {group: X}` needs no label (actions/runner v2.336.0, workflow-v1.0.json), so that no label
 * keeps such a job away. A repository's runners are in no group.
 */
function groupOnlyJobs(scope: GitHubScope): readonly ProbeResult[] {
  if (scope.kind === 'repository') return [];
  const what = 'whether jobs that name only a runner group reach these runners';
  const detail =
    'labels do not keep a job of `runs-on: {group: …}` from a candidate or from a shard that drains; give the runners a group whose repositories name labels';
  return [{ what, outcome: 'not_probed', detail }];
}
