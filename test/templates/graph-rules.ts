import type { Graph, GraphJob } from './graph.ts';

/**
 * GitLab's rules of a pipeline, one small function each, as its source has them:
 * - needs are first made one status: skipped, or manual and allowed to fail, makes it skipped at
 *   once; then whatever has not ended is waited for; then one that failed or was cancelled and may
 *   fail counts as success; cancelled beside successes is cancelled, anything failed is failed.
 * - on_success accepts success alone; `when: always` success, failed and skipped, not cancelled.
 * - a manual job that may not fail holds its dependants up until it is played; one that may fail
 *   does not, and they are skipped. It outlives its pipeline's cancel, not its own.
 * - a resource group holds one job at a time.
 * - retrying or playing a job resets the skipped jobs that need it, through jobs of any status; what
 *   was cancelled, failed or ended green stays. A manual job that is retried starts at once.
 * - retrying the pipeline runs all failed and cancelled jobs again, also those cancelled before they
 *   began, and resets all skipped ones; a manual one waits for its press again.
 * - `auto_cancel: on_job_failure: all` cancels what is alive when a job fails that may not.
 * All jobs stand in one stage here, so that later stages have nothing to reset.
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

/** What the pipeline does by itself next. None: it rests. */
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
      // Exit code 75 and a failure of the runner's are retried twice and then count as failed.
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

/** What people do to it. */
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
