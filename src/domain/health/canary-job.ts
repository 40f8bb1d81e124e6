/** A canary's job as GitLab reports it. */
export interface CanaryJob {
  readonly id: string;
  readonly status:
    | 'waiting'
    | 'running'
    | 'canceling'
    | 'success'
    | 'failed'
    | 'canceled'
    | 'unknown';
  /** ISO 8601, GitLab's clock. */
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly failureReason?: string;
  /** The runner that GitLab reports for the job; absent until the job runs. */
  readonly registrationId?: string;
  readonly workerId?: number;
  readonly systemId?: string;
  readonly url: string;
  /** Variables with deployment secrets that the job received. */
  readonly exposed?: readonly string[];
}

/** Matches exactly the name, or one cell of its matrix: `hosted_runner_canary: [linux]`. */
export function isNamedAs(name: string, jobName: string): boolean {
  return name === jobName || name.startsWith(`${jobName}: [`) || name.startsWith(`${jobName} `);
}
