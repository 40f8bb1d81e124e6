import { leaveAfterJob } from '../hosts/registering.ts';
import { happened } from './happened.ts';
import type { HostState, JobState, RegistrationState, World } from './world.ts';
import { schedule } from './world-event.ts';

/** Time after which GitLab revokes an unacknowledged assignment. */
const requeueAfterMs = 120_000;
/** Time after which GitLab ends a job without new trace output. */
const giveUpAfterMs = 3_600_000;

/** Time after which GitHub ends a job whose runner does not respond, and releases the runner. */
const githubGivesUpAfterMs = 600_000;

export interface NewJob {
  name: string;
  tags: readonly string[];
  durationMs: number;
  kind?: JobState['kind'];
  project?: string;
  deployment?: string;
  visible?: boolean;
}

/** Submits a job, which waits for a runner. */
export function submitJob(world: World, job: NewJob): JobState {
  world.counters.job += 1;
  const state: JobState = {
    id: String(world.counters.job),
    name: job.name,
    kind: job.kind ?? 'customer',
    project: job.project ?? 'customers/shop',
    ...(job.deployment === undefined ? {} : { deployment: job.deployment }),
    tags: [...job.tags],
    visible: job.visible ?? world.behaviour.jobsVisible,
    status: 'waiting',
    durationMs: job.durationMs,
    createdAt: world.now,
    attempt: 0,
  };
  world.jobs[state.id] = state;
  world.queue.push(state.id);
  const { id: jobId, kind: of, tags } = state;
  happened(world, { kind: 'job_submitted', jobId, of, tags });
  wakeManagers(world);
  return state;
}

/** Schedules the next job request of every manager that could get a job. */
export function wakeManagers(world: World): void {
  if (world.queue.length === 0) return;
  for (const host of Object.values(world.hosts)) {
    if (host.polls || registrationOfLive(world, host) === undefined) continue;
    host.polls = true;
    const { pollMs } = world.behaviour;
    schedule(world, pollMs - ((world.now - (host.contactedAt ?? 0)) % pollMs), {
      kind: 'manager_polls',
      hostId: host.id,
    });
  }
}

/** Returns the registration of a host whose manager can request jobs now. */
export function registrationOfLive(world: World, host: HostState): RegistrationState | undefined {
  if (host.state !== 'running' || host.process !== 'running') return undefined;
  if (host.cutOff !== undefined) return undefined;
  if (host.registrationId === undefined) return undefined;
  const registration = world.registrations[host.registrationId];
  if (world.behaviour.runners !== undefined)
    return registration?.managers.some(({ id }) => id === host.managerId)
      ? registration
      : undefined;
  return registration?.token === host.token ? registration : undefined;
}

export function pollForJob(world: World, host: HostState): void {
  host.polls = false;
  const registration = registrationOfLive(world, host);
  if (registration === undefined || !takesJobs(host)) return;
  if (host.jobs.length >= world.behaviour.concurrent || !takesRequests(world, registration)) return;
  const index = world.queue.findIndex((id) => matches(registration, world.jobs[id]));
  const job = world.jobs[world.queue[index] ?? ''];
  if (job === undefined) return;
  world.queue.splice(index, 1);
  world.alive.push(job.id);
  host.jobs.push(job.id);
  job.status = 'assigned';
  job.attempt += 1;
  job.registrationId = registration.id;
  job.hostId = host.id;
  const { attempt, id: jobId } = job;
  const { id: registrationId } = registration;
  happened(world, { kind: 'job_assigned', jobId, registrationId, hostId: host.id });
  schedule(world, world.behaviour.ackMs, { kind: 'job_acknowledged', jobId, attempt });
  schedule(world, requeueAfterMs, { kind: 'job_requeued', jobId, attempt });
  wakeManagers(world);
}

function takesJobs({ boot }: HostState): boolean {
  return boot !== 'never_takes_jobs' && boot !== 'given_no_jobs';
}

function takesRequests(world: World, { paused, pausedAt }: RegistrationState): boolean {
  return !paused || world.now - (pausedAt ?? 0) < world.behaviour.lateAssignmentMs;
}

function matches(registration: RegistrationState, job: JobState | undefined): boolean {
  if (job === undefined) return false;
  if (job.tags.length === 0) return registration.runUntagged;
  return job.tags.every((tag) => registration.tags.includes(tag));
}

/** Reports the job as `running` to GitLab, which learns the job's manager only now. */
export function acknowledgeJob(world: World, job: JobState): void {
  const host = world.hosts[job.hostId ?? ''];
  if (host === undefined || host.state !== 'running' || host.process === 'stopped') return;
  if (host.cutOff !== undefined) return;
  job.status = 'running';
  job.startedAt = world.now;
  if (host.managerId !== undefined) job.managerId = host.managerId;
  job.systemId = host.systemId;
  const manager = host.managerId === undefined ? {} : { managerId: host.managerId };
  happened(world, { kind: 'job_started', jobId: job.id, hostId: host.id, ...manager });
  const durationMs = host.boot === 'fails_jobs' ? 2000 : job.durationMs;
  schedule(world, durationMs, { kind: 'job_ends', jobId: job.id, attempt: job.attempt });
}

export function endJob(world: World, job: JobState): void {
  if (world.hosts[job.hostId ?? '']?.boot === 'fails_jobs') {
    job.failureReason = 'runner_system_failure';
    closeJob(world, job, 'failed');
  } else if (job.kind === 'canary' && world.behaviour.canaryHas !== undefined) {
    job.failureReason = 'script_failure';
    closeJob(world, job, 'failed');
  } else {
    closeJob(world, job, 'success');
  }
}

/** Returns a job to the queue because its assigned runner never confirmed it. */
export function requeueJob(world: World, job: JobState): void {
  takeOffHost(world, job);
  job.status = 'waiting';
  job.attempt += 1;
  delete job.registrationId;
  delete job.hostId;
  world.queue.unshift(job.id);
  happened(world, { kind: 'job_requeued', jobId: job.id });
  wakeManagers(world);
}

/** Ends the job's process. GitLab's view of the job is separate. */
export function interruptJob(
  world: World,
  job: JobState,
  by: NonNullable<JobState['interruptedBy']>,
): void {
  job.interruptedBy = by;
  job.attempt += 1;
  happened(world, { kind: 'job_interrupted', jobId: job.id, cause: by });
  // The runner exits after `shutdown_timeout` without a final update.
  if (by === 'force' && job.ignoresSigterm !== true) {
    job.failureReason = 'runner_system_failure';
    closeJob(world, job, 'failed');
    return;
  }
  const { id: jobId, attempt } = job;
  const { runners, unresponsiveRunnerMs: runnerTimeoutMs = githubGivesUpAfterMs } = world.behaviour;
  const patienceMs = runners === undefined ? giveUpAfterMs : runnerTimeoutMs;
  schedule(world, patienceMs, { kind: 'job_given_up', jobId, attempt });
}

export function cancelJob(world: World, job: JobState): void {
  if (job.status === 'waiting') {
    world.queue.splice(world.queue.indexOf(job.id), 1);
    closeJob(world, job, 'canceled');
  } else if (job.status === 'assigned') {
    closeJob(world, job, 'canceled');
  } else if (job.status === 'running') {
    job.status = 'canceling';
    job.attempt += 1;
    schedule(world, 2000, { kind: 'job_canceled', jobId: job.id, attempt: job.attempt });
  }
}

export function closeJob(
  world: World,
  job: JobState,
  status: 'success' | 'failed' | 'canceled',
): void {
  job.status = status;
  job.finishedAt = world.now;
  const reason = job.failureReason === undefined ? {} : { reason: job.failureReason };
  happened(world, { kind: 'job_ended', jobId: job.id, status, ...reason });
  takeOffHost(world, job);
  wakeManagers(world);
}

function takeOffHost(world: World, job: JobState): void {
  world.alive = world.alive.filter((id) => id !== job.id);
  const host = world.hosts[job.hostId ?? ''];
  if (host === undefined) return;
  host.jobs = host.jobs.filter((id) => id !== job.id);
  leaveAfterJob(world, host);
  if (host.process === 'quitting' && host.jobs.length === 0) {
    schedule(world, 1000, { kind: 'process_exits', hostId: host.id });
  }
}

/** Starts a stream of customer jobs. */
export function startStream(
  world: World,
  stream: Omit<World['streams'][number], 'submitted'>,
): void {
  world.streams.push({ ...stream, submitted: 0 });
  schedule(world, 0, { kind: 'stream_submits', stream: world.streams.length - 1 });
}

export function submitFromStream(world: World, index: number): void {
  const stream = world.streams[index];
  if (stream === undefined || stream.submitted >= (stream.count ?? Number.POSITIVE_INFINITY))
    return;
  const durationMs = stream.durationsMs[stream.submitted % stream.durationsMs.length] ?? 1000;
  stream.submitted += 1;
  const name = `job ${stream.submitted} of ${stream.project}`;
  const { tags, visible, project } = stream;
  submitJob(world, { name, tags, durationMs, visible, project });
  schedule(world, stream.everyMs, { kind: 'stream_submits', stream: index });
}
