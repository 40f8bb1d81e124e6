import { pipelineOf } from '../../domain/deployment/lock/pipeline-state.ts';
import { isNamedAs } from '../../domain/health/canary-job.ts';
import type { FinishedJob } from '../../domain/registration.ts';
import type { DeploymentId } from '../../domain/shard.ts';
import { answerOr } from '../../ports/failure.ts';
import type { StageContext } from '../context/context.ts';

type Identified = { readonly id: string };

/** Leaves out the canary; what it once took for a customer's job is not asked about again. */
export type CustomersOnly = <Job extends Identified>(jobs: readonly Job[]) => Promise<Job[]>;

/**
 * Rule 10: the canary is the job that we began or found, by its id. Whatever else runs on a shard is
 * a customer's, also under the canary's name or with its tag; and so is what cannot be asked about.
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

/** For one look; nothing is asked where there is no job. */
export function customersAmong<Job extends Identified>(
  context: StageContext,
  jobs: readonly Job[],
): Promise<Job[]> {
  return createCustomersOnly(context)(jobs);
}

/**
 * For what is counted alone, never for what is guarded: canaries of other deployments, and of other runs
 * that have watched this one, are no customer's work either, and nobody has kept their ids. What may be
 * one is not counted: for the verdict of a bake one customer's job less is no harm, and one more is.
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

/** Of a canary's project, which is configured by its id or by its path; GitLab takes any case of a path. */
function isOutside({ project, projectId }: FinishedJob, canaries: string): boolean {
  const known = /^\d+$/.test(canaries) ? projectId : project?.toLowerCase();
  return known !== undefined && known !== canaries;
}

/** Ids of this run's canaries, and of those of the deployment that the record names. */
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
