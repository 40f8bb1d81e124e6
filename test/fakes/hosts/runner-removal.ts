import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import type { Execution } from '../../../src/domain/registration.ts';
import type { RegistryTraits, WorkerRemoval } from '../../../src/ports/registry.ts';
import { gitlabHas } from '../world/gitlab-version.ts';
import { interruptJob } from '../world/jobs.ts';
import type { JobState, ManagerState, RegistrationState, World } from '../world/world.ts';

/**
 * Models GitHub's DELETE, which is refused only while GitHub reports a job on the runner. If GitHub
 * removes a runner with a job, the listener finds its registration gone and cancels the job.
 */
export function removeRunner(
  world: World,
  { registration, manager }: { registration: RegistrationState; manager: ManagerState },
): WorkerRemoval {
  const { id, systemId, version, hostId } = manager;
  const isOn = (job: JobState | undefined) => job?.hostId === hostId;
  const busy = listedJobs(world, registration.id).some(isOn);
  const ephemeral = world.behaviour.runners === 'github_ephemeral';
  const createdAt = new Date(manager.createdAt).toISOString();
  const execution: Execution = busy ? 'active' : 'idle';
  const worker = { id, systemId, version, createdAt, execution, ephemeral, hostId };
  const other = world.hosts[hostId]?.removalAnswers?.shift();
  if (other === 'unknown') return { worker, outcome: other, detail: '403 Forbidden' };
  if (busy && other === undefined) return { worker, outcome: 'busy' };
  registration.managers = registration.managers.filter((one) => one.id !== id);
  for (const job of world.alive.map((one) => world.jobs[one]).filter(isOn))
    if (job !== undefined && job.interruptedBy === undefined) interruptJob(world, job, 'us');
  return { worker, outcome: other ?? 'removed' };
}

/**
 * Removes managers whose host is gone. GitLab removes managers a week after their last contact.
 */
export function clearManagers(world: World, registration: RegistrationState): void {
  const before = registration.managers.length;
  registration.managers = registration.managers.filter(
    ({ hostId }) => world.hosts[hostId]?.state === 'running',
  );
  const isLastGone = before > 0 && registration.managers.length === 0;
  if (isLastGone && !gitlabHas(world, 'contactOutlivesManagers')) registration.contacted = false;
}

const lagMs = 60_000;
/** GitHub reports `busy: false` for minutes during a long job. */
const flip = { fromMs: 300_000, toMs: 480_000 };

/**
 * Lists the jobs that GitHub reports as busy. Jobs that have just begun are missing, and long jobs
 * for a while.
 */
export function listedJobs(world: World, id: string): JobState[] {
  const alive = aliveJobs(world, id);
  if (world.behaviour.runners === undefined) return alive;
  return alive.filter(({ startedAt = world.now }) => {
    const ageMs = world.now - startedAt;
    return ageMs >= lagMs && (ageMs < flip.fromMs || ageMs >= flip.toMs);
  });
}

export function aliveJobs(world: World, registrationId: string): JobState[] {
  return world.alive
    .map((id) => world.jobs[id] as JobState)
    .filter((job) => job.registrationId === registrationId);
}

export function traitsOf({ behaviour }: World): RegistryTraits {
  return behaviour.runners === undefined
    ? {
        registrationsPer: 'shard',
        tokens: 'reusable',
        idleSource: 'counts',
        contactIsLive: false,
        words: gitlabTerms,
      }
    : {
        registrationsPer: 'worker',
        tokens: 'expiring',
        idleSource: 'proves_nothing',
        contactIsLive: true,
        words: githubTerms,
      };
}
