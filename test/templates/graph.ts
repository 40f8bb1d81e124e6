import { type Configuration, isNever } from './configuration.ts';

/** The part of a job that decides when it runs; read from the real template. */
export interface GraphJob {
  readonly name: string;
  readonly needs: readonly { readonly job: string; readonly optional: boolean }[];
  readonly when: 'on_success' | 'always' | 'manual';
  readonly allowFailure: boolean;
  readonly resourceGroup: string | undefined;
}

export type Graph = readonly GraphJob[];

/** Jobs of a configuration without hidden ones, as a pipeline has them when its rules match. */
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
        // A manual job may fail unless it says otherwise.
        allowFailure:
          job.allow_failure === undefined ? when === 'manual' : job.allow_failure === true,
        resourceGroup: job.resource_group,
      };
    });
}

/** GitLab refuses a pipeline with a need that is not in it, unless the need is optional. */
export function findMissingNeeds(graph: Graph): string[] {
  return graph.flatMap(({ name, needs }) =>
    needs
      .filter(({ job, optional }) => !optional && find(graph, job) === undefined)
      .map(({ job }) => `${name} needs ${job}, which is not in the pipeline`),
  );
}

export interface RuntimeWait {
  /** It runs, and ends well only after `on` has ended. */
  readonly job: string;
  /** It needs something that only the run of `job` brings about. */
  readonly on: string;
}

/**
 * Pairs that wait for each other. What a job waits for while it runs must be able to run meanwhile:
 * it may not need that job, and not stand in a resource group that the job holds.
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

/** Everything that has to be over before a job may start. */
function closure(graph: Graph, job: GraphJob, seen: readonly GraphJob[] = []): GraphJob[] {
  const found = job.needs.flatMap(({ job: name }) => find(graph, name) ?? []);
  const fresh = found.filter((one) => !seen.includes(one));
  const all = [...seen, ...fresh];
  return fresh.reduce<GraphJob[]>((known, one) => closure(graph, one, known), all);
}

function find(graph: Graph, name: string): GraphJob | undefined {
  return graph.find((job) => job.name === name);
}
