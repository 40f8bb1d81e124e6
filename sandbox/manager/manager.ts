import { setTimeout as sleep } from 'node:timers/promises';
import { runInBackground } from '../../src/domain/background.ts';
import { requestJob } from './intake.ts';
import { RunningJob } from './jobs/job.ts';
import { formatLine, type LogLine } from './log-format.ts';
import { linesOf, type RunnerLines } from './log-lines.ts';
import type { ManagerSettings } from './orders.ts';
import { RunnerProtocol } from './protocol.ts';

export type ProcessState = 'starting' | 'running' | 'graceful-shutdown' | 'forceful-shutdown';

/** Runner manager that requests jobs from GitLab, runs them, and stops like gitlab-runner. */
export class Manager {
  state: ProcessState = 'starting';
  readonly jobs = new Set<RunningJob>();
  frozen = false;
  jobsTaken = 0;
  /** Number of job requests by GitLab's response. */
  readonly requests = { taken: 0, none: 0, refused: 0 };
  readonly settings: ManagerSettings;
  readonly now: () => number;
  readonly #protocol: RunnerProtocol;
  readonly #write: (line: string) => void;
  readonly #lines: RunnerLines;
  readonly #onContact: () => void;
  readonly #intakeClosed = new AbortController();
  readonly #forced = new AbortController();
  /** Aborted by a signal after SIGTERM: the manager no longer waits or reports. */
  readonly #gone = new AbortController();
  #silence = new AbortController();
  #refusals = 0;

  constructor(parts: {
    settings: ManagerSettings;
    log: (line: string) => void;
    onContact: () => void;
    now: () => number;
  }) {
    this.now = parts.now;
    this.settings = parts.settings;
    this.#protocol = new RunnerProtocol(parts.settings);
    this.#write = parts.log;
    this.#lines = linesOf(parts.settings);
    this.#onContact = parts.onContact;
  }

  /** Runs until a signal and resolves to the exit code. */
  run(): Promise<number> {
    const gone = new Promise<number>((resolve) =>
      this.#gone.signal.addEventListener('abort', () => resolve(1), { once: true }),
    );
    return Promise.race([this.#run(), gone]);
  }

  async #run(): Promise<number> {
    this.#log(this.#lines.starting());
    this.#log(this.#lines.loaded());
    if (this.state === 'starting') this.state = 'running';
    if (this.settings.conduct !== 'never_contacts') await this.#verify();
    while (!this.#intakeClosed.signal.aborted) await this.#turn();
    await this.#finishJobs();
    if (this.jobs.size > 0 && !this.#gone.signal.aborted) return this.#timeOut();
    if (!this.#gone.signal.aborted) this.#log(...this.#lines.stopped(this.jobs.size));
    return this.jobs.size === 0 ? 0 : 1;
  }

  /** Handles SIGQUIT: accepts no further job, permanently, and drops a pending request. */
  quit(): void {
    if (this.frozen) return;
    if (this.state === 'forceful-shutdown') {
      this.#exitAtOnce('quit');
      return;
    }
    this.state = 'graceful-shutdown';
    this.#log(this.#lines.quits(this.jobs.size));
    this.#intakeClosed.abort();
  }

  /** Handles SIGTERM or SIGINT: running jobs are killed. */
  terminate(): void {
    if (this.frozen) return;
    if (this.state === 'forceful-shutdown') {
      this.#exitAtOnce('terminated');
      return;
    }
    this.state = 'forceful-shutdown';
    this.#log(this.#lines.terminates(this.jobs.size));
    this.#intakeClosed.abort();
    this.#forced.abort();
    for (const job of this.jobs) job.stop('interrupted');
  }

  /** Exits at a second signal: GitLab never gets the results of the ended jobs. */
  #exitAtOnce(signal: string): void {
    this.#log(this.#lines.exitsAtOnce(signal));
    this.#protocol.frozen = true;
    this.killJobs();
    this.#gone.abort();
  }

  /** Exits because a job outlasts `shutdown_timeout`: GitLab gets no result. */
  #timeOut(): number {
    this.#log(...this.#lines.timedOut(this.jobs.size));
    this.#protocol.frozen = true;
    this.killJobs();
    return 1;
  }

  /** Handles SIGHUP: loads the configuration again, and resumes stopped requests. */
  reload(): void {
    if (this.frozen) return;
    this.#log(this.#lines.loaded());
    this.#refusals = 0;
    this.#silence.abort();
  }

  /**
   * Hangs like the machine. Its jobs are killed without a report instead of stopped. Outside
   * observers see no difference, and a stopped process could outlive this one.
   */
  freeze(): void {
    this.frozen = true;
    this.#protocol.frozen = true;
    this.killJobs();
  }

  /** Kills the jobs without a report, because the machine is gone. */
  killJobs(): void {
    for (const job of this.jobs) job.stop('aborted');
  }

  async #verify(): Promise<void> {
    const answer = await this.#protocol.verify();
    if (answer.status === 200) this.#onContact();
  }

  async #turn(): Promise<void> {
    if (this.frozen) return this.#pause(1000);
    const { conduct, concurrent, checkIntervalMs } = this.settings;
    if (conduct === 'never_contacts') {
      this.#log(this.#lines.failed(-1, 'dial tcp 203.0.113.1:443: i/o timeout', ''));
      return this.#pause(checkIntervalMs);
    }
    if (conduct === 'never_takes_jobs') {
      await this.#protocol.verify();
      // This simulates an empty queue: each request gets a response without a job.
      this.requests.none += 1;
      return this.#pause(checkIntervalMs);
    }
    if (this.jobs.size >= concurrent) return this.#pause(Math.min(checkIntervalMs, 100));
    const gotJob = await this.#ask();
    if (!gotJob) await this.#pause(checkIntervalMs);
  }

  async #ask(): Promise<boolean> {
    const result = await requestJob(this.#protocol, {
      signal: this.#intakeClosed.signal,
      now: this.now,
      version: this.settings.version,
    });
    if (result.kind === 'refused') {
      this.requests.refused += 1;
      await this.#countRefusal(result.correlationId);
      return false;
    }
    this.#refusals = 0;
    if (result.kind === 'failed') {
      if (!this.#intakeClosed.signal.aborted)
        this.#log(this.#lines.failed(result.status, result.reason, result.correlationId));
      return false;
    }
    this.#onContact();
    if (result.kind === 'none') {
      this.requests.none += 1;
      return false;
    }
    this.requests.taken += 1;
    this.jobsTaken += 1;
    const job = new RunningJob({
      payload: result.job,
      settings: this.settings,
      protocol: this.#protocol,
      now: this.now,
      failsAtOnce: this.#failsNext(),
      log: (line) => this.#tellOfJob(line),
      builds: () => this.jobs.size,
    });
    this.jobs.add(job);
    runInBackground(this.#follow(job));
    return true;
  }

  /** Decides whether the job that was just accepted fails. */
  #failsNext(): boolean {
    const { conduct, failsEvery } = this.settings;
    if (conduct === 'fails_jobs') return true;
    return failsEvery > 0 && this.jobsTaken % failsEvery === 0;
  }

  async #follow(job: RunningJob): Promise<void> {
    this.#log(this.#lines.received(job.payload));
    if (this.#forced.signal.aborted) job.stop('interrupted');
    await job
      .run()
      .catch((error: Error) =>
        this.#tellOfJob({ level: 'warning', message: `Job failed: ${error.message}` }),
      );
    this.jobs.delete(job);
    job.leave();
  }

  /** Logs a line about a job. A hanging machine and an ended process log nothing. */
  #tellOfJob(line: LogLine): void {
    if (!this.frozen && !this.#protocol.frozen && !this.#gone.signal.aborted) this.#log(line);
  }

  async #countRefusal(correlationId: string): Promise<void> {
    this.#refusals += 1;
    this.#log(this.#lines.forbidden(correlationId));
    if (this.#refusals < refusalsUntilPause) return;
    this.#log(this.#lines.silenced(this.#refusals));
    this.#silence = new AbortController();
    await this.#pause(this.settings.unhealthyIntervalMs, this.#silence.signal);
    this.#refusals = 0;
    if (!this.#silence.signal.aborted && !this.#intakeClosed.signal.aborted)
      this.#log(this.#lines.isRetried());
  }

  async #finishJobs(): Promise<void> {
    while (this.jobs.size > 0 && !this.#forced.signal.aborted) {
      await sleep(20, undefined, { signal: this.#forced.signal }).catch(() => undefined);
    }
    const deadline = this.now() + this.settings.shutdownTimeoutMs;
    while (this.jobs.size > 0 && this.now() < deadline) await sleep(20);
  }

  async #pause(ms: number, other?: AbortSignal): Promise<void> {
    const closed = this.#intakeClosed.signal;
    const signal = other === undefined ? closed : AbortSignal.any([closed, other]);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  #log(...lines: readonly LogLine[]): void {
    const at = new Date(this.now());
    for (const line of lines)
      this.#write(formatLine(line, { format: this.settings.logFormat, at }));
  }
}

const refusalsUntilPause = 3;
