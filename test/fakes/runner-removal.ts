import type { Execution } from '../../src/domain/registration.ts';
import { githubWords } from '../../src/github/words.ts';
import { gitlabWords } from '../../src/gitlab/words.ts';
import type { RegistryTraits, WorkerRemoval } from '../../src/ports/registry.ts';
import { gitlabHas } from './gitlab-version.ts';
import type { JobState, ManagerState, RegistrationState, World } from './world.ts';

/** GitHub's DELETE: refused while the runner has a job, also one that no list shows yet. */
export function removeRunner(
  world: World,
  {
    registration,
    manager,
    spare,
  }: { registration: RegistrationState; manager: ManagerState; spare: readonly number[] },
): WorkerRemoval {
  const { id, systemId, version, hostId } = manager;
  const busy = world.alive.some((job) => world.jobs[job]?.hostId === hostId);
  const ephemeral = world.behaviour.runners === 'github_ephemeral';
  const createdAt = new Date(manager.createdAt).toISOString();
  const execution: Execution = busy ? 'active' : 'idle';
  const worker = { id, systemId, version, createdAt, execution, ephemeral, hostId };
  if (spare.includes(id)) return { worker, outcome: 'spared' };
  const other = world.hosts[hostId]?.removalAnswers?.shift();
  if (other === 'unknown') return { worker, outcome: other, detail: '403 Forbidden' };
  if (other === 'absent') {
    registration.managers = registration.managers.filter((one) => one.id !== id);
    return { worker, outcome: other };
  }
  if (busy) return { worker, outcome: 'busy' };
  registration.managers = registration.managers.filter((one) => one.id !== id);
  return { worker, outcome: 'removed' };
}

/** GitLab forgets managers that were silent for a week; here, those whose host is gone. */
export function clearManagers(world: World, registration: RegistrationState): void {
  const before = registration.managers.length;
  registration.managers = registration.managers.filter(
    ({ hostId }) => world.hosts[hostId]?.state === 'running',
  );
  const isLastGone = before > 0 && registration.managers.length === 0;
  if (isLastGone && !gitlabHas(world, 'contactOutlivesManagers')) registration.contacted = false;
}

/** A list of GitHub's is up to a minute old, so that a job which has just begun is not in it. */
export function listedJobs(world: World, id: string): JobState[] {
  const alive = aliveJobs(world, id);
  if (world.behaviour.runners === undefined) return alive;
  return alive.filter(({ startedAt = world.now }) => world.now - startedAt >= 60_000);
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
        removalProvesIdle: false,
        contactIsLive: false,
        words: gitlabWords,
      }
    : {
        registrationsPer: 'worker',
        tokens: 'expiring',
        removalProvesIdle: true,
        contactIsLive: true,
        words: githubWords,
      };
}
