import type { Sandbox } from '../../sandbox.ts';

/** GitLab or GitHub whose runners are deployed: its customer jobs and its lists. */
export interface CiServer {
  readonly name: 'GitLab' | 'GitHub';
  /** Submits a customer job and returns its id. */
  submit(job: { tag: string; name: string; script: string[] }): number;
  jobs(): readonly CiJob[];
  /** Lists the runners by shard. */
  registrations(): readonly CiRegistration[];
  /** Counts the runners of all stacks. */
  countRunners(): number;
}

export interface CiJob {
  readonly id: number;
  readonly status: string;
  readonly failureReason: string | null;
  readonly runnerId: number | null;
  readonly isOver: boolean;
}

export interface CiRegistration {
  readonly shard: string;
  /** Ids of its runners. */
  readonly ids: readonly number[];
  readonly paused: boolean;
  readonly hasProductionTag: boolean;
  readonly contacted: boolean;
}

export interface CiStack {
  readonly runnerName: string;
  /** Prefix of parameters, which ends with a slash. */
  readonly prefix: string;
  readonly productionTag: string;
  readonly runners: 'gitlab' | 'github';
}

export function ciServerOf(
  sandbox: Pick<Sandbox, 'gitlab' | 'github' | 'parameters'>,
  stack: CiStack,
): CiServer {
  return stack.runners === 'github' ? githubOf(sandbox, stack) : gitlabOf(sandbox, stack);
}

/** Customer projects whose jobs alternate. A failure in several projects is the runner's. */
const customersProjects = [201, 101] as const;

function gitlabOf({ gitlab }: Pick<Sandbox, 'gitlab'>, stack: CiStack): CiServer {
  const { runnerName, productionTag } = stack;
  let submitted = 0;
  return {
    name: 'GitLab',
    submit({ tag, name, script }) {
      submitted += 1;
      const project = customersProjects[submitted % 3 === 0 ? 1 : 0];
      return gitlab.submitJob({ project, tags: [tag], name, script }).id;
    },
    jobs: () =>
      gitlab.jobs().map(({ id, status, failureReason, runnerId, finishedAt }) => ({
        id,
        status,
        failureReason,
        runnerId: runnerId ?? null,
        isOver: finishedAt !== null,
      })),
    registrations: () =>
      gitlab
        .runners()
        .filter(({ description }) => description.endsWith(`-${runnerName}`))
        .map(({ id, description, paused, tags, managers }) => ({
          shard: description.slice(0, -runnerName.length - 1),
          ids: [id],
          paused,
          hasProductionTag: tags.includes(productionTag),
          contacted: managers.some(({ contactedAt }) => contactedAt !== null),
        })),
    countRunners: () => gitlab.runners().length,
  };
}

function githubOf(
  { github, parameters }: Pick<Sandbox, 'github' | 'parameters'>,
  { runnerName, prefix, productionTag }: CiStack,
): CiServer {
  const pattern = new RegExp(`^([a-z0-9]+)-${runnerName}-i-[0-9a-f]+$`);
  const shardOf = (name: string) => pattern.exec(name)?.[1];
  const repository = 'acme/shop';
  let submitted = 0;
  return {
    name: 'GitHub',
    // Some customer jobs name only a group, and labels do not exclude them.
    submit({ tag, name, script }) {
      submitted += 1;
      const where =
        submitted % 3 === 0 ? { labels: [], group: 'hosted-runners' } : { labels: [tag] };
      return github.submitJob({ ...where, repository, name, script }).jobId;
    },
    jobs: () =>
      github.jobs().map(({ id, status, conclusion, runnerId }) => ({
        id,
        status: status === 'completed' ? (conclusion ?? 'unknown') : status,
        failureReason: null,
        runnerId,
        isOver: status === 'completed',
      })),
    registrations() {
      const runners = github.runners();
      const fleets = fleetsIn(parameters, prefix);
      const shards = new Set([
        ...fleets.keys(),
        ...runners.flatMap(({ name }) => shardOf(name) ?? []),
      ]);
      return [...shards].map((shard) => {
        const own = runners.filter(({ name }) => shardOf(name) === shard);
        const { intake, labels = [] } = fleets.get(shard) ?? {};
        return {
          shard,
          ids: own.map(({ id }) => id),
          paused: intake === 'closed',
          hasProductionTag: [labels, ...own.map((one) => one.labels)].some((one) =>
            one.includes(productionTag),
          ),
          contacted: own.length > 0,
        };
      });
    },
    countRunners: () => github.runners().length,
  };
}

interface FleetText {
  readonly intake?: string;
  readonly labels?: readonly string[];
}

function fleetsIn(parameters: Sandbox['parameters'], prefix: string): Map<string, FleetText> {
  return new Map(
    parameters.list().flatMap(({ parameter: { name } }) => {
      const shard = name.startsWith(prefix)
        ? /^([a-z0-9]+)\/runner_fleet$/.exec(name.slice(prefix.length))?.[1]
        : undefined;
      if (shard === undefined) return [];
      return [[shard, JSON.parse(parameters.read(name).value()) as FleetText] as const];
    }),
  );
}
