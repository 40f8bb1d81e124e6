/** A canary's job as GitLab shows it. */
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
  /** What GitLab says it ran on; absent until it runs. */
  readonly registrationId?: string;
  readonly workerId?: number;
  readonly systemId?: string;
  readonly url: string;
  /** Variables with secrets of the deployment that the job was given. */
  readonly exposed?: readonly string[];
}

/** Exactly the name, or one cell of its matrix: `hosted_runner_canary: [linux]`. */
export function isNamedAs(name: string, jobName: string): boolean {
  return name === jobName || name.startsWith(`${jobName}: [`) || name.startsWith(`${jobName} `);
}
