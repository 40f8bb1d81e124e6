import type { World } from './world.ts';

/** More jobs than both shards together run at once. */
const most = 12;

/** Share of long jobs, which exist when their shard is switched, drained or broken. */
const oneLongIn = 5;

export interface Customers {
  /** Stops the stream and waits until every job has ended. */
  finish(): Promise<{ submitted: number; lost: string[]; unavailable: string[] }>;
  close(): void;
}

/**
 * Starts a stream of customer jobs, mostly short, some longer than a switch. Checks all the time
 * whether a shard accepts jobs. The counter is independent of the product.
 */
export function openForBusiness(
  { sandbox }: World,
  { everyMs = 400, longSeconds = 3 }: { everyMs?: number; longSeconds?: number } = {},
): Customers {
  const ids: number[] = [];
  const unavailable: string[] = [];
  const unfinished = () => jobs().filter(({ finishedAt }) => finishedAt === null).length;
  const submit = setInterval(() => {
    // A slow machine runs fewer jobs. A queue that only grows would be an effect of the test
    // itself.
    if (unfinished() >= most) return;
    const seconds = ids.length % oneLongIn === oneLongIn - 1 ? longSeconds : 0.1;
    const job = { project: 201, tags: ['linux'], script: [`sleep ${seconds}`] };
    ids.push(sandbox.gitlab.submitJob(job).id);
  }, everyMs);
  const watch = setInterval(() => {
    const gap = findGap(sandbox);
    if (gap !== undefined && unavailable.at(-1) !== gap) unavailable.push(gap);
  }, 20);

  function jobs() {
    const known = new Set(ids);
    return sandbox.gitlab.jobs().filter(({ id }) => known.has(id));
  }

  return {
    close() {
      clearInterval(submit);
      clearInterval(watch);
    },
    async finish() {
      clearInterval(submit);
      const deadline = performance.now() + 300_000;
      while (performance.now() < deadline && unfinished() > 0) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      clearInterval(watch);
      const lost = jobs().flatMap((job) => {
        const starts = job.transitions.filter(({ status }) => status === 'running').length;
        const ranOnce = job.status === 'success' && starts === 1 && job.retriedById === null;
        return ranOnce ? [] : [`${job.id} ${job.status} ${job.failureReason} started ${starts}×`];
      });
      return { submitted: ids.length, lost, unavailable };
    },
  };
}

/** S1: an unpaused registration with the production tags and a manager that lives. */
function findGap({ gitlab, fleet }: World['sandbox']): string | undefined {
  const accepting = gitlab
    .runners()
    .filter(({ paused, tags }) => !paused && tags.includes('linux'))
    .map(({ description }) => description);
  const alive = fleet
    .list()
    .filter(({ id, state }) => state === 'running' && fleet.machine(id)?.unit?.isRunning)
    .map(({ shard, runnerName }) => `${shard}-${runnerName}`);
  if (accepting.some((name) => alive.includes(name))) return undefined;
  return `serving: ${accepting.join(', ') || 'none'}; alive: ${alive.join(', ') || 'none'}`;
}
