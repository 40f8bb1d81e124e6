import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, RunnerProtocol } from '../protocol.ts';
import type { JobLines } from './job-lines.ts';
import type { JobPayload, JobUpdate } from './payload.ts';
import type { Trace } from './trace.ts';

/** Instruction in GitLab's response for a running job. */
export type Verdict = 'go_on' | 'stop_gracefully' | 'abort';

/** Reporter of one job: sends its log, its heartbeat and its result to GitLab. */
export class JobReporter {
  readonly #protocol: RunnerProtocol;
  readonly #job: JobPayload;
  readonly #trace: Trace;
  readonly #longestIntervalMs: number;
  #traceIntervalMs: number;
  readonly #now: () => number;
  readonly #lines: JobLines;
  #lastContactMs: number;

  constructor(parts: {
    protocol: RunnerProtocol;
    job: JobPayload;
    trace: Trace;
    traceIntervalMs: number;
    now: () => number;
    lines: JobLines;
  }) {
    this.#lines = parts.lines;
    this.#protocol = parts.protocol;
    this.#job = parts.job;
    this.#trace = parts.trace;
    this.#longestIntervalMs = parts.traceIntervalMs;
    this.#traceIntervalMs = Math.min(firstIntervalMs, parts.traceIntervalMs);
    this.#now = parts.now;
    this.#lastContactMs = parts.now();
  }

  /** Acknowledges the job. Resolves to `false` if another runner has it by now. */
  async acknowledge(): Promise<boolean> {
    const answer = await this.#update({ state: 'running' });
    return answer.status === 200 || answer.status === -1 || answer.status >= 500;
  }

  /** Sends the log until `signal` is aborted. Passes every verdict except `go_on` to the job. */
  async stream(heartbeatMs: number, signal: AbortSignal, onVerdict: (verdict: Verdict) => void) {
    while (!signal.aborted) {
      await sleep(this.#traceIntervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const answer = this.#trace.next()
        ? await this.#sendPart()
        : await this.#heartbeat(heartbeatMs);
      const verdict = answer === undefined ? 'go_on' : judgeAnswer(answer);
      if (verdict !== 'go_on') onVerdict(verdict);
    }
  }

  /** Sends the rest of the log and the result. Resolves to `false` if GitLab refuses them. */
  async finish(result: JobUpdate): Promise<boolean> {
    await this.#sendRest();
    for (let attempt = 0; attempt < finalAttempts; attempt += 1) {
      const output = this.#trace.summary();
      const answer = await this.#send({ ...result, output });
      if (answer.status === 200) return true;
      if (answer.status === 403 || answer.status === 404) return false;
      if (answer.status === 412) {
        this.#trace.confirm(0);
        await this.#sendRest();
      }
      await sleep(waitAfter(answer, attempt));
    }
    return false;
  }

  async #heartbeat(heartbeatMs: number): Promise<Answer | undefined> {
    if (this.#now() - this.#lastContactMs < heartbeatMs) return undefined;
    return this.#update({ state: 'running' });
  }

  async #update(update: JobUpdate): Promise<Answer> {
    this.#lastContactMs = this.#now();
    return this.#send(update);
  }

  async #send(update: JobUpdate): Promise<Answer> {
    const id = this.#lines.updates(update.output);
    const answer = await this.#protocol.updateJob(this.#job, update);
    this.#lines.updated(answer, { ...update, id });
    return answer;
  }

  async #sendRest(): Promise<void> {
    for (let failures = 0; failures < finalAttempts && this.#trace.next() !== undefined; ) {
      const answer = await this.#sendPart();
      if (answer.status === 403 || answer.status === 404) return;
      if (answer.status === 202 || answer.status === 416) continue;
      await sleep(waitAfter(answer, failures));
      failures += 1;
    }
  }

  async #sendPart(): Promise<Answer> {
    const part = this.#trace.next();
    if (part === undefined) return this.#update({ state: 'running' });
    this.#lastContactMs = this.#now();
    const answer = await this.#protocol.appendTrace(this.#job, part.start, part.bytes);
    this.#lines.appended(answer, part);
    const range = /^0-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1];
    if (answer.status === 202) this.#trace.confirm(part.start + part.bytes.length);
    if (answer.status === 416 && range !== undefined) this.#trace.confirm(Number(range));
    this.#traceIntervalMs = intervalAfter(answer, {
      usedMs: this.#traceIntervalMs,
      longestMs: this.#longestIntervalMs,
    });
    return answer;
  }
}

/** Returns the interval of log updates that GitLab requests: once a minute without a viewer. */
export function intervalAfter(
  answer: Pick<Answer, 'headers'>,
  { usedMs, longestMs }: { usedMs: number; longestMs: number },
): number {
  const seconds = Number(answer.headers.get('x-gitlab-trace-update-interval'));
  return seconds > 0 ? Math.min(longestMs, seconds * 1000) : usedMs;
}

export function judgeAnswer(answer: Answer): Verdict {
  const status = answer.headers.get('job-status');
  if (status === 'canceled' || status === 'failed' || answer.status === 403) return 'abort';
  return status === 'canceling' ? 'stop_gracefully' : 'go_on';
}

function waitAfter(answer: Answer, attempt: number): number {
  const retryAfterSeconds = Number(answer.headers.get('retry-after'));
  if (retryAfterSeconds > 0) return retryAfterSeconds * 1000;
  return answer.status === 202 ? 500 : Math.min(10_000, 200 * 2 ** attempt);
}

const finalAttempts = 10;
const firstIntervalMs = 3000;
