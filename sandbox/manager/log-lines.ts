import { randomBytes } from 'node:crypto';
import { type JobPayload, repositoryOf } from './jobs/payload.ts';
import type { LogLine } from './log-format.ts';
import type { ManagerSettings } from './orders.ts';
import { isAtLeast } from './version.ts';

/**
 * Returns the log messages of a released runner of the manager's version. The version limits come
 * from its source.
 */
export function linesOf(settings: ManagerSettings) {
  return { ...lifeLines(settings), ...healthLines(settings), ...requestLines(settings) };
}

function lifeLines({ version, concurrent }: ManagerSettings) {
  const counted = (builds: number) => ({
    builds,
    ...(isAtLeast(version, 16, 2) ? { max_builds: concurrent } : {}),
  });
  return {
    starting: (): LogLine => ({
      level: 'info',
      message: 'Starting multi-runner from /etc/gitlab-runner/config.toml...',
      fields: counted(0),
    }),
    loaded: (): LogLine => ({ level: 'info', message: 'Configuration loaded', fields: counted(0) }),
    quits: (builds: number): LogLine => ({
      level: 'warning',
      message: 'Starting graceful shutdown, waiting for builds to finish',
      fields: { ...counted(builds), StopSignal: 'quit' },
    }),
    terminates: (builds: number): LogLine => ({
      level: 'warning',
      message: 'Starting forceful shutdown',
      fields: { ...counted(builds), StopSignal: 'terminated' },
    }),
    timedOut: (builds: number): readonly LogLine[] => [
      {
        level: 'warning',
        message: 'Forceful shutdown not finished properly',
        fields: { ...counted(builds), error: 'shutdown timed out' },
      },
      {
        level: 'fatal',
        message: 'Service run failed',
        fields: { error: 'shutdown timed out' },
      },
    ],
    exitsAtOnce: (signal: string): LogLine => ({
      level: 'warning',
      message: `[handleForcefulShutdown] received stop signal`,
      fields: { ...counted(0), 'stop-signal': signal },
    }),
    stopped: (builds: number): readonly LogLine[] =>
      isAtLeast(version, 15, 6)
        ? ['All workers stopped.', 'All executor providers shut down.', 'Can exit now!'].map(
            (message) => ({ level: 'info', message, fields: counted(builds) }),
          )
        : [
            {
              level: 'info',
              message: 'All workers stopped. Can exit now',
              fields: counted(builds),
            },
          ],
  };
}

function healthLines(settings: ManagerSettings) {
  const id = uniqueId(settings);
  const isQuoted = isAtLeast(settings.version, 15, 7);
  return {
    silenced: (refusals: number): LogLine => {
      if (!isQuoted)
        return { level: 'error', message: `Runner ${id} is not healthy and will be disabled!` };
      const period = goDuration(settings.unhealthyIntervalMs);
      return {
        level: 'error',
        message: `Runner ${JSON.stringify(id)} is unhealthy and will be disabled for ${period} seconds!`,
        fields: { unhealthy_requests: refusals, unhealthy_requests_limit: 3 },
      };
    },
    isRetried: (): LogLine => {
      return isQuoted
        ? {
            level: 'warning',
            message: `Runner ${JSON.stringify(id)} is not healthy, but check for a new job will be forced!`,
          }
        : { level: 'error', message: `Runner ${id} is not healthy, but will be checked!` };
    },
  };
}

function requestLines(settings: ManagerSettings) {
  const { version, url } = settings;
  const since = (major: number, minor: number) => isAtLeast(version, major, minor);
  const runner = shortToken(settings);
  const requestFields = (correlationId: string) => ({
    runner,
    ...(since(15, 9) ? { runner_name: 'sandbox' } : {}),
    ...(since(18, 6) && correlationId !== '' ? { correlation_id: correlationId } : {}),
  });
  return {
    received: (job: JobPayload): LogLine => ({
      level: 'info',
      message: 'Checking for jobs... received',
      fields: {
        ...requestFields(since(19, 0) ? randomBytes(16).toString('hex') : ''),
        job: job.id,
        ...(since(19, 0) ? { repo_url: repositoryOf(job) } : {}),
      },
    }),
    forbidden: (correlationId: string): LogLine => ({
      level: 'error',
      message: 'Checking for jobs... forbidden',
      fields: {
        ...requestFields(correlationId),
        ...(since(16, 5) ? { status: `POST ${url}/api/v4/jobs/request: 403 Forbidden` } : {}),
      },
    }),
    failed: (status: number, reason: string, correlationId: string): LogLine => ({
      level: 'warning',
      message:
        status === 503 && since(18, 3)
          ? 'Checking for jobs... GitLab instance currently unavailable'
          : 'Checking for jobs... failed',
      fields: { ...requestFields(correlationId), status: statusText({ settings, status, reason }) },
    }),
  };
}

export type RunnerLines = ReturnType<typeof linesOf>;

/**
 * Returns the output of `verify`, which differs for a token that begins with `glrt-` from 15.11 on.
 */
export function verifyLine(
  settings: Pick<ManagerSettings, 'token' | 'version'>,
  status: number,
  reason: string,
): LogLine {
  const isCreated = settings.token.startsWith('glrt-') && isAtLeast(settings.version, 15, 11);
  const fields = { runner: shortToken(settings) };
  if (status === 200)
    return {
      level: 'info',
      message: `Verifying runner... is ${isCreated ? 'valid' : 'alive'}`,
      fields,
    };
  if (status === 403)
    return isCreated
      ? { level: 'info', message: 'Verifying runner... is not valid', fields }
      : { level: 'error', message: 'Verifying runner... is removed', fields };
  return {
    level: 'error',
    message: 'Verifying runner... failed',
    fields: { ...fields, status: reason },
  };
}

/** Returns the runner's id. Before 16.8, it contains the whole token after the address. */
function uniqueId(settings: Pick<ManagerSettings, 'url' | 'token' | 'version'>): string {
  const { url, token, version } = settings;
  return `${url}${isAtLeast(version, 16, 8) ? shortToken(settings) : token}`;
}

/** Returns the short token of the runner's log and metrics. */
export function shortToken({ token, version }: Pick<ManagerSettings, 'token' | 'version'>): string {
  if (isAtLeast(version, 18, 2)) return token.replace(/^glrt-(?:t[123]_)?|^glrtr-/, '').slice(0, 9);
  return isAtLeast(version, 15, 8) ? token.replace(/^glrt-/, '').slice(0, 9) : token.slice(0, 8);
}

/** Returns GitLab's refusal, or the network's error without a response. */
function statusText(result: { settings: ManagerSettings; status: number; reason: string }): string {
  const { settings, status, reason } = result;
  const address = `${settings.url}/api/v4/jobs/request`;
  if (status !== -1) return `POST ${address}: ${reason}`;
  const posted = `couldn't execute POST against ${address}: Post "${address}": ${networkWords(reason, settings.url)}`;
  return isAtLeast(settings.version, 18, 3)
    ? `execute JSON request: execute request: ${posted}`
    : posted;
}

/** Translates an error of Node into Go's message. */
function networkWords(reason: string, url: string): string {
  const { host, hostname } = new URL(url);
  if (/ECONNREFUSED/.test(reason)) return `dial tcp ${host}: connect: connection refused`;
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `dial tcp: lookup ${hostname}: no such host`;
  if (/ECONNRESET/.test(reason)) return 'read: connection reset by peer';
  if (/other side closed|socket hang up/.test(reason)) return 'EOF';
  if (/timeout|timed out/i.test(reason) && !reason.startsWith('dial tcp'))
    return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  return reason;
}

/** Formats a duration like Go: `1h0m0s`, `2s`, `500ms`. */
function goDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(
    Math.floor,
  );
  if (ms >= 3_600_000) return `${hours}h${minutes}m${seconds}s`;
  return ms >= 60_000 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
