import type { Reached } from '../../../ports/runner-host.ts';
import type { HostOutput } from './host-output.ts';

/** Reads lines such as `0 0 0.012 200`: target, curl's exit code, connection time, status code. */
export function judgeReachability(
  output: HostOutput,
  targets: readonly string[],
): readonly Reached[] {
  const lines = new Map(
    output.all('reach').map((line) => {
      const [index = '', ...seen] = line.split(' ');
      return [index, seen] as const;
    }),
  );
  return targets.map((target, index) => judge(target, lines.get(String(index))));
}

function judge(target: string, seen: readonly string[] | undefined): Reached {
  if (seen === undefined) return { target, kind: 'refused', detail: 'it was not checked' };
  const [code = '', connect = '', status = ''] = seen;
  const isConnected = Number(connect) > 0;
  if (!target.includes('://')) {
    return isConnected
      ? { target, kind: 'reached', detail: 'it accepts connections' }
      : { target, kind: 'refused', detail: explain(code) };
  }
  if (code !== '0') return { target, kind: 'refused', detail: explain(code) };
  return isWelcome(Number(status))
    ? { target, kind: 'reached', detail: `it returns ${status}` }
    : { target, kind: 'refused', detail: `it returns ${status}` };
}

/**
 * Decides whether a server accepts this address: 401 and 404 come from the server, 403 from an
 * allow list.
 */
function isWelcome(status: number): boolean {
  return status >= 200 && status < 500 && status !== 403 && status !== 407 && status !== 429;
}

// Causes by exit code: https://curl.se/libcurl/c/libcurl-errors.html; `timeout` returns 124 and
// 137.
const causes: Readonly<Record<string, string>> = {
  '5': 'the name of the proxy cannot be resolved',
  '6': 'its name cannot be resolved',
  '7': 'no connection',
  '28': 'no response in time',
  '35': 'no TLS connection',
  '51': 'its certificate is not trusted',
  '60': 'its certificate is not trusted',
  '77': 'the certificates of the host cannot be read',
  '124': 'no response in time',
  '127': 'the host has no curl',
  '137': 'no response in time',
};

function explain(code: string): string {
  return causes[code] ?? `curl exited with ${code}`;
}
