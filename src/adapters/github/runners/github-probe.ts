import type { GitHubScope, RunnerGroups } from '../../../domain/settings.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult } from '../../../ports/registry.ts';
import type { GitHubClient } from '../github-client.ts';
import { groupCalled, listGroups, noSuchGroup, whyOpen } from './runner-groups.ts';
import { createRegistrationToken, listRunners } from './runners.ts';
import { describeScope } from './scope.ts';

export interface GroupsQuestion {
  readonly groups: RunnerGroups;
  /** `owner/name`, where the canary is a workflow. */
  readonly canaryRepository: string | undefined;
}

/** A registration token that nobody uses is no effect: it ends by itself after an hour. */
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
          await probe(`keep runners of ${place} apart by their groups`, () =>
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

/** `why` tells what is wrong, or nothing. */
async function probe(what: string, why: () => Promise<string | undefined>): Promise<ProbeResult> {
  try {
    const wrong = await why();
    return wrong === undefined
      ? { what, outcome: 'granted', detail: 'answered' }
      : { what, outcome: 'missing', detail: wrong };
  } catch (error) {
    // GitHub says 404 to who may not look. Credentials that it does not take lack no permission.
    if (!isPortFailure(error) || ![403, 404].includes(error.status ?? 0)) throw error;
    return { what, outcome: 'missing', detail: error.detail };
  }
}

/**
 * Whether the groups are what they are for. That runners may be moved needs the same right as the token
 * for registering, which is asked for, too.
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
  if (nowhere !== undefined) return `GitHub does not say in which group ${nowhere.name} is`;
  return (
    (await whyOpen(client, scope, { of: quarantine, to: canaryRepository })) ??
    (await whyOpen(client, scope, { of: closed, to: undefined }))
  );
}

/**
 * `runs-on: {group: X}` needs no label (actions/runner v2.336.0, workflow-v1.0.json), so that no label
 * keeps such a job away. A repository's runners are in no group.
 */
function groupOnlyJobs(scope: GitHubScope): readonly ProbeResult[] {
  if (scope.kind === 'repository') return [];
  const what = 'whether jobs that name only a runner group reach these runners';
  const detail =
    'labels do not keep a job of `runs-on: {group: …}` from a candidate or from a shard that drains; github.quarantine_group and github.closed_group do';
  return [{ what, outcome: 'not_probed', detail }];
}
