import { STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobPayload } from './jobs/payload.ts';
import type { Answer, RunnerProtocol } from './protocol.ts';
import { abilitiesOf } from './version.ts';

export type IntakeResult =
  | { kind: 'job'; job: JobPayload }
  | { kind: 'none' }
  /**
   * GitLab refused the token. After three consecutive refusals, the manager stops requests for a
   * while.
   */
  | { kind: 'refused'; correlationId: string }
  | { kind: 'failed'; status: number; reason: string; correlationId: string };

/** Requests a job like the released runner, with the retries of its version. */
export async function requestJob(
  protocol: RunnerProtocol,
  { signal, now, version }: { signal: AbortSignal; now: () => number; version: string },
): Promise<IntakeResult> {
  const repeats = abilitiesOf(version).retriesRequests
    ? passes
    : (status: number) => status === 429;
  for (let attempt = 1; ; attempt += 1) {
    const { answer, job } = await protocol.requestJob(signal);
    if (job !== undefined) return { kind: 'job', job };
    if (answer.status === 204 || answer.status === 409) return { kind: 'none' };
    if (answer.status === 403) return { kind: 'refused', correlationId: idOf(answer) };
    if (!repeats(answer.status) || attempt === attemptsPerCall) {
      const { status } = answer;
      return { kind: 'failed', status, reason: reasonOf(answer), correlationId: idOf(answer) };
    }
    await sleep(waitBefore(answer, attempt, now()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { kind: 'none' };
  }
}

function passes(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status) || status >= 512;
}

function waitBefore(answer: Answer, attempt: number, nowMs: number): number {
  const resetAt = Date.parse(answer.headers.get('ratelimit-resettime') ?? '');
  if (Number.isFinite(resetAt)) return Math.max(0, Math.min(60_000, resetAt - nowMs));
  const retryAfterSeconds = Number(answer.headers.get('retry-after'));
  if (retryAfterSeconds > 0) return Math.min(60_000, retryAfterSeconds * 1000);
  return 100 * 2 ** (attempt - 1);
}

function reasonOf(answer: Answer): string {
  return answer.status === -1
    ? answer.text
    : `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim();
}

/** Returns the response's id, which the runner logs if GitLab has set one. */
function idOf({ headers }: Answer): string {
  return headers.get('x-request-id') ?? '';
}

const attemptsPerCall = 5;
