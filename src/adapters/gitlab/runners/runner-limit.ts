import { z } from 'zod';
import { answerOr } from '../../../ports/failure.ts';
import type { ReachedLimit } from '../../../ports/registry.ts';
import { readShape } from '../../transport/answers/shape.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { listingOf, type RunnerScope } from '../jobs/visibility.ts';

type LimitedScope = Exclude<RunnerScope, { kind: 'instance' }>;

export const namespacePlan = z.object({
  parent_id: z.number().nullish(),
  plan: z.string().nullish().catch(undefined),
});
export const namespaceOfProject = z.object({ namespace: z.object({ id: z.number() }) });
export const planLimits = z.object({
  ci_registered_group_runners: z.number().int(),
  ci_registered_project_runners: z.number().int(),
});

type Namespace = z.infer<typeof namespacePlan>;

/** Limit for a group and for a project: https://docs.gitlab.com/user/gitlab_com/#cicd */
const ofFreePlan = 50;
/** Limit of every other plan, and GitLab's default. */
const ofOtherPlans = 1000;

/**
 * Returns the limit that one more runner would exceed. The result is certain only if two conditions
 * hold. GitLab reports the limit or the free plan, and every inherited runner is known to be
 * excluded from the count.
 */
export async function findReachedLimit(
  client: GitLabClient,
  scope: RunnerScope,
): Promise<ReachedLimit | undefined> {
  if (scope.kind === 'instance') return undefined;
  const all = await count(client, scope);
  if (all === undefined) return undefined;
  const place = await answerOr(() => readNamespace(client, scope), undefined);
  const limit = await findLimit(client, scope, place);
  if (all < limit.most) return undefined;
  const recent = await countRecent(client, scope, all);
  const inherited = await countInherited(client, scope, place);
  const own = (recent ?? all) - (inherited ?? 0);
  if (own < limit.most) return undefined;
  const isCertain = limit.isCertain && recent !== undefined && inherited !== undefined;
  return { place: scope.kind, most: limit.most, count: own, isCertain };
}

async function readNamespace(client: GitLabClient, scope: LimitedScope): Promise<Namespace> {
  if (scope.kind === 'group') return read(client, `namespaces/${scope.groupId}`, namespacePlan);
  const project = await read(client, `projects/${scope.projectId}`, namespaceOfProject);
  return read(client, `namespaces/${project.namespace.id}`, namespacePlan);
}

/** Finds the limit. Only administrators may read the limits of a plan. Zero means no limit. */
async function findLimit(
  client: GitLabClient,
  scope: LimitedScope,
  place: Namespace | undefined,
): Promise<{ most: number; isCertain: boolean }> {
  if (place?.plan === 'free') return { most: ofFreePlan, isCertain: true };
  const limits = await answerOr(
    () =>
      read(client, 'application/plan_limits', planLimits, { plan_name: place?.plan ?? 'default' }),
    undefined,
  );
  if (limits === undefined)
    return { most: place?.plan ? ofOtherPlans : ofFreePlan, isCertain: false };
  const most = limits[`ci_registered_${scope.kind}_runners`];
  return { most: most > 0 ? most : Number.POSITIVE_INFINITY, isCertain: true };
}

/**
 * Counts inherited runners. A group's list contains runners of its parent groups; a project's list
 * of this type does not.
 */
async function countInherited(
  client: GitLabClient,
  scope: LimitedScope,
  place: Namespace | undefined,
): Promise<number | undefined> {
  if (scope.kind === 'project') return 0;
  if (place === undefined) return undefined;
  if (!place.parent_id) return 0;
  const above = { kind: 'group', groupId: place.parent_id } as const;
  const all = await count(client, above);
  return all === undefined ? undefined : countRecent(client, above, all);
}

/** Counts recent runners, as GitLab's limit does (`limit_relation = :recent_runners`). */
async function countRecent(
  client: GitLabClient,
  scope: LimitedScope,
  all: number,
): Promise<number | undefined> {
  const stale = await count(client, scope, { status: 'stale' });
  return stale === undefined ? undefined : all - stale;
}

async function count(
  client: GitLabClient,
  scope: LimitedScope,
  filter: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const { endpoint, query } = listingOf(scope);
  const searchParams = { ...query, ...filter, per_page: 1 };
  const listed = await answerOr(() => client.raw.get(endpoint, { searchParams }), undefined);
  const total = listed?.headers['x-total'] ?? '';
  return /^\d+$/.test(total) ? Number(total) : undefined;
}

async function read<T>(
  client: GitLabClient,
  endpoint: string,
  schema: z.ZodType<T>,
  searchParams: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { body } = await client.raw.get(endpoint, { searchParams });
  const source = `GitLab GET /${endpoint}`;
  return readShape(schema, body, { source, effect: 'none', redactor: client.redactor });
}
