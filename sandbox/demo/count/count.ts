import { type Marks, noMarks } from './marks.ts';

/** Customer job as submitted. */
export interface SubmittedJob {
  /** Number of the job in its marks. Its script does not know its id. */
  readonly number: number;
  readonly ciJobId: number;
  readonly kind: 'short' | 'long';
  /**
   * Condition of the job: beside deployments, in the control run without a deployment, or while no
   * shard had a machine.
   */
  readonly stream: 'control' | 'deployments' | 'outage';
  readonly submittedAt: number;
  /** Number of submissions. Default: one. */
  readonly tries?: number;
}

/** Job as GitLab or GitHub reports it. Absent if unknown there. */
export interface CiJobResult {
  readonly ciServer: string;
  readonly status: string;
  readonly failureReason: string | null;
  readonly shard?: string;
}

export type JobVerdict = 'finished' | 'lost' | 'interrupted';

export interface CheckedJob extends SubmittedJob {
  readonly verdict: JobVerdict;
  /** Reason if the job is not simply finished. */
  readonly reason?: string;
  readonly shard?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Time until the first line ran, or until now for a job that never ran. */
  readonly waitMs: number;
}

export interface JobCounts {
  readonly submitted: number;
  readonly finished: number;
  readonly lost: number;
  readonly interrupted: number;
  readonly longestWaitSeconds: number;
}

/** Decides whether a job belongs to the count. Jobs of the control run are only for comparison. */
export function isBesideDeployment({ stream }: Pick<SubmittedJob, 'stream'>): boolean {
  return stream !== 'control';
}

/**
 * Finds jobs beside deployments that waited longer than the control run plus an allowance. A
 * repeated job is excluded, because its wait includes the attempt that the runner failed.
 */
export function findLate(
  jobs: readonly CheckedJob[],
  allowedMs: (job: CheckedJob) => number,
): { readonly late: readonly CheckedJob[]; readonly usualMs: number } {
  const of = (wanted: CheckedJob['stream']) => jobs.filter(({ stream }) => stream === wanted);
  const usualMs = Math.max(0, ...of('control').map(({ waitMs }) => waitMs));
  const late = of('deployments').filter(
    (job) => (job.tries ?? 1) === 1 && job.waitMs > usualMs + allowedMs(job),
  );
  return { late, usualMs };
}

/**
 * Checks a job against two sources outside the product: the job's own marks, and the report of
 * GitLab or GitHub.
 */
export function judgeJob(
  job: SubmittedJob,
  {
    marks = noMarks,
    word,
    now,
  }: { marks?: Marks | undefined; word?: CiJobResult | undefined; now: number },
): CheckedJob {
  const { starts: _, ends: __, ...times } = marks;
  return {
    ...job,
    ...times,
    ...judge(marks, word),
    ...(word?.shard === undefined ? {} : { shard: word.shard }),
    waitMs: Math.max(0, (marks.startedAt ?? now) - job.submittedAt),
  };
}

function judge(
  marks: Marks,
  word: CiJobResult | undefined,
): Pick<CheckedJob, 'verdict' | 'reason'> {
  const text = describe(word);
  if (marks.starts === 0) return { verdict: 'lost', reason: `it never ran; ${text}` };
  if (marks.starts > 1)
    return { verdict: 'interrupted', reason: `it was started ${marks.starts} times; ${text}` };
  if (marks.ends === 0) {
    return word?.status === 'success'
      ? { verdict: 'lost', reason: `it never reached its end; ${text}` }
      : { verdict: 'interrupted', reason: `it was stopped before its end; ${text}` };
  }
  if (word?.status !== 'success') {
    return { verdict: 'lost', reason: `it reached its end, but its result is lost; ${text}` };
  }
  return { verdict: 'finished' };
}

function describe(word: CiJobResult | undefined): string {
  if (word === undefined) return 'no source lists it';
  const reason = word.failureReason === null ? '' : ` (${word.failureReason})`;
  return `${word.ciServer} reports ${word.status}${reason}`;
}

export function countJobs(jobs: readonly CheckedJob[]): JobCounts {
  const count = (wanted: JobVerdict) => jobs.filter(({ verdict }) => verdict === wanted).length;
  return {
    submitted: jobs.length,
    finished: count('finished'),
    lost: count('lost'),
    interrupted: count('interrupted'),
    longestWaitSeconds: roundSeconds(Math.max(0, ...jobs.map(({ waitMs }) => waitMs))),
  };
}

/** Rounds to hundredths of a second. */
export function roundSeconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}
