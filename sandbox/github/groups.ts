import type { Instance } from './instance.ts';
import { notFound, Refusal } from './refusal.ts';
import type { JobRow, RunnerRow } from './state.ts';

/** Group of runners with the jobs that it admits. */
export interface GroupRow {
  id: number;
  name: string;
  repositories: 'all' | string[];
  /**
   * Workflow files such as `acme/app/.github/workflows/canary.yml@refs/heads/main`. Absent: any.
   */
  workflows?: string[];
}

/**
 * Returns the default groups. Every organization has the first; a stack that moves its runners
 * needs the others.
 */
export function usualGroups(): GroupRow[] {
  return [
    { id: 1, name: 'Default', repositories: 'all' },
    { id: 2, name: 'hosted-runners', repositories: 'all' },
    { id: 3, name: 'hosted-runners-quarantine', repositories: ['acme/app'] },
    { id: 4, name: 'hosted-runners-closed', repositories: [] },
  ];
}

/** Finds a group by name, like `config.sh --runnergroup`. */
export function groupCalled({ state }: Instance, name = 'Default'): GroupRow {
  const group = state.groups.find((one) => one.name === name);
  if (group !== undefined) return group;
  throw new Refusal(404, `Could not find any self-hosted runner group named "${name}".`);
}

export function findGroup({ state }: Instance, id: number): GroupRow {
  const group = state.groups.find((one) => one.id === id);
  if (group === undefined) throw notFound();
  return group;
}

/**
 * Decides whether a group admits a job. A job without a group may use any group of its repository.
 */
export function admits(group: GroupRow, job: Pick<JobRow, 'group' | 'repository' | 'workflow'>) {
  if (job.group !== undefined && job.group !== group.name) return false;
  if (group.repositories !== 'all' && !group.repositories.includes(job.repository)) return false;
  const file = `${job.repository}/.github/workflows/${job.workflow}@`;
  return group.workflows === undefined || group.workflows.some((one) => one.startsWith(file));
}

export function showGroup({ id, name, repositories, workflows }: GroupRow): object {
  return {
    id,
    name,
    visibility: repositories === 'all' ? 'all' : 'selected',
    default: id === 1,
    inherited: false,
    allows_public_repositories: false,
    restricted_to_workflows: workflows !== undefined,
    selected_workflows: workflows ?? [],
  };
}

/**
 * Changes a runner's labels or group. GitHub applies the change to job assignment after a delay.
 */
export function changeRouting(
  instance: Instance,
  runner: RunnerRow,
  change: Partial<Pick<RunnerRow, 'labels' | 'groupId'>>,
): void {
  const { labels, groupId } = routingOf(instance, runner);
  runner.before = { labels, groupId, until: instance.now() + instance.windows.changeLagMs };
  Object.assign(runner, change);
  instance.changed();
}

/** Returns the labels and the group by which the runner gets jobs at this moment. */
export function routingOf(
  { now }: Pick<Instance, 'now'>,
  { labels, groupId, before }: RunnerRow,
): { readonly labels: string[]; readonly groupId: number } {
  return before !== undefined && now() < before.until ? before : { labels, groupId };
}
