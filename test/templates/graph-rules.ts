import type { Graph, GraphJob } from './graph.ts';

/**
 * GitLab's rules of a pipeline, one small function each. Read in its source and its documentation:
 * - needs: a job starts once all its needs have succeeded; one with allow_failure that failed or
 *   was cancelled counts as passed for its dependants.
 * - `when: always` with needs accepts needed jobs that succeeded, failed or were skipped, not
 *   cancelled ones; one skipped need starts it at once, even while others still run.
 * - a manual job that may not fail holds its dependants up until it is played; one that may fail
 *   does not, and they are skipped.
 * - a resource group holds one job at a time.
 * - retrying a job resets the skipped jobs after it, not those that ended green; so does playing one.
 * - a job that is only created can be cancelled, by itself or with its pipeline.
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
  readonly what: 'start' | 'end' | 'skip' | 'gate' | 'play' | 'retry' | 'cancel' | 'cancel_all';
  readonly job: string;
  readonly next: Statuses;
}

const over: readonly Status[] = ['success', 'failed', 'canceled', 'skipped'];
const alive: readonly Status[] = ['created', 'running'];

/** What the pipeline does by itself next. None: it rests. */
export function movesByItself(graph: Graph, statuses: Statuses): Move[] {
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
      case 'running':
        return [set('end', 'success'), set('end', 'failed'), set('end', 'canceled')];
      default:
        return [];
    }
  });
}

/** What people do to it. */
export function movesOfPeople(graph: Graph, statuses: Statuses): Move[] {
  const moves = graph.flatMap(({ name }): Move[] => {
    const status = statuses[name];
    const again = { ...resetSkipped(graph, statuses, name), [name]: 'created' as const };
    if (status === 'manual') {
      return [{ what: 'play', job: name, next: { ...again, [name]: 'running' } }];
    }
    if (status === 'created') {
      return [{ what: 'cancel', job: name, next: { ...statuses, [name]: 'canceled' } }];
    }
    return status === 'running' || status === 'skipped'
      ? []
      : [{ what: 'retry', job: name, next: again }];
  });
  const all = Object.entries(statuses).map(([name, status]) => [
    name,
    status !== undefined && alive.includes(status) ? 'canceled' : status,
  ]);
  return [...moves, { what: 'cancel_all', job: '', next: Object.fromEntries(all) }];
}

function judge(graph: Graph, statuses: Statuses, job: GraphJob): 'start' | 'skip' | 'wait' {
  const needs = job.needs.flatMap(({ job: name }) => graph.find((one) => one.name === name) ?? []);
  const found = needs.map((need) => ({ need, status: statuses[need.name] ?? 'created' }));
  if (job.when === 'always') {
    if (found.some(({ status }) => status === 'skipped')) return 'start';
    if (found.some(({ status }) => status === 'canceled')) return 'skip';
    return found.every(({ status }) => over.includes(status)) ? 'start' : 'wait';
  }
  // An optional manual job that nobody has pressed is passed over, and what needs it is skipped.
  const isPassedOver = ({ need, status }: (typeof found)[number]) =>
    status === 'skipped' || (status === 'manual' && need.allowFailure);
  if (found.some(isPassedOver)) return 'skip';
  if (!found.every(({ status }) => over.includes(status))) return 'wait';
  return found.every(({ need, status }) => status === 'success' || need.allowFailure)
    ? 'start'
    : 'skip';
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
  let current = statuses;
  for (const { name, needs } of graph) {
    if (!needs.some(({ job }) => job === from) || current[name] !== 'skipped') continue;
    current = resetSkipped(graph, { ...current, [name]: 'created' }, name);
  }
  return current;
}
