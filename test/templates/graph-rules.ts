import type { Graph, GraphJob } from './graph.ts';

/**
 * GitLab's rules of a pipeline, one small function each, according to its source.
 * 1. Needs are combined into one status. A skipped need, or a manual one that may fail, skips the
 *    job at once. Then the job waits for all others. A failed or cancelled need that may fail
 *    counts as success. Successes with a cancelled need count as cancelled, any failed need as
 *    failed.
 * 2. `on_success` accepts only success. `when: always` accepts success, failed and skipped, not
 *    cancelled.
 * 3. A manual job that may not fail blocks its dependants until it is played. One that may fail
 *    does not, and they are skipped. It survives its pipeline's cancel, not its own.
 * 4. A resource group holds one job at a time.
 * 5. A retried or played job resets the skipped jobs that need it, through jobs of any status.
 *    Other finished jobs stay. A manual job that is retried starts at once.
 * 6. A retried pipeline runs all failed and cancelled jobs again, even if cancelled before their
 *    start, and resets all skipped ones. A manual one waits for its button again.
 * 7. `auto_cancel: on_job_failure: all` cancels all unfinished jobs if a job fails that may not.
 *
 * All jobs are in one stage here, so later stages have nothing to reset.
 */
export type Status =
  | 'created'
  | 'manual'
  | 'running'
  | 'success'
  | 'failed'
  | 'canceled'
  | 'skipped';

export type Statuses = Readonly<Record<string, Status>>;

export interface Move {
  readonly what:
    | 'start'
    | 'end'
    | 'skip'
    | 'gate'
    | 'play'
    | 'retry'
    | 'cancel'
    | 'cancel_all'
    | 'retry_all';
  readonly job: string;
  readonly next: Statuses;
}

export type OnJobFailure = 'none' | 'all';

const over: readonly Status[] = ['success', 'failed', 'canceled', 'skipped'];
const alive: readonly Status[] = ['created', 'running'];

/** Lists the pipeline's next moves without a user; none in a final state. */
export function movesByItself(
  graph: Graph,
  statuses: Statuses,
  onJobFailure: OnJobFailure = 'none',
): Move[] {
  return graph.flatMap((job): Move[] => {
    const set = (what: Move['what'], status: Status): Move => ({
      what,
      job: job.name,
      next: { ...statuses, [job.name]: status },
    });
    switch (statuses[job.name]) {
      case 'created': {
        const readiness = judge(graph, statuses, job);
        if (readiness === 'skip') return [set('skip', 'skipped')];
        if (readiness === 'wait') return [];
        if (job.when === 'manual') return [set('gate', 'manual')];
        return isHeld(graph, statuses, job) ? [] : [set('start', 'running')];
      }
      // Exit code 75 and a runner system failure are retried twice and then count as failed.
      case 'running': {
        const failed = set('end', 'failed');
        const takesAll = onJobFailure === 'all' && !job.allowFailure;
        const ends = takesAll ? { ...failed, next: cancelAlive(failed.next) } : failed;
        return [set('end', 'success'), ends, set('end', 'canceled')];
      }
      default:
        return [];
    }
  });
}

/** Lists the moves of users. */
export function movesOfPeople(graph: Graph, statuses: Statuses): Move[] {
  const moves = graph.flatMap(({ name, when }): Move[] => {
    const status = statuses[name];
    const again = resetSkipped(graph, statuses, name);
    const set = (what: Move['what'], next: Statuses): Move => ({ what, job: name, next });
    const cancelled = { ...statuses, [name]: 'canceled' as const };
    if (status === 'manual')
      return [set('play', { ...again, [name]: 'running' }), set('cancel', cancelled)];
    if (status === 'created') return [set('cancel', cancelled)];
    return status === 'running' || status === 'skipped'
      ? []
      : [set('retry', { ...again, [name]: when === 'manual' ? 'running' : 'created' })];
  });
  return [
    ...moves,
    { what: 'cancel_all', job: '', next: cancelAlive(statuses) },
    { what: 'retry_all', job: '', next: retryAll(statuses) },
  ];
}

function cancelAlive(statuses: Statuses): Statuses {
  return mapped(statuses, (status) => (alive.includes(status) ? 'canceled' : status));
}

function retryAll(statuses: Statuses): Statuses {
  const again: readonly Status[] = ['failed', 'canceled', 'skipped'];
  return mapped(statuses, (status) => (again.includes(status) ? 'created' : status));
}

function mapped(statuses: Statuses, change: (status: Status) => Status): Statuses {
  return Object.fromEntries(
    Object.entries(statuses).map(([name, status]) => [name, change(status)]),
  );
}

function judge(graph: Graph, statuses: Statuses, job: GraphJob): 'start' | 'skip' | 'wait' {
  const accepted = job.when === 'always' ? ['success', 'failed', 'skipped'] : ['success'];
  const status = statusOfNeeds(graph, statuses, job);
  if (status === 'pending') return 'wait';
  return accepted.includes(status) ? 'start' : 'skip';
}

function statusOfNeeds(graph: Graph, statuses: Statuses, job: GraphJob): Status | 'pending' {
  const found = job.needs
    .flatMap(({ job: name }) => graph.find((one) => one.name === name) ?? [])
    .map((need) => ({ need, status: statuses[need.name] ?? 'created' }));
  const isPassedOver = ({ need, status }: (typeof found)[number]) =>
    status === 'skipped' || (status === 'manual' && need.allowFailure);
  if (found.some(isPassedOver)) return 'skipped';
  if (!found.every(({ status }) => over.includes(status))) return 'pending';
  const hard = found.filter(({ need }) => !need.allowFailure).map(({ status }) => status);
  if (hard.includes('failed')) return 'failed';
  return hard.includes('canceled') ? 'canceled' : 'success';
}

function isHeld(graph: Graph, statuses: Statuses, { name, resourceGroup }: GraphJob): boolean {
  if (resourceGroup === undefined) return false;
  return graph.some(
    (other) =>
      other.name !== name &&
      other.resourceGroup === resourceGroup &&
      statuses[other.name] === 'running',
  );
}

function resetSkipped(graph: Graph, statuses: Statuses, from: string): Statuses {
  const reached = new Set([from]);
  for (let before = 0; before !== reached.size; ) {
    before = reached.size;
    for (const { name, needs } of graph)
      if (needs.some(({ job }) => reached.has(job))) reached.add(name);
  }
  const reset = [...reached].filter((name) => statuses[name] === 'skipped');
  return { ...statuses, ...Object.fromEntries(reset.map((name) => [name, 'created' as const])) };
}
