export interface PipelineJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly allow_failure?: boolean | null | undefined;
}

const over: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped']);

/** A job that waits for others, or for a person. */
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

/** Why a pipeline that is not finished can still act by itself; undefined if nothing of ours can. */
export function findActor(jobs: readonly PipelineJob[]): string | undefined {
  const stages = jobs.filter(isStageJob);
  // Under other names we do not know which jobs are stages: the pipeline itself must end.
  if (stages.length === 0) return 'it has not ended';
  // A manual job that may fail holds nothing up: nobody has to press it.
  const open = stages.filter(
    (each) => !isOver(each.status) && !(each.status === 'manual' && each.allow_failure === true),
  );
  const active = open.find((each) => !waiting.has(each.status));
  if (active !== undefined) return `its job ${active.name} is ${active.status}`;
  const next = open.find((each) => each.status === 'created');
  if (next === undefined) return undefined;
  // Behind a manual job nothing moves, unless it waits for something else that runs.
  const blocked = open.some((each) => each.status === 'manual');
  const other = jobs.some(
    (each) =>
      !isStageJob(each) &&
      !isCanary(each.name) &&
      !isOver(each.status) &&
      !waiting.has(each.status),
  );
  return blocked && !other ? undefined : `its job ${next.name} has yet to run`;
}

/** A job that no runner has, in a status before its assignment. */
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

/** Anything else is at work, or is in a state that we do not know. */
const atRest: ReadonlySet<string> = new Set([...over, ...unassigned, 'pending']);

/** A stage job that is at work right now, other than the ones named. */
export function findRunning(
  jobs: readonly PipelineJob[],
  except: ReadonlySet<number>,
): PipelineJob | undefined {
  return jobs.find((each) => isStageJob(each) && !except.has(each.id) && !atRest.has(each.status));
}

/** Newest first: GitLab's ids count up. A job that was cancelled proves nothing. */
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

/** The pipeline that a deployment's id names; undefined where it is none of GitLab's. */
export function pipelineOfDeployment(deployment: string): PipelineReference | undefined {
  const match = /^([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(deployment);
  if (match === null) return undefined;
  return { projectId: Number(match[1]), pipelineId: Number(match[2]) };
}
