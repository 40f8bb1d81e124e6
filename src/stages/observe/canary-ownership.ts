import { pipelineOf } from '../../domain/deployment/lock/pipeline-state.ts';
import { isNamedAs } from '../../domain/health/canary-job.ts';
import type { FinishedJob } from '../../domain/registration.ts';
import type { DeploymentId } from '../../domain/shard.ts';
import { answerOr } from '../../ports/failure.ts';
import type { StageContext } from '../context/context.ts';

type Identified = { readonly id: string };

/** Filter that removes canaries. A job that it has classified once is not queried again. */
export type CustomersOnly = <Job extends Identified>(jobs: readonly Job[]) => Promise<Job[]>;

/**
 * Recognizes the canary by the id of the job that hosted-runner started or found (rule 10). Every
 * other job counts as a customer's, even with the canary's name or tag. A job that cannot be
 * queried counts as a customer's too.
 */
export function createCustomersOnly(context: StageContext): CustomersOnly {
  const customers = new Set<string>();
  let canaries: ReadonlySet<string> = new Set();
  return async (jobs) => {
    if (jobs.some(({ id }) => !customers.has(id) && !canaries.has(id)))
      canaries = await findCanaries(context);
    for (const { id } of jobs) if (!canaries.has(id)) customers.add(id);
    return jobs.filter(({ id }) => customers.has(id));
  };
}

/** Filters the jobs of one check; sends no request without jobs. */
export function customersAmong<Job extends Identified>(
  context: StageContext,
  jobs: readonly Job[],
): Promise<Job[]> {
  return createCustomersOnly(context)(jobs);
}

/**
 * Removes every possible canary, for statistics only and never for a guard. Canaries of other
 * deployments and of other runs are not customer work, but their ids are unknown. Missing one
 * customer job does not harm a bake verdict; counting one canary does.
 */
export function withoutAnyCanary(
  { settings: { canary } }: Pick<StageContext, 'settings'>,
  jobs: readonly FinishedJob[],
): readonly FinishedJob[] {
  if (canary.kind === 'job') return jobs.filter(({ name }) => !isNamedAs(name, canary.jobName));
  if (canary.kind === 'project')
    return jobs.filter((job) => isOutside(job, canary.project.toLowerCase()));
  return jobs;
}

/**
 * Decides whether a job is outside the canary's project, configured by id or by path. GitLab
 * ignores the case of a path.
 */
function isOutside({ project, projectId }: FinishedJob, canaries: string): boolean {
  const known = /^\d+$/.test(canaries) ? projectId : project?.toLowerCase();
  return known !== undefined && known !== canaries;
}

/** Returns the ids of this run's canaries and of those of the recorded deployment. */
export async function findCanaries(context: StageContext): Promise<ReadonlySet<string>> {
  const { ports, run, settings, journal } = context;
  const ids = new Set(recordedCanaries(context));
  if (settings.canary.kind === 'off') return ids;
  const deployment =
    journal.version() === 0 ? undefined : pipelineOf(journal.current().deployment.id);
  const others = deployment === undefined || deployment === run.deploymentId ? [] : [deployment];
  for (const one of [undefined, ...others])
    for (const id of await answerOr(
      () => ports.canary.listIds(one as DeploymentId | undefined),
      [],
    ))
      ids.add(id);
  return ids;
}

function recordedCanaries({ journal }: StageContext): string[] {
  if (journal.version() === 0) return [];
  return Object.values(journal.current().shards).flatMap(({ canaryAtApply, evidence }) => [
    ...(canaryAtApply === undefined ? [] : [canaryAtApply.id]),
    ...(evidence?.canary === undefined ? [] : [evidence.canary]),
  ]);
}
