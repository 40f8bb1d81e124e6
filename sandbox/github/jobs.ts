import { forget, forgetAbsent, settle } from './fleet.ts';
import { admits, findGroup, routingOf } from './groups.ts';
import { digest, type Instance } from './instance.ts';
import { notFound, Refusal } from './refusal.ts';
import { type JobRow, ORGANIZATION, REPOSITORY, type RunnerRow, type RunRow } from './state.ts';
import { hasEnded } from './versions.ts';

export interface JobOrder {
  labels: string[];
  script: string[];
  name?: string;
  workflow?: string;
  title?: string;
  /** `owner/name`. Default: the repository whose runs the API lists. */
  repository?: string;
  /** Group from `runs-on: {group: …}`, with or without labels. */
  group?: string;
}

/** Creates a run with one job, like a push or a dispatch. */
export function submit(instance: Instance, order: JobOrder): { runId: number; jobId: number } {
  const { state } = instance;
  const runId = instance.nextId('run');
  const jobId = instance.nextId('job');
  const name = order.name ?? 'build';
  const repository = order.repository ?? `${ORGANIZATION}/${REPOSITORY}`;
  const workflow = order.workflow ?? 'ci.yml';
  state.runs.push({
    id: runId,
    repository,
    workflow,
    title: order.title ?? name,
    createdAt: instance.now(),
  });
  state.jobs.push({
    id: jobId,
    runId,
    name,
    repository,
    workflow,
    ...(order.group === undefined ? {} : { group: order.group }),
    labels: [...order.labels],
    script: [...order.script],
    status: 'queued',
    conclusion: null,
    createdAt: instance.now(),
    startedAt: null,
    completedAt: null,
    runnerId: null,
    runnerName: null,
    cancelRequested: false,
  });
  instance.changed();
  return { runId, jobId };
}

/**
 * Gives a runner the oldest job that matches its group and labels. The request makes it online.
 */
export function takeJob(instance: Instance, credential: string): JobRow | undefined {
  const runner = connected(instance, credential);
  // A retired version can register and listen, and is refused only here.
  if (hasEnded(runner.version, instance.now()))
    throw new Refusal(403, `Runner version v${runner.version} is deprecated`);
  runner.lastSeenAt = instance.now();
  requeueUndelivered(instance);
  const { labels: current, groupId } = routingOf(instance, runner);
  const group = findGroup(instance, groupId);
  const { ownLabels, formerLabels = [] } = runner;
  // A runner that replaced another still gets jobs of the former labels (actions/runner#4225).
  const offered = [...current, ...ownLabels, ...formerLabels].map((one) => one.toLowerCase());
  const job = instance.state.jobs.find(
    (one) =>
      one.status === 'queued' &&
      admits(group, one) &&
      one.labels.every((label) => offered.includes(label.toLowerCase())),
  );
  if (job === undefined) return undefined;
  job.status = 'in_progress';
  job.startedAt = instance.now();
  job.runnerId = runner.id;
  job.runnerName = runner.name;
  job.delivered = false;
  instance.changed();
  return job;
}

/**
 * Returns unacquired jobs to the queue. If a runner does not acquire its job within a minute, the
 * next runner gets it. The first runner then gets 409.
 */
function requeueUndelivered(instance: Instance): void {
  const { state, now, windows } = instance;
  for (const job of state.jobs) {
    if (job.status !== 'in_progress' || job.delivered !== false) continue;
    if (now() - (job.startedAt ?? 0) < windows.redeliveryMs) continue;
    Object.assign(job, { status: 'queued', startedAt: null, runnerId: null, runnerName: null });
    instance.changed();
  }
}

/**
 * Acquires a job for the runner that has read its message. From then on, no other runner gets it.
 * If the runner is too late, the job is skipped, and an ephemeral runner is already removed from
 * the list (actions/runner#4617).
 */
export function acquireJob(
  instance: Instance,
  { credential, jobId }: { credential: string; jobId: number },
): void {
  const runner = connected(instance, credential);
  const job = instance.state.jobs.find(({ id }) => id === jobId);
  const isIts = job?.status === 'in_progress' && job.runnerId === runner.id;
  if (isIts && !job.cancelRequested) {
    job.delivered = true;
    instance.changed();
    return;
  }
  if (isIts) settle(instance, job, 'cancelled');
  if (runner.ephemeral) forget(instance, runner);
  if (job === undefined || job.status === 'completed')
    throw new Refusal(404, 'Job message not found.');
  throw new Refusal(409, 'Conflict');
}

/**
 * Gives a busy runner a second job, and GitHub cancels the first (actions/runner#4670). Returns
 * false if it has none.
 */
export function assignAgain(instance: Instance, runnerId: number): boolean {
  const job = instance.state.jobs.find(
    (one) => one.status === 'in_progress' && one.runnerId === runnerId,
  );
  if (job === undefined) return false;
  job.cancelRequested = true;
  instance.changed();
  return true;
}

/** Records that the runner lives, and returns whether its job is cancelled. */
export function heartbeat(
  instance: Instance,
  { credential, jobId }: { credential: string; jobId: number },
): { cancel: boolean } {
  const runner = connected(instance, credential);
  runner.lastSeenAt = instance.now();
  const job = findJob(instance, jobId);
  // Another runner has the job now, so this runner must end its work.
  if (job.runnerId !== runner.id || job.status !== 'in_progress') return { cancel: true };
  job.delivered = true;
  return { cancel: job.cancelRequested };
}

export function finishJob(
  instance: Instance,
  {
    credential,
    jobId,
    conclusion,
  }: { credential: string; jobId: number; conclusion: 'success' | 'failure' },
): void {
  const runner = connected(instance, credential);
  const job = findJob(instance, jobId);
  if (job.runnerId !== runner.id || job.status !== 'in_progress')
    throw new Refusal(409, 'Conflict');
  runner.lastSeenAt = instance.now();
  settle(instance, job, job.cancelRequested ? 'cancelled' : conclusion);
  // An ephemeral runner is removed with its only job.
  if (runner.ephemeral) forget(instance, runner);
}

export function cancelRun(instance: Instance, runId: number): void {
  const jobs = instance.state.jobs.filter((one) => one.runId === runId);
  if (jobs.length === 0) throw notFound();
  if (jobs.every(({ status }) => status === 'completed'))
    throw new Refusal(409, 'Cannot cancel a workflow run that is completed.');
  for (const job of jobs) {
    if (job.status === 'queued') settle(instance, job, 'cancelled');
    if (job.status === 'in_progress') job.cancelRequested = true;
  }
  instance.changed();
}

export function connected(instance: Instance, credential: string): RunnerRow {
  forgetAbsent(instance);
  const runner = instance.state.runners.find((one) => one.credentialDigest === digest(credential));
  if (runner === undefined) throw new Refusal(401, 'The runner registration has been deleted');
  return runner;
}

function findJob({ state }: Instance, id: number): JobRow {
  const job = state.jobs.find((one) => one.id === id);
  if (job === undefined) throw notFound();
  return job;
}

export function showJob(job: JobRow): object {
  return {
    id: job.id,
    run_id: job.runId,
    name: job.name,
    labels: job.labels,
    status: job.status,
    conclusion: job.conclusion,
    created_at: iso(job.createdAt),
    started_at: iso(job.startedAt ?? job.createdAt),
    completed_at: job.completedAt === null ? null : iso(job.completedAt),
    runner_id: job.runnerId,
    runner_name: job.runnerName,
    html_url: `https://github.example.com/${job.repository}/actions/runs/${job.runId}/job/${job.id}`,
  };
}

export function showRun({ state }: Instance, run: RunRow): object {
  const jobs = state.jobs.filter(({ runId }) => runId === run.id);
  const isOver = jobs.every(({ status }) => status === 'completed');
  const isQueued = jobs.every(({ status }) => status === 'queued');
  const bad = jobs.find(({ conclusion }) => conclusion !== 'success');
  return {
    id: run.id,
    display_title: run.title,
    path: `.github/workflows/${run.workflow}`,
    event: 'workflow_dispatch',
    status: isOver ? 'completed' : isQueued ? 'queued' : 'in_progress',
    conclusion: isOver ? (bad?.conclusion ?? 'success') : null,
    created_at: iso(run.createdAt),
    html_url: `https://github.example.com/${run.repository}/actions/runs/${run.id}`,
  };
}

function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
