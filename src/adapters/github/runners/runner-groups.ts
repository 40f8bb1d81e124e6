import { z } from 'zod';
import type { GitHubScope, RunnerGroups } from '../../../domain/settings.ts';
import { PortFailure } from '../../../ports/failure.ts';
import { readShape, unexpected } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { originOf } from '../origin.ts';
import { describeScope, groupsPath } from './scope.ts';

export const groupAnswer = z.object({
  id: z.number().int().positive(),
  name: printableName,
  visibility: printableName.nullish(),
  inherited: z.boolean().nullish(),
  restricted_to_workflows: z.boolean().nullish(),
  selected_workflows: z.array(printableName).nullish(),
});
export const groupsPage = z.object({
  total_count: z.number().int().nonnegative(),
  runner_groups: z.array(groupAnswer),
});
export const groupRepositories = z.object({
  total_count: z.number().int().nonnegative(),
  repositories: z.array(z.object({ full_name: printableName })),
});
export const groupOrganizations = z.object({ total_count: z.number().int().nonnegative() });

/** https://docs.github.com/rest/actions/self-hosted-runner-groups */
export type RunnerGroup = z.output<typeof groupAnswer>;

const perPage = 100;
const mostPages = 100;

export function quarantineOf({ apart, production }: RunnerGroups): string {
  return apart?.quarantine ?? production;
}

/**
 * Lists the scope's own groups. An organization cannot add runners to the groups of its enterprise.
 */
export async function listGroups(
  client: GitHubClient,
  scope: GitHubScope,
): Promise<readonly RunnerGroup[]> {
  const found: RunnerGroup[] = [];
  for (let page = 1; ; page += 1) {
    const parameters = { per_page: perPage, page };
    const answer = await client.request(`GET ${groupsPath(scope)}`, parameters);
    const origin = originOf(client, answer);
    const read = readShape(groupsPage, answer.data, origin);
    const { runner_groups: groups, total_count: total } = read;
    found.push(...groups);
    if (groups.length < perPage || found.length >= total)
      return found.filter(({ inherited }) => inherited !== true);
    if (page === mostPages) throw unexpected(`it has more than ${found.length} groups`, origin);
  }
}

/**
 * Finds a group by name. GitHub refuses a second group with the same name, ignoring case (an
 * assumption).
 */
export function groupCalled(groups: readonly RunnerGroup[], name: string): RunnerGroup | undefined {
  return groups.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

export async function readGroup(
  client: GitHubClient,
  scope: GitHubScope,
  name: string,
): Promise<RunnerGroup> {
  const one = groupCalled(await listGroups(client, scope), name);
  if (one !== undefined) return one;
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `GitHub ${describeScope(scope)}`,
    detail: noSuchGroup(name),
  });
}

export function noSuchGroup(name: string): string {
  return `it has no own runner group "${name}"`;
}

/**
 * Moves a runner to a group. A runner belongs to one group, so it leaves its previous one. Its
 * running job continues.
 */
export async function moveRunner(
  client: GitHubClient,
  scope: GitHubScope,
  { id, groupId }: { readonly id: number; readonly groupId: number },
): Promise<void> {
  const route = `PUT ${groupsPath(scope)}/{runner_group_id}/runners/{runner_id}`;
  await client.request(route, { runner_group_id: groupId, runner_id: id });
}

/**
 * Returns why other jobs than the canary may reach a group, or why this is unknown. Undefined if
 * they cannot.
 */
export async function whyOpen(
  client: GitHubClient,
  scope: GitHubScope,
  { of, to }: { readonly of: RunnerGroup; readonly to: string | undefined },
): Promise<string | undefined> {
  const { id, name, visibility, selected_workflows: workflows } = of;
  if (of.restricted_to_workflows === true) {
    const other = (workflows ?? []).find((one) => to === undefined || !isOf(one, to));
    return other === undefined ? undefined : `group "${name}" admits the workflow ${other}`;
  }
  if (visibility !== 'selected')
    return `group "${name}" has the visibility ${visibility ?? '(none)'}, not selected`;
  const admitted = await admittedTo(client, scope, id);
  const other = admitted.find((one) => one.toLowerCase() !== to?.toLowerCase());
  return other === undefined ? undefined : `group "${name}" admits ${other}`;
}

/** Compares with `acme/app/.github/workflows/canary.yml@refs/heads/main`. */
function isOf(workflow: string, repository: string): boolean {
  return workflow.toLowerCase().startsWith(`${repository.toLowerCase()}/`);
}

/**
 * Returns names of repositories. An enterprise's group admits whole organizations, which is too
 * wide.
 */
async function admittedTo(
  client: GitHubClient,
  scope: GitHubScope,
  id: number,
): Promise<readonly string[]> {
  const kind = scope.kind === 'enterprise' ? 'organizations' : 'repositories';
  const answer = await client.request(`GET ${groupsPath(scope)}/{runner_group_id}/${kind}`, {
    runner_group_id: id,
    per_page: perPage,
  });
  const origin = originOf(client, answer);
  if (kind === 'organizations') {
    const { total_count: count } = readShape(groupOrganizations, answer.data, origin);
    return count === 0 ? [] : [`${count} organization${count === 1 ? '' : 's'} as a whole`];
  }
  const read = readShape(groupRepositories, answer.data, origin);
  const names = read.repositories.map(({ full_name: name }) => name);
  return read.total_count > names.length ? [...names, 'more than are listed'] : names;
}
