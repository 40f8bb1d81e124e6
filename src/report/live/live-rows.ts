import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { Evidence } from '../../domain/health/evidence.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { cutToColumns } from '../../domain/text/width.ts';
import type { LiveState, ShardCheck } from './live-state.ts';

export interface LiveSize {
  readonly columns: number;
  /** Maximum number of rows. */
  readonly rows: number;
}

const mostJobs = 3;
/** Below this width, a short role leaves columns for the phase and the jobs. */
const narrow = 50;
const marks = { good: '✔', missing: '○', bad: '✖', unknown: '?' } as const;

export interface Showing {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Sanitizes external text: removes secrets, and everything that moves a terminal's cursor. */
  readonly clean: (text: string) => string;
}

/**
 * Renders a run in at most `rows` rows: a head, a lane per shard, and its jobs. Rows of jobs are
 * dropped first if there is too little space.
 */
export function liveRows(
  state: LiveState,
  { columns, rows }: LiveSize,
  showing: Showing,
): readonly string[] {
  const lanes = state.shards.map((shard) =>
    lane(state, shard, { ...showing, isNarrow: columns < narrow }),
  );
  const heads = [headRow(state, showing), ...lanes.map(({ row }) => row)];
  const freeRows = Math.max(0, rows - heads.length);
  const all =
    lanes.reduce((sum, { jobs }) => sum + jobs.length, 0) <= freeRows
      ? [heads[0] ?? '', ...lanes.flatMap(({ row, jobs }) => [row, ...jobs])]
      : heads;
  return all.slice(0, Math.max(0, rows)).map((row) => cutToColumns(row, columns));
}

function headRow({ command, runner, deployment }: LiveState, { now, clean }: Showing): string {
  const title = `── ${command} ${clean(runner)}`;
  if (deployment === undefined) return title;
  const { id, phase, startedAt } = deployment;
  return `${title} · ${phase} · ${age(startedAt, now)} · ${clean(id)}`;
}

interface Lane {
  readonly row: string;
  readonly jobs: readonly string[];
}

function lane(
  state: LiveState,
  shard: string,
  showing: Showing & { readonly isNarrow: boolean },
): Lane {
  const { now, isNarrow } = showing;
  const { deployment, active, checks } = state;
  const check = checks[shard] ?? {};
  const roles = [
    ...(active === shard ? ['active'] : []),
    ...(deployment?.candidate === shard && deployment.phase !== 'done' ? ['candidate'] : []),
    ...(deployment?.retiring === shard && deployment.phase !== 'done' ? ['retiring'] : []),
  ];
  const role = roles.join(', ') || '-';
  // The order is by importance, because the end may be cut off.
  const parts = [
    ...phaseOf(state, shard, isNarrow ? undefined : now),
    ...serviceOf(check),
    ...drainOf(state, shard, now),
    ...bakeOf(state, shard),
    ...evidenceOf(check),
  ];
  return {
    row: isNarrow
      ? `  ${[`${shard} ${roles[0] ?? '-'}`, ...parts].join(' · ')}`
      : `  ${shard.padEnd(longest(state.shards))}  ${role.padEnd(17)}  ${parts.join(' · ')}`.trimEnd(),
    jobs: jobRows(check, showing),
  };
}

/**
 * Returns the phase for the shard of the next step: the candidate, and from the drain on the
 * retiring shard.
 * @param now absent if the row is too narrow for the age of the phase
 */
function phaseOf(
  { deployment }: LiveState,
  shard: string,
  now: number | undefined,
): readonly string[] {
  if (deployment === undefined || deployment.phase === 'done') return [];
  const { phase, phaseAt, candidate, retiring } = deployment;
  const isRetiring = !isBefore(phase, 'draining') && phase !== 'retreating';
  const subject = isRetiring ? retiring : candidate;
  if (subject !== shard) return [];
  return [now === undefined ? phase : `${phase} ${age(phaseAt, now)}`];
}

function evidenceOf({ evidence = [] }: ShardCheck): readonly string[] {
  // Missing evidence comes first, because the end may be cut off.
  const isGood = ({ state }: Evidence) => state === 'good';
  const inOrder = [...evidence.filter((one) => !isGood(one)), ...evidence.filter(isGood)];
  const shown = inOrder.map(({ kind, state }) => `${marks[state]} ${kind}`).join(' ');
  return shown === '' ? [] : [shown];
}

function serviceOf({ service }: ShardCheck): readonly string[] {
  return service === undefined ? [] : [serviceLabels[service]];
}

const serviceLabels = {
  proven: 'verified',
  closed: 'no jobs accepted',
  disproven: 'cannot accept jobs',
  unknown: 'not verified',
} as const;

function drainOf({ deployment, checks }: LiveState, shard: string, now: number): readonly string[] {
  const { jobs, drain } = checks[shard] ?? {};
  if (jobs === undefined || drain === undefined) return [];
  const count =
    jobs.length > 0 ? [`${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`] : [drain];
  const expected = Date.parse(deployment?.expectedAt ?? '');
  if (jobs.length === 0 || Number.isNaN(expected)) return count;
  return [
    ...count,
    expected > now ? `about ${formatDuration(expected - now)} left` : 'longer than expected',
  ];
}

/** Describes a bake and its finished jobs. Empty after its end. */
function bakeOf({ deployment, checks }: LiveState, shard: string): readonly string[] {
  const { baked } = checks[shard] ?? {};
  if (baked === undefined || deployment?.candidate !== shard) return [];
  if (!isBefore(deployment.phase, 'baked')) return [];
  return [baked === '' ? 'baking' : `baking, ${baked}`];
}

function jobRows({ jobs = [] }: ShardCheck, { now, clean }: Showing): readonly string[] {
  const rows = jobs.slice(0, mostJobs).map(({ id, name, startedAt }) => {
    const since = startedAt === undefined ? 'not started' : `for ${age(startedAt, now)}`;
    return `      ${clean(name)} ${clean(id)} ${since}`;
  });
  return jobs.length > mostJobs ? [...rows, `      and ${jobs.length - mostJobs} more`] : rows;
}

function longest(shards: readonly string[]): number {
  return Math.max(0, ...shards.map((shard) => shard.length));
}

function age(since: string, now: number): string {
  const at = Date.parse(since);
  return Number.isNaN(at) ? 'an unknown time' : formatDuration(Math.max(0, now - at));
}
