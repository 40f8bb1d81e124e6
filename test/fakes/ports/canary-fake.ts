import type { StackSettings } from '../../../src/domain/settings.ts';
import type { CanaryJob, CanaryJobs } from '../../../src/ports/canary.ts';
import { PortFailure } from '../../../src/ports/failure.ts';
import { iso } from '../clock/virtual-clock.ts';
import { gitlabHas } from '../world/gitlab-version.ts';
import { cancelJob, closeJob, submitJob } from '../world/jobs.ts';
import type { JobState, World } from '../world/world.ts';

export function canaryTag(stack: StackSettings, deploymentId: string): string {
  return `canary-${deploymentId}-${stack.runnerName}`;
}

/** Creates the canary of one deployment of one stack. */
export function createCanaryFake(
  world: World,
  stack: StackSettings,
  deploymentId: string,
): CanaryJobs {
  const tag = canaryTag(stack, deploymentId);

  const all = () => canariesOf(world, tag);

  return {
    tag,
    ...(world.behaviour.canaryRefusal === undefined
      ? {}
      : { refusal: world.behaviour.canaryRefusal }),
    byHand: `press Retry on hosted_runner_canary of pipeline ${deploymentId}`,
    async findNewest() {
      const newest = all().at(-1);
      return newest === undefined ? undefined : shown(world, newest);
    },
    async find(id) {
      const job = world.jobs[id];
      return job?.kind === 'canary' ? shown(world, job) : undefined;
    },
    async start() {
      const newest = all().at(-1);
      if (world.behaviour.canaryStart === 'denied') {
        throw refused({ kind: 'denied', detail: '403 Forbidden' });
      }
      if (stack.canary.kind === 'job' && newest !== undefined && newest.finishedAt === undefined) {
        throw refused({ kind: 'denied', detail: '403 Forbidden - Job is not retryable' });
      }
      const job = startCanary(world, stack, deploymentId);
      world.history.push({
        at: world.now,
        kind: 'canary_started',
        jobId: job.id,
        deployment: deploymentId,
      });
      return shown(world, job);
    },
    async cancel({ of, machineIsGone = false } = {}) {
      const found = of === undefined ? all() : canariesOf(world, canaryTag(stack, of));
      const hanging = found.filter(({ status }) => status === 'canceling');
      if (machineIsGone && gitlabHas(world, 'forcedCancel'))
        for (const job of hanging) closeJob(world, job, 'canceled');
      const alive = found.filter(
        ({ finishedAt, status }) => finishedAt === undefined && status !== 'canceling',
      );
      for (const job of alive) cancelJob(world, job);
      return alive.length;
    },
    async listIds(givenUp) {
      const found = givenUp === undefined ? all() : canariesOf(world, canaryTag(stack, givenUp));
      return found.map(({ id }) => id);
    },
  };
}

/** Creates the visible job, which waits from the pipeline's beginning. */
export function startCanary(world: World, stack: StackSettings, deploymentId: string): JobState {
  return submitJob(world, {
    name: stack.canary.kind === 'job' ? stack.canary.jobName : 'hosted_runner_canary',
    kind: 'canary',
    tags: [canaryTag(stack, deploymentId)],
    durationMs: world.behaviour.canaryDurationMs,
    project: stack.canary.kind === 'project' ? stack.canary.project : 'platform/runners',
    deployment: deploymentId,
    visible: true,
  });
}

export function canariesOf(world: World, tag: string): JobState[] {
  return Object.values(world.jobs).filter((job) => job.kind === 'canary' && job.tags.includes(tag));
}

function shown(world: World, job: JobState): CanaryJob {
  const ran = job.startedAt !== undefined;
  // GitLab loses a job's runner with the registration.
  const known =
    ran && job.registrationId !== undefined && job.registrationId in world.registrations;
  return {
    id: job.id,
    status: job.status === 'assigned' ? 'waiting' : job.status,
    createdAt: iso(job.createdAt),
    url: `https://gitlab.example.com/${job.project}/-/jobs/${job.id}`,
    ...(job.startedAt === undefined ? {} : { startedAt: iso(job.startedAt) }),
    ...(job.finishedAt === undefined ? {} : { finishedAt: iso(job.finishedAt) }),
    ...(job.failureReason === undefined ? {} : { failureReason: job.failureReason }),
    ...(job.failureReason === 'script_failure' && world.behaviour.canaryHas !== undefined
      ? { exposed: world.behaviour.canaryHas }
      : {}),
    ...(known && job.registrationId !== undefined ? { registrationId: job.registrationId } : {}),
    ...(known && job.managerId !== undefined ? { workerId: job.managerId } : {}),
    ...(known && job.systemId !== undefined ? { systemId: job.systemId } : {}),
  };
}

function refused({ kind, detail }: { kind: 'denied' | 'refused'; detail: string }): PortFailure {
  const source = 'GitLab POST /projects/:id/jobs/:job_id/retry';
  return new PortFailure({ kind, effect: 'none', source, detail, status: 403 });
}
