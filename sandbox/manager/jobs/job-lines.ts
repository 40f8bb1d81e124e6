import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { LogLine } from '../log-format.ts';
import { shortToken } from '../log-lines.ts';
import type { ManagerSettings } from '../orders.ts';
import type { Answer } from '../protocol.ts';
import { isAtLeast } from '../version.ts';
import { type JobPayload, type JobUpdate, repositoryOf } from './payload.ts';

export type JobLines = ReturnType<typeof jobLines>;

/** Result of a job for the log. */
export interface JobEnding {
  /** Absent if it succeeded. */
  failure?: string;
  result?: JobUpdate;
  seconds: string;
}

interface Output {
  bytesize: number;
  checksum: string;
}

const nothing: Output = { bytesize: 0, checksum: '' };

/**
 * Returns the log lines of one job, with the messages and fields of gitlab-runner 19.4
 * (test/fixtures/gitlab-runner-19.4.0). A version before 19.0 only logs the request and the end.
 */
export function jobLines(
  settings: ManagerSettings,
  job: JobPayload,
  parts: { log: (line: LogLine) => void; builds: () => number },
) {
  const isLogged = isAtLeast(settings.version, 19, 0);
  const runner = { runner: shortToken(settings), runner_name: 'sandbox' };
  const id = { job: job.id, ...runner };
  const owner = { ...id, ...ownerOf(job) };
  const log = (line: LogLine) => {
    if (isLogged) parts.log(line);
  };
  const listed = (message: string) =>
    log({
      level: 'info',
      message,
      fields: {
        ...owner,
        builds: parts.builds(),
        max_builds: settings.concurrent,
        queue_depth: 0,
        queue_size: 0,
        repo_url: repositoryOf(job),
        runner_uuid: '',
        time_in_queue_seconds: job.job_info?.time_in_queue_seconds ?? 0,
      },
    });
  return {
    added: () => listed('Added job to processing list'),
    removed: () => listed('Removed job from processing list'),
    /** Returns the id of the request, which its response also has. */
    updates(output: Output = nothing): string {
      const correlationId = randomBytes(16).toString('hex');
      const fields = { ...id, ...output, correlation_id: correlationId };
      log({ level: 'info', message: 'Updating job...', fields });
      return correlationId;
    },
    updated(answer: Answer, update: { id: string; state: JobUpdate['state']; output?: Output }) {
      const { level, message, hasStatus } = updateWords(answer, update.state);
      const fields = {
        ...id,
        ...(update.output ?? nothing),
        ...answerFields(answer, update.id),
        ...(hasStatus ? { status: statusOf(answer) } : {}),
      };
      log({ level, message, fields });
    },
    appended(answer: Answer, { start, bytes }: { start: number; bytes: Buffer }) {
      const end = start + bytes.length;
      const isTaken = answer.status === 202;
      log({
        level: isTaken ? 'info' : 'warning',
        message: `Appending trace to coordinator...${traceWords(answer)}`,
        fields: {
          ...id,
          ...answerFields(answer, randomBytes(16).toString('hex')),
          'job-log': answer.headers.get('range') ?? `0-${end}`,
          'sent-log': `${start}-${end - 1}`,
          status: statusOf(answer),
        },
      });
    },
    ended({ failure, result, seconds }: JobEnding) {
      const isGood = failure === undefined;
      const endFields = {
        ...owner,
        'job-status': isGood ? 'success' : 'failed',
        ...(isGood ? {} : { error: failure, exit_code: result?.exit_code ?? 0 }),
        ...(result?.failure_reason === undefined ? {} : { failure_reason: result.failure_reason }),
      };
      parts.log({
        level: isGood ? 'info' : 'warning',
        message: isGood ? 'Job succeeded' : `Job failed: ${failure}`,
        fields: {
          ...(isLogged ? endFields : { job: job.id, runner: runner.runner }),
          duration_s: seconds,
        },
      });
    },
  };
}

function ownerOf({ job_info: info = {} }: JobPayload): Record<string, string | number> {
  return {
    gitlab_user_id: info.user_id ?? 0,
    namespace_id: 0,
    organization_id: 0,
    pipeline_id: info.pipeline_id ?? 0,
    project: info.project_id ?? 0,
    project_full_path: info.project_full_path ?? '',
    root_namespace_id: 0,
  };
}

function answerFields(answer: Answer, correlationId: string): Record<string, string | number> {
  const seconds = Number(answer.headers.get('x-gitlab-trace-update-interval') ?? 0);
  const interval = seconds >= 60 ? `${Math.floor(seconds / 60)}m${seconds % 60}s` : `${seconds}s`;
  return {
    code: answer.status,
    correlation_id: correlationId,
    'job-status': answer.headers.get('job-status') ?? '',
    'update-interval': interval,
  };
}

/** A final update that GitLab counts as a failed job is logged as a warning. */
function updateWords({ status }: Answer, state: JobUpdate['state']) {
  const info = { level: 'info', hasStatus: false } as const;
  const warning = { level: 'warning', hasStatus: true } as const;
  const message = 'Submitting job to coordinator...';
  if (status === 202) return { ...info, message: `${message}accepted, but not yet completed` };
  if (status !== 200) return { ...warning, message: `${message} failed` };
  return state === 'failed'
    ? { ...warning, message: `${message} job failed` }
    : { ...info, message: `${message}ok` };
}

function traceWords({ status }: Answer): string {
  if (status === 202) return 'ok';
  return status === 416 ? ' range mismatch' : ' failed';
}

function statusOf({ status }: Answer): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
