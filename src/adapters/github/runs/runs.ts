import { z } from 'zod';
import { PortFailure } from '../../../ports/failure.ts';
import { type Origin, readShape } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { originOf } from '../origin.ts';

export interface RunReference {
  /** `owner/name` */
  readonly repository: string;
  readonly runId: string;
}

export const run = z.object({
  status: printableName,
  conclusion: printableName.nullish(),
  created_at: z.string().nullish(),
});
export const runJob = z.object({
  name: printableName,
  status: printableName,
  /** Conclusion of a job that has ended. */
  conclusion: printableName.nullish(),
  run_attempt: z.number().int().nullish(),
  runner_name: printableName.nullish(),
});
export const runJobs = z.object({
  total_count: z.number().int().nonnegative(),
  jobs: z.array(runJob),
});

/** https://docs.github.com/rest/actions/workflow-runs */
export type WorkflowRun = z.output<typeof run>;
/** https://docs.github.com/rest/actions/workflow-jobs */
export type RunJob = z.output<typeof runJob>;

const perPage = 100;
const mostPages = 10;
const runRoute = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';

interface PagedList<Item> {
  readonly client: GitHubClient;
  readonly route: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Reads the items of a page, and GitHub's count of the whole list if it reports one. */
  readonly read: (
    data: unknown,
    origin: Origin,
  ) => { readonly items: readonly Item[]; readonly total?: number | null | undefined };
}

export interface ListedPage<Item> {
  readonly items: readonly Item[];
  /** Number of items that no page has shown yet. A lower bound if GitHub reports no count. */
  readonly left: number;
  readonly source: string;
}

/** Reads the pages of a list in GitHub's order, until the caller stops. */
export async function* readGitHubPages<Item>({
  client,
  route,
  parameters,
  read,
}: PagedList<Item>): AsyncGenerator<ListedPage<Item>> {
  let count = 0;
  for (let page = 1; ; page += 1) {
    const answer = await client.request(route, { ...parameters, per_page: perPage, page });
    const { items, total } = read(answer.data, originOf(client, answer));
    count += items.length;
    const left = Math.max(0, (total ?? count + Number(items.length === perPage)) - count);
    yield { items, left, source: answer.source };
    if (left === 0 || items.length === 0) return;
  }
}

/**
 * Reads a run. Rejects with a PortFailure, also for 404: a token without permission gets it too.
 */
export async function readRun(client: GitHubClient, reference: RunReference): Promise<WorkflowRun> {
  const answer = await client.request(runRoute, placeOf(reference));
  return readShape(run, answer.data, originOf(client, answer));
}

/** Lists the jobs of all attempts completely, or rejects. */
export async function listRunJobs(
  client: GitHubClient,
  reference: RunReference,
): Promise<readonly RunJob[]> {
  const parameters = { ...placeOf(reference), filter: 'all' };
  return listJobsOf({ client, parameters, page: runJobs });
}

/** Lists all jobs of a run, or rejects: never a part of them. */
export async function listJobsOf<Item>({
  client,
  parameters,
  page,
}: Pick<PagedList<Item>, 'client' | 'parameters'> & {
  readonly page: z.ZodType<{ jobs: Item[]; total_count?: number | null | undefined }>;
}): Promise<readonly Item[]> {
  const found: Item[] = [];
  let pages = 0;
  const read = (data: unknown, origin: Origin) => {
    const { jobs: items, total_count: total } = readShape(page, data, origin);
    return { items, total };
  };
  const listed = readGitHubPages({ client, route: `${runRoute}/jobs`, parameters, read });
  for await (const { items, left, source } of listed) {
    found.push(...items);
    pages += 1;
    if (left > 0 && (items.length === 0 || pages === mostPages))
      throw cut(source, `only ${found.length} of ${found.length + left} jobs were listed`);
  }
  return found;
}

function placeOf({ repository, runId }: RunReference) {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo, run_id: runId };
}

export function cut(source: string, detail: string): PortFailure {
  return new PortFailure({ kind: 'unexpected', effect: 'none', source, detail });
}
