import type { HostReport, JobRequests } from '../../../ports/runner-host.ts';
import type { HostOutput } from './host-output.ts';

const byRouter = true;
/** Status codes of a response with a job (201) and without one (204). */
const good: readonly string[] = ['201', '204'];
const forbidden = '403';

type Requests = Pick<HostReport, 'requests' | 'requestsOf'>;

/**
 * Reads the job requests of a process. A process may have several runners, and each series carries
 * a runner's short token. The configuration maps tokens to runners. A replaced token stays in the
 * metrics.
 */
export function readRequests(output: HostOutput): Requests {
  const lines = output.all('requests');
  if (lines.length === 0) return {};
  const runners = readRunners(output);
  if (runners.length > 1)
    return {
      requestsOf: runners.map(({ label, id }) => ({
        ...(id === '-' ? {} : { registration: id }),
        requests: ofSeveral(lines, label),
      })),
    };
  const [only] = runners;
  const slots = Number(/^gitlab_runner_concurrent (\d+)$/m.exec(lines.join('\n'))?.[1]);
  return {
    requests: {
      ...count(only === undefined ? lines : lines.filter(isOf(only.label))),
      ...(lines.some(isRouted) ? { byRouter } : {}),
      ...(Number.isNaN(slots) ? {} : { slots }),
    },
  };
}

/**
 * Counts the requests of one runner of several. From 19.4 on, the job router's series carries the
 * runner's label. Before, all runners of a process share one series. A runner without REST requests
 * is then the one that uses the router.
 */
function ofSeveral(lines: readonly string[], label: string): JobRequests {
  const own = lines.filter(isOf(label));
  const counted = count(own);
  const hasNoRequests = counted.answered === 0 && counted.refused === 0;
  const isShared = lines.some((line) => isRouted(line) && !line.includes('runner="'));
  return own.some(isRouted) || (isShared && hasNoRequests) ? { ...counted, byRouter } : counted;
}

/** Detects a counted request. The circuit breaker's series exist in every runner from 19.2 on. */
function isRouted(line: string): boolean {
  return /^gitlab_runner_job_router_get_job_duration_seconds_count(?:\{.*\})? [^0]/.test(line);
}

/**
 * Lists the runners of the process. If the configuration file names none of the configured runners,
 * the process uses another file.
 */
function readRunners(output: HostOutput): readonly { label: string; id: string }[] {
  const named = output.all('runner').flatMap((line) => {
    const [, label, id] = /^(\S+) (\d+|-)$/.exec(line) ?? [];
    return label === undefined || id === undefined ? [] : [{ label, id }];
  });
  const configured = output.all('configured').map((label) => ({ label, id: '-' }));
  const isIts = named.some(({ label }) => label !== '-');
  return isIts || configured.length === 0 ? named : configured;
}

function isOf(label: string): (line: string) => boolean {
  return (line) => /[{,]runner="([^"]*)"/.exec(line)?.[1] === label;
}

/**
 * Counts requests. A series is absent until its first count. Large numbers have the form `1.2e+06`.
 */
function count(lines: readonly string[]): JobRequests {
  const counts = lines.flatMap((line) => {
    // A request without a response has a negative status.
    const [, status, total] = /[{,]status="(-?\d+)".*\} (\S+)$/.exec(line) ?? [];
    return status === undefined ? [] : [{ status, total: Number(total) || 0 }];
  });
  const sum = (isMeant: (status: string) => boolean) =>
    counts.reduce((all, { status, total }) => (isMeant(status) ? all + total : all), 0);
  const failed = sum((status) => ![...good, forbidden].includes(status));
  return {
    answered: sum((status) => good.includes(status)),
    refused: sum((status) => status === forbidden),
    ...(failed === 0 ? {} : { failed }),
  };
}
