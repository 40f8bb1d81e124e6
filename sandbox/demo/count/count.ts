import { type Marks, noMarks } from './marks.ts';

/** A customer's job as it was handed in. */
export interface SubmittedJob {
  /** In its marks; an id says nothing to its script. */
  readonly number: number;
  readonly ciJobId: number;
  readonly kind: 'short' | 'long';
  /**
   * Under which circumstances: beside deployments, the control run without one, or while no shard
   * had a machine left.
   */
  readonly stream: 'control' | 'deployments' | 'outage';
  readonly submittedAt: number;
  /** How often it was handed in; once when absent. */
  readonly tries?: number;
}

/** The word of GitLab or GitHub on a job; absent where it does not know the job. */
export interface CiJobResult {
  readonly ciServer: string;
  readonly status: string;
  readonly failureReason: string | null;
  readonly shard?: string;
}

export type JobVerdict = 'finished' | 'lost' | 'interrupted';

export interface JudgedJob extends SubmittedJob {
  readonly verdict: JobVerdict;
  /** Why it is not simply finished. */
  readonly reason?: string;
  readonly shard?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Until its first line ran; of a job that never ran, until now. */
  readonly waitMs: number;
}

export interface JobCounts {
  readonly submitted: number;
  readonly finished: number;
  readonly lost: number;
  readonly interrupted: number;
  readonly longestWaitSeconds: number;
}

/** Jobs of the control run are only compared with the others, and never counted among them. */
export function isBesideDeployment({ stream }: Pick<SubmittedJob, 'stream'>): boolean {
  return stream !== 'control';
}

/**
 * Jobs that waited longer beside deployments than they would have waited anyway, by more than each may. A job that was tried
 * again is not compared: its wait has the try that its bad runner failed.
 */
export function findLate(
  jobs: readonly JudgedJob[],
  allowedMs: (job: JudgedJob) => number,
): { readonly late: readonly JudgedJob[]; readonly usualMs: number } {
  const of = (wanted: JudgedJob['stream']) => jobs.filter(({ stream }) => stream === wanted);
  const usualMs = Math.max(0, ...of('control').map(({ waitMs }) => waitMs));
  const late = of('deployments').filter(
    (job) => (job.tries ?? 1) === 1 && job.waitMs > usualMs + allowedMs(job),
  );
  return { late, usualMs };
}

/** Two witnesses, neither of them the product: what the job wrote itself, and what GitLab or GitHub says of it. */
export function judgeJob(
  job: SubmittedJob,
  {
    marks = noMarks,
    word,
    now,
  }: { marks?: Marks | undefined; word?: CiJobResult | undefined; now: number },
): JudgedJob {
  const { starts: _, ends: __, ...times } = marks;
  return {
    ...job,
    ...times,
    ...judge(marks, word),
    ...(word?.shard === undefined ? {} : { shard: word.shard }),
    waitMs: Math.max(0, (marks.startedAt ?? now) - job.submittedAt),
  };
}

function judge(marks: Marks, word: CiJobResult | undefined): Pick<JudgedJob, 'verdict' | 'reason'> {
  const said = describe(word);
  if (marks.starts === 0) return { verdict: 'lost', reason: `it never ran; ${said}` };
  if (marks.starts > 1)
    return { verdict: 'interrupted', reason: `it was started ${marks.starts} times; ${said}` };
  if (marks.ends === 0) {
    return word?.status === 'success'
      ? { verdict: 'lost', reason: `it never reached its end; ${said}` }
      : { verdict: 'interrupted', reason: `it was stopped on its way; ${said}` };
  }
  if (word?.status !== 'success') {
    return { verdict: 'lost', reason: `it reached its end, but its result is lost; ${said}` };
  }
  return { verdict: 'finished' };
}

function describe(word: CiJobResult | undefined): string {
  if (word === undefined) return 'nobody knows it';
  const reason = word.failureReason === null ? '' : ` (${word.failureReason})`;
  return `${word.ciServer} says ${word.status}${reason}`;
}

export function countJobs(jobs: readonly JudgedJob[]): JobCounts {
  const count = (wanted: JobVerdict) => jobs.filter(({ verdict }) => verdict === wanted).length;
  return {
    submitted: jobs.length,
    finished: count('finished'),
    lost: count('lost'),
    interrupted: count('interrupted'),
    longestWaitSeconds: roundSeconds(Math.max(0, ...jobs.map(({ waitMs }) => waitMs))),
  };
}

/** To hundredths. */
export function roundSeconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}
