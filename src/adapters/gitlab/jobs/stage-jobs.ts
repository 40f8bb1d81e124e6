export interface PipelineJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly allow_failure?: boolean | null | undefined;
}

const over: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped']);

/** Statuses of a job that waits for other jobs or for an operator. */
const waiting: ReadonlySet<string> = new Set(['created', 'manual']);

export function isOver(status: string): boolean {
  return over.has(status);
}

function isStageJob({ name }: PipelineJob): boolean {
  return name.includes('hosted_runner_') && !isCanary(name);
}

function isCanary(name: string): boolean {
  return name.includes('hosted_runner_canary');
}

/**
 * Returns why an unfinished pipeline may still act without an operator. Undefined if no stage job
 * can.
 */
export function findActor(jobs: readonly PipelineJob[]): string | undefined {
  const stages = jobs.filter(isStageJob);
  // With other job names, the stages are unknown: only the end of the pipeline counts.
  if (stages.length === 0) return 'it has not ended';
  // A manual job that may fail blocks no other job.
  const open = stages.filter(
    (each) => !isOver(each.status) && !(each.status === 'manual' && each.allow_failure === true),
  );
  const active = open.find((each) => !waiting.has(each.status));
  if (active !== undefined) return `its job ${active.name} is ${active.status}`;
  const next = open.find((each) => each.status === 'created');
  if (next === undefined) return undefined;
  // A manual job blocks the jobs after it, unless they wait for another running job.
  const blocked = open.some((each) => each.status === 'manual');
  const other = jobs.some(
    (each) =>
      !isStageJob(each) &&
      !isCanary(each.name) &&
      !isOver(each.status) &&
      !waiting.has(each.status),
  );
  return blocked && !other ? undefined : `its job ${next.name} has not run yet`;
}

/** Statuses of a job before its assignment to a runner. */
const unassigned: ReadonlySet<string> = new Set([
  ...waiting,
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'scheduled',
]);

export function isUnassigned(status: string): boolean {
  return unassigned.has(status);
}

/** Statuses of a job that does not run. Any other status counts as running. */
const atRest: ReadonlySet<string> = new Set([...over, ...unassigned, 'pending']);

/** Finds a running stage job, except the given ones. */
export function findRunning(
  jobs: readonly PipelineJob[],
  except: ReadonlySet<number>,
): PipelineJob | undefined {
  return jobs.find((each) => isStageJob(each) && !except.has(each.id) && !atRest.has(each.status));
}

/**
 * Lists the results of `provision`, newest first: GitLab's ids increase. A cancelled job proves
 * nothing.
 */
export function endingsOf(jobs: readonly PipelineJob[]): readonly ('failed' | 'success')[] {
  const provisions = jobs.filter(({ name }) => /hosted_runner_(?:provision|recover_)/.test(name));
  return provisions
    .toSorted((one, other) => other.id - one.id)
    .flatMap(({ status }) => (status === 'failed' || status === 'success' ? [status] : []));
}

export interface PipelineReference {
  readonly projectId: number;
  readonly pipelineId: number;
}

/** Reads the pipeline from a deployment id. Undefined if it is no GitLab pipeline. */
export function pipelineOfDeployment(deployment: string): PipelineReference | undefined {
  const match = /^([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(deployment);
  if (match === null) return undefined;
  return { projectId: Number(match[1]), pipelineId: Number(match[2]) };
}
