import { setTimeout as sleep } from 'node:timers/promises';
import type { JobPayload } from './payload.ts';
import type { Answer, RunnerProtocol } from './protocol.ts';

export type IntakeResult =
  | { kind: 'job'; job: JobPayload }
  | { kind: 'none' }
  /** GitLab refused the token: three in a row silence the manager. */
  | { kind: 'refused' }
  | { kind: 'failed'; reason: string };

/** One call for a job as the released runner makes it: up to five attempts on a passing error. */
export async function askForJob(
  protocol: RunnerProtocol,
  signal: AbortSignal,
  now: () => number,
): Promise<IntakeResult> {
  for (let attempt = 1; ; attempt += 1) {
    const { answer, job } = await protocol.requestJob(signal);
    if (job !== undefined) return { kind: 'job', job };
    if (answer.status === 204 || answer.status === 409) return { kind: 'none' };
    if (answer.status === 403) return { kind: 'refused' };
    if (!passes(answer.status) || attempt === attemptsPerCall) {
      return { kind: 'failed', reason: reasonOf(answer) };
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
  return answer.status === -1 ? answer.text : `status=${answer.status}`;
}

const attemptsPerCall = 5;
