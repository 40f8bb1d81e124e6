import { type Configuration, isNever } from './configuration.ts';

/** Part of a job that decides when it runs, from the real template. */
export interface GraphJob {
  readonly name: string;
  readonly needs: readonly { readonly job: string; readonly optional: boolean }[];
  readonly when: 'on_success' | 'always' | 'manual';
  readonly allowFailure: boolean;
  readonly resourceGroup: string | undefined;
}

export type Graph = readonly GraphJob[];

/** Returns the jobs of a configuration without hidden ones, for a pipeline whose rules match. */
export function readGraph(configuration: Configuration): Graph {
  return Object.entries(configuration)
    .filter(([, job]) => !isNever(job))
    .map(([name, job]) => {
      const when = (job.when ?? 'on_success') as GraphJob['when'];
      return {
        name,
        needs: (job.needs ?? []).map((need) => ({
          job: need.job,
          optional: need.optional === true,
        })),
        when,
        // A manual job may fail by default.
        allowFailure:
          job.allow_failure === undefined ? when === 'manual' : job.allow_failure === true,
        resourceGroup: job.resource_group,
      };
    });
}

/**
 * Lists missing needs. GitLab refuses a pipeline that lacks a need, unless the need is optional.
 */
export function findMissingNeeds(graph: Graph): string[] {
  return graph.flatMap(({ name, needs }) =>
    needs
      .filter(({ job, optional }) => !optional && find(graph, job) === undefined)
      .map(({ job }) => `${name} needs ${job}, which is not in the pipeline`),
  );
}

export interface RuntimeWait {
  /** Job that runs and succeeds only after `on` has ended. */
  readonly job: string;
  /** Job that needs something that only the run of `job` provides. */
  readonly on: string;
}

/**
 * Lists pairs that wait for each other. A job must be able to run while another one waits for it.
 * It may neither need the waiting job nor share its resource group.
 */
export function findMutualWaits(graph: Graph, waits: readonly RuntimeWait[]): string[] {
  return waits.flatMap(({ job, on }) => {
    const holder = find(graph, job);
    const awaited = find(graph, on);
    if (holder === undefined || awaited === undefined) return [];
    const before = closure(graph, holder);
    const open = [awaited, ...closure(graph, awaited)].filter((one) => !before.includes(one));
    const problems = open.includes(holder) ? [`${on} needs ${job}, which waits for it`] : [];
    if (before.includes(awaited)) problems.push(`${job} needs ${on}, which needs it to run`);
    for (const one of open) {
      if (one === holder || one.resourceGroup === undefined) continue;
      if (one.resourceGroup !== holder.resourceGroup) continue;
      problems.push(`${one.name} waits for ${one.resourceGroup}, which ${job} holds`);
    }
    return problems;
  });
}

/** Lists all jobs that must end before a job may start. */
function closure(graph: Graph, job: GraphJob, seen: readonly GraphJob[] = []): GraphJob[] {
  const found = job.needs.flatMap(({ job: name }) => find(graph, name) ?? []);
  const fresh = found.filter((one) => !seen.includes(one));
  const all = [...seen, ...fresh];
  return fresh.reduce<GraphJob[]>((known, one) => closure(graph, one, known), all);
}

function find(graph: Graph, name: string): GraphJob | undefined {
  return graph.find((job) => job.name === name);
}
