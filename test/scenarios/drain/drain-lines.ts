import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink } from '../../fakes/builders.ts';
import { createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { HostState, JobState, World } from '../../fakes/world/world.ts';
import { schedule } from '../../fakes/world/world-event.ts';
import type { Scene } from '../scene.ts';

const minute = 60_000;

/** Irregular state of a shard before or during its drain. */
export interface Line {
  readonly name: string;
  readonly stack?: Partial<StackSettings>;
  readonly behaviour?: Partial<World['behaviour']>;
  /** Job that pink runs at the promotion of purple. */
  readonly job?: Partial<Parameters<typeof submitJob>[1]>;
  /** Called right before the drain. */
  readonly before?: (world: World, job: JobState) => void;
  /** Called at the start of the drain. */
  readonly during?: (scene: Scene, job: JobState) => void;
  /** Number of jobs that the world ends by itself. */
  readonly lost?: number;
  /** Reason why the first run ends before the drain, if it is not the long build. */
  readonly waits?: string | null;
  /** Proof of the drain, if it is not GitLab and every host. */
  readonly proof?: string;
  readonly warning?: string;
}

export function pinkHosts(world: World): readonly HostState[] {
  return hostsOf(world, world.stacks[0] as StackSettings, pink);
}

function registrationOf(world: World) {
  const found = Object.values(world.registrations).find(({ description }) =>
    description.startsWith('pink-'),
  );
  if (found === undefined) throw new Error('pink has no runner');
  return found;
}

/** Submits more jobs than the other shard can take at its next polls. */
function submitLate(world: World): void {
  for (let count = 0; count < 8; count += 1)
    submitJob(world, { name: `late build ${count}`, tags: ['linux'], durationMs: 2 * minute });
}

export const lines: readonly Line[] = [
  { name: 'a job that runs for ten minutes' },
  {
    name: 'a manager whose instance is terminated',
    warning:
      'Lost: GitLab still reports job 9000002 "long build" of customers/shop as running, but its host no longer exists (https://gitlab.example.com/customers/shop/-/jobs/9000002).',
    proof: 'no host of the shard exists',
    during: (scene) =>
      scene.simulation.at(2 * minute, (world) => {
        for (const host of pinkHosts(world)) terminateHost(world, host, 'world');
      }),
    lost: 1,
  },
  {
    name: 'a manager that ends and restarts',
    waits: null,
    job: { durationMs: minute },
    during: (scene) => {
      scene.simulation.at(1000, (world) => {
        for (const host of pinkHosts(world)) host.process = 'stopped';
      });
      scene.simulation.at(minute, (world) => {
        for (const host of pinkHosts(world)) host.process = 'running';
      });
    },
  },
  { name: 'two managers with one runner', stack: { managers: 2 } },
  {
    name: 'a manager that takes a job after the pause',
    waits: 'Job 9000004 "late build 1" and 2 more are running.',
    behaviour: { lateAssignmentMs: 9000 },
    job: { durationMs: minute },
    before: submitLate,
  },
  {
    name: 'a job that is being cancelled, which the status of the runner ignores',
    waits: 'Job 9000002 "long build" is canceling.',
    before: (world, job) => {
      // The job's after_script takes five minutes.
      job.status = 'canceling';
      job.attempt += 1;
      const { id: jobId, attempt } = job;
      schedule(world, 5 * minute, { kind: 'job_canceled', jobId, attempt });
    },
  },
  {
    name: 'a job that is assigned and not acknowledged',
    waits: 'Job 9000004 "late build 1" and 2 more are running.',
    behaviour: { ackMs: 100_000, lateAssignmentMs: 9000 },
    job: { durationMs: minute },
    before: submitLate,
  },
  {
    name: 'a token that does not see the jobs',
    job: { visible: false },
    waits: 'GitLab reports that the runner runs a job that this token cannot see.',
  },
  {
    name: 'an ephemeral runner that ends after its only job',
    before: (world) => {
      for (const host of pinkHosts(world)) host.restarts = false;
    },
    during: (scene, job) =>
      scene.simulation.at(11 * minute, (world) => {
        if (world.jobs[job.id]?.status !== 'success') return;
        for (const host of pinkHosts(world)) host.process = 'stopped';
      }),
  },
  {
    name: 'a runner that another actor deletes',
    warning:
      'Runner 48213 of pink was deleted outside hosted-runner; its hosts are checked for jobs.',
    proof: 'every host reports no job, and GitLab no longer has the runner (for 10s)',
    during: (scene) =>
      scene.simulation.at(2 * minute, (world) => {
        delete world.registrations[registrationOf(world).id];
      }),
  },
  {
    name: 'an autoscaled worker that outlives its manager',
    before: (world) => {
      const [host] = pinkHosts(world);
      if (host === undefined) throw new Error('pink has no host');
      const place = { runnerName: host.runnerName as never, shard: pink };
      const worker = createHost(world, place, false);
      // The worker has no runner manager: Systems Manager does not list it as one.
      worker.unregistered = true;
    },
  },
];
