import { z } from 'zod';
import type { Clock } from '../../../ports/clock.ts';
import { type Origin, readShape } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { cut, readGitHubPages } from './runs.ts';

export const namedRun = z.object({
  id: z.number().int().positive(),
  display_title: printableName.nullish(),
  event: printableName.nullish(),
  created_at: z.string().nullish(),
});
export const namedRuns = z.object({
  workflow_runs: z.array(namedRun),
  total_count: z.number().int().nonnegative().nullish(),
});

export interface RunNamesOptions {
  readonly client: GitHubClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly owner: string;
  readonly repository: string;
  /** File name of the workflow, such as `canary.yml`. */
  readonly workflow: string;
}

export interface RunName {
  readonly id: number;
  /** Words of the title from `run-name`. */
  readonly words: readonly string[];
}

/**
 * GitHub ends a run after 35 days (https://docs.github.com/actions/reference/limits); one day is
 * added for clock skew.
 */
const longestRunMs = 36 * 24 * 60 * 60_000;
const mostPages = 100;

/**
 * Lists every dispatched run of a workflow that may be alive, newest first, or rejects. Any number
 * of other stacks' canaries may lie between those of a deployment. A run keeps its name, so a later
 * read stops at the runs of the read before.
 */
export function createRunNames(options: RunNamesOptions): () => Promise<readonly RunName[]> {
  let known: readonly RunName[] = [];
  let newestKnown = 0;
  return async () => {
    const read = new Map<number, Run>();
    let pages = 0;
    for await (const { items, left, source } of readGitHubPages(listOf(options))) {
      for (const one of items) read.set(one.id, one);
      pages += 1;
      const oldest = items.at(-1);
      if (oldest === undefined || isOver(options, oldest) || oldest.id <= newestKnown) break;
      if (left > 0 && pages === mostPages)
        throw cut(source, `it lists more than ${read.size} runs of the last 35 days`);
    }
    const listed = [...read.values()].sort((one, other) => other.id - one.id);
    const oldest = listed.at(-1)?.id ?? Number.POSITIVE_INFINITY;
    known = [...listed.filter(isDispatched).map(toName), ...known.filter(({ id }) => id < oldest)];
    newestKnown = Math.max(newestKnown, listed[0]?.id ?? 0);
    return known;
  };
}

function listOf({ client, owner, repository, workflow }: RunNamesOptions) {
  return {
    client,
    // With a filter such as `event`, GitHub lists at most the newest 1,000 runs.
    route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
    parameters: { owner, repo: repository, workflow_id: workflow },
    read(data: unknown, origin: Origin) {
      const { workflow_runs: items, total_count: total } = readShape(namedRuns, data, origin);
      return { items, total };
    },
  };
}

type Run = z.output<typeof namedRun>;

/** Other runs may have a customer's title, for example of a pull request. */
function isDispatched({ event }: Run): boolean {
  return (event ?? 'workflow_dispatch') === 'workflow_dispatch';
}

function isOver({ clock }: RunNamesOptions, { created_at: at }: Run): boolean {
  return clock.now() - Date.parse(at ?? '') > longestRunMs;
}

function toName({ id, display_title: title }: Run): RunName {
  return { id, words: title?.split(' ') ?? [] };
}
