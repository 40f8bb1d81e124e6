import { setTimeout as sleep } from 'node:timers/promises';
import { askForJob } from './intake.ts';
import { RunningJob } from './job.ts';
import type { ManagerSettings } from './orders.ts';
import { RunnerProtocol } from './protocol.ts';

export type ProcessState = 'starting' | 'running' | 'graceful-shutdown' | 'forceful-shutdown';

/** A runner manager: asks GitLab for jobs, runs them, and stops the way gitlab-runner does. */
export class Manager {
  state: ProcessState = 'starting';
  readonly jobs = new Set<RunningJob>();
  frozen = false;
  jobsTaken = 0;
  readonly settings: ManagerSettings;
  readonly now: () => number;
  readonly #protocol: RunnerProtocol;
  readonly #log: (line: string) => void;
  readonly #onContact: () => void;
  readonly #intakeClosed = new AbortController();
  readonly #forced = new AbortController();
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
    this.#log = parts.log;
    this.#onContact = parts.onContact;
  }

  /** Until a signal ends it; the exit code. */
  async run(): Promise<number> {
    const { version, systemId } = this.settings;
    this.#log(`Starting multi-runner from /etc/gitlab-runner/config.toml... version=${version}`);
    this.#log(`Created missing unique system ID  system_id=${systemId}`);
    if (this.state === 'starting') this.state = 'running';
    if (this.settings.conduct !== 'never_contacts') await this.#verify();
    while (!this.#intakeClosed.signal.aborted) await this.#turn();
    await this.#finishJobs();
    this.#log('All workers stopped.');
    return this.jobs.size === 0 ? 0 : 1;
  }

  /** SIGQUIT: no further job; it cannot be taken back. An unanswered request is dropped. */
  quit(): void {
    if (this.frozen || this.state === 'forceful-shutdown') return;
    this.state = 'graceful-shutdown';
    this.#log(
      `WARNING: Starting graceful shutdown, waiting for builds to finish  builds=${this.jobs.size}`,
    );
    this.#intakeClosed.abort();
  }

  /** SIGTERM or SIGINT: running jobs are killed. */
  terminate(): void {
    if (this.frozen) return;
    this.state = 'forceful-shutdown';
    this.#log(`WARNING: Starting forceful shutdown  builds=${this.jobs.size}`);
    this.#intakeClosed.abort();
    this.#forced.abort();
    for (const job of this.jobs) job.stop('interrupted');
  }

  /**
   * The machine hangs. Its jobs are killed in silence rather than stopped: to everybody outside it
   * looks the same, and a stopped process could outlive us.
   */
  freeze(): void {
    this.frozen = true;
    this.#protocol.frozen = true;
    this.killJobs();
  }

  /** The machine is gone: no word to anybody. */
  killJobs(): void {
    for (const job of this.jobs) job.stop('aborted');
  }

  async #verify(): Promise<void> {
    const answer = await this.#protocol.verify();
    if (answer.status === 200) this.#onContact();
    this.#log(
      answer.status === 403
        ? 'ERROR: Verifying runner... is removed'
        : `Verifying runner... is valid  status=${answer.status}`,
    );
  }

  async #turn(): Promise<void> {
    if (this.frozen) return this.#pause(1000);
    const { conduct, concurrent, checkIntervalMs } = this.settings;
    if (conduct === 'never_contacts') {
      this.#log('WARNING: Checking for jobs... failed  error=dial tcp: i/o timeout');
      return this.#pause(checkIntervalMs);
    }
    if (conduct === 'never_takes_jobs') {
      await this.#protocol.verify();
      return this.#pause(checkIntervalMs);
    }
    if (this.jobs.size >= concurrent) return this.#pause(Math.min(checkIntervalMs, 100));
    const gotJob = await this.#ask();
    if (!gotJob) await this.#pause(checkIntervalMs);
  }

  async #ask(): Promise<boolean> {
    const result = await askForJob(this.#protocol, this.#intakeClosed.signal, this.now);
    if (result.kind === 'refused') {
      await this.#countRefusal();
      return false;
    }
    this.#refusals = 0;
    if (result.kind === 'failed') {
      this.#log(`WARNING: Checking for jobs... failed  error=${result.reason}`);
      return false;
    }
    this.#onContact();
    if (result.kind === 'none') return false;
    const job = new RunningJob({
      payload: result.job,
      settings: this.settings,
      protocol: this.#protocol,
      now: this.now,
    });
    this.jobs.add(job);
    this.jobsTaken += 1;
    void this.#follow(job);
    return true;
  }

  async #follow(job: RunningJob): Promise<void> {
    this.#log(`Checking for jobs... received  job=${job.payload.id}`);
    if (this.#forced.signal.aborted) job.stop('interrupted');
    const outcome = await job.run().catch((error: Error) => `failed: ${error.message}`);
    this.jobs.delete(job);
    const seconds = ((this.now() - job.startedAtMs) / 1000).toFixed(1);
    if (!this.frozen) this.#log(`Job ${outcome}  duration_s=${seconds} job=${job.payload.id}`);
  }

  async #countRefusal(): Promise<void> {
    this.#refusals += 1;
    this.#log('ERROR: Checking for jobs... forbidden');
    if (this.#refusals < refusalsUntilSilent) return;
    this.#log(
      `ERROR: Runner is unhealthy and will be disabled for ${this.settings.unhealthyIntervalMs} ms.`,
    );
    await this.#pause(this.settings.unhealthyIntervalMs);
    this.#refusals = 0;
  }

  async #finishJobs(): Promise<void> {
    while (this.jobs.size > 0 && !this.#forced.signal.aborted) {
      await sleep(20, undefined, { signal: this.#forced.signal }).catch(() => undefined);
    }
    const deadline = this.now() + this.settings.shutdownTimeoutMs;
    while (this.jobs.size > 0 && this.now() < deadline) await sleep(20);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#intakeClosed.signal }).catch(() => undefined);
  }
}

const refusalsUntilSilent = 3;
