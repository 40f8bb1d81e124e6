import {
  judgeStarvation,
  rememberWaits,
  type WaitMemory,
} from '../../../domain/bake/judge-starvation.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import type {
  FinishedJob,
  Registration,
  RegistryJob,
  WaitingJob,
} from '../../../domain/registration.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { customersAmong } from '../../observe/canary-ownership.ts';
import type { SignalFacts, SignalValue } from './read-signals.ts';

/** Limit on the requests of a check, which needs one for each project. */
const mostProjects = 10;

export interface StarvationWatch {
  /** Checks the waiting jobs together with earlier observations. */
  check(using: StageContext, facts: SignalFacts, limitMs: number): Promise<SignalValue>;
}

/** Watches for waiting jobs; each process starts without history. */
export function watchStarvation(): StarvationWatch {
  let memory: WaitMemory | undefined;
  return {
    async check(using, facts, limitMs) {
      const { registry, clock } = using.ports;
      const { registration: id } = shardEntry(using.journal.current(), facts.shard);
      if (id === undefined || facts.jobs === undefined)
        return unknown('the customer jobs of the shard cannot be listed');
      const [found, listed] = [await registry.find(id), await registry.listJobs(id)];
      if (found.kind === 'absent' || listed.kind === 'absent')
        return unknown('its runner no longer exists');
      const there = await customersAmong(using, listed.value);
      const running = there.filter(({ status }) => status !== 'assigned');
      const known = projectsOf([...there, ...facts.jobs, ...facts.before]);
      const projects = known.slice(0, mostProjects);
      if (projects.length === 0) return unknown('no project of its jobs is known');
      const { jobs, unread, missing } = await registry.listWaitingJobs(projects);
      if (missing.length === projects.length)
        return unknown(`the token has no access to ${projects.join(', ')}`);
      const matching = jobs.filter(({ tags }) => matchesTags(using, tags));
      const at = clock.elapsed();
      memory = rememberWaits(memory, {
        at,
        // A job that was assigned to the runner but never starts also waits: GitLab returns it to
        // the queue later.
        waiting: [...(await customersAmong(using, matching)), ...assignedOf(there)],
        begun: [...running, ...facts.jobs].map((job) => job.id),
        unread,
      });
      const { job, ...verdict } = judgeStarvation({ memory, at, limitMs, running: running.length });
      if (verdict.value === 'bad' && job !== undefined) {
        const why = await explain(using, id, { registration: found.value, job });
        return why === undefined ? verdict : unknown(`${verdict.detail}; ${why}`);
      }
      const [first] = unread;
      if (verdict.value !== 'good') return verdict;
      if (first === undefined) return { ...verdict, detail: `${verdict.detail}${amongOf(known)}` };
      return unknown(`the waiting jobs of ${first.project} cannot be read: ${first.detail}`);
    },
  };
}

function unknown(detail: string): SignalValue {
  return { value: 'unknown', detail };
}

/**
 * Lists the projects of the jobs, newest first. The token has just listed a job of each, so it may
 * list their jobs.
 */
function projectsOf(
  jobs: readonly Pick<FinishedJob | RegistryJob, 'project'>[],
): readonly string[] {
  return [...new Set(jobs.flatMap(({ project }) => project ?? []))];
}

function amongOf(known: readonly string[]): string {
  if (known.length <= mostProjects) return '';
  return `; only ${mostProjects} of its ${known.length} projects were queried`;
}

/** Returns whether each tag of the job is a tag of the stack, by GitLab's comparison. */
function matchesTags({ settings }: StageContext, tags: readonly string[]): boolean {
  const { registration } = settings;
  if (tags.length === 0) return registration.runUntagged;
  return tags.every((tag) => registration.tags.includes(tag));
}

function assignedOf(jobs: readonly RegistryJob[]): readonly WaitingJob[] {
  return jobs.flatMap(({ id, name, project, status }) =>
    status === 'assigned' ? [{ id, name, project, tags: [] }] : [],
  );
}

/** Explains why a job may wait although the shard is fine; undefined without an explanation. */
async function explain(
  { ports, settings }: StageContext,
  id: RegistrationId,
  { registration, job }: { registration: Registration; job: WaitingJob },
): Promise<string | undefined> {
  if (registration.paused) return 'its runner is paused';
  const missing = job.tags.filter((tag) => !registration.tags.includes(tag));
  if (missing.length > 0) return `its runner lacks ${missing.join(', ')}`;
  if (settings.registration.accessLevel === 'ref_protected')
    return 'only jobs of protected branches run there, and a job does not report whether its branch is protected';
  const writes = await ports.registry.probeWrites(id);
  if (writes.kind === 'refused') return `GitLab accepts no writes: ${writes.detail}`;
  const { list, execution, reason } = await ports.registry.readSight(id);
  if (execution === 'active') return 'a job that the token cannot list runs on the shard';
  return list === 'whole' || execution === 'idle' ? undefined : reason;
}
