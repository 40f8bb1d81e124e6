import type { GitHubScope, RunnerGroups } from '../../../domain/settings.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult } from '../../../ports/registry.ts';
import type { GitHubClient } from '../github-client.ts';
import { groupCalled, listGroups, noSuchGroup, whyOpen } from './runner-groups.ts';
import { createRegistrationToken, listRunners } from './runners.ts';
import { describeScope } from './scope.ts';

export interface GroupsQuestion {
  readonly groups: RunnerGroups;
  /** `owner/name`, if the canary is a workflow. */
  readonly canaryRepository: string | undefined;
}

/**
 * Probes permissions without a lasting effect: an unused registration token expires after an hour.
 */
export async function probeRunners(
  client: GitHubClient,
  scope: GitHubScope,
  question: GroupsQuestion,
): Promise<readonly ProbeResult[]> {
  const place = describeScope(scope);
  return [
    ...(question.groups.apart === undefined
      ? groupOnlyJobs(scope)
      : [
          await probe(`separate runners of ${place} by their groups`, () =>
            whyNotApart(client, scope, question),
          ),
        ]),
    await probe(`list the runners of ${place}`, async () => {
      await listRunners(client, scope);
      return undefined;
    }),
    await probe(`register and remove runners of ${place}`, async () => {
      await createRegistrationToken(client, scope);
      return undefined;
    }),
  ];
}

/** Runs one probe. `why` returns the problem, or undefined. */
async function probe(what: string, why: () => Promise<string | undefined>): Promise<ProbeResult> {
  try {
    const wrong = await why();
    return wrong === undefined
      ? { what, outcome: 'granted', detail: 'answered' }
      : { what, outcome: 'missing', detail: wrong };
  } catch (error) {
    // GitHub returns 404 for a resource that the token may not read. Invalid credentials are no
    // missing permission.
    if (!isPortFailure(error) || ![403, 404].includes(error.status ?? 0)) throw error;
    return { what, outcome: 'missing', detail: error.detail };
  }
}

/**
 * Checks that the groups keep the runners apart. Moving runners needs the same permission as the
 * registration token, which another probe requests.
 */
async function whyNotApart(
  client: GitHubClient,
  scope: GitHubScope,
  { groups: { production, apart }, canaryRepository }: GroupsQuestion,
): Promise<string | undefined> {
  if (apart === undefined) return undefined;
  const there = await listGroups(client, scope);
  const quarantine = groupCalled(there, apart.quarantine);
  const closed = groupCalled(there, apart.closed);
  if (groupCalled(there, production) === undefined) return noSuchGroup(production);
  if (quarantine === undefined) return noSuchGroup(apart.quarantine);
  if (closed === undefined) return noSuchGroup(apart.closed);
  const nowhere = (await listRunners(client, scope)).find((one) => !one.runner_group_id);
  if (nowhere !== undefined) return `GitHub does not report the group of ${nowhere.name}`;
  return (
    (await whyOpen(client, scope, { of: quarantine, to: canaryRepository })) ??
    (await whyOpen(client, scope, { of: closed, to: undefined }))
  );
}

/**
 * Warns about jobs with `runs-on: {group: X}`, which need no label (actions/runner v2.336.0,
 * workflow-v1.0.json). Labels cannot keep such a job away. A repository's runners belong to no
 * group.
 */
function groupOnlyJobs(scope: GitHubScope): readonly ProbeResult[] {
  if (scope.kind === 'repository') return [];
  const what = 'whether jobs that name only a runner group reach these runners';
  const detail =
    'labels do not keep a job with `runs-on: {group: …}` away from a candidate or a draining shard; github.quarantine_group and github.closed_group do';
  return [{ what, outcome: 'not_probed', detail }];
}
