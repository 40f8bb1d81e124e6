import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagerSettings } from '../manager/orders.ts';
import { Diagnostics } from './diagnostics.ts';
import {
  registrationLost,
  registrationRefused,
  sessionRefused,
  unreachable,
} from './printed-words.ts';
import { type Answer, RunnerSession, type TakenJob } from './session.ts';
import { WorkerProcess } from './worker.ts';

export interface ActionsRunnerParts {
  readonly settings: ManagerSettings;
  readonly log: (line: string) => void;
  readonly onContact: () => void;
  readonly onWorkers: (pids: readonly number[]) => void;
  readonly now: () => number;
}

/** Longest time until the runner notices a cancellation. */
const mostBeatMs = 3000;
const mostAcquires = 5;

/**
 * `Runner.Listener`, which runs one job at a time. A persistent runner keeps its credential and
 * stays the same runner after a restart. An ephemeral runner leaves after its only job and
 * registers again.
 */
export class ActionsRunner {
  frozen = false;
  readonly #parts: ActionsRunnerParts;
  readonly #session: RunnerSession;
  readonly #over = new AbortController();
  readonly #diagnostics: Diagnostics;
  #worker: WorkerProcess | undefined;

  constructor(parts: ActionsRunnerParts) {
    this.#parts = parts;
    const { github, version } = parts.settings;
    this.#diagnostics = new Diagnostics(github?.home ?? '.', version, parts.now);
    this.#session = new RunnerSession(parts.settings);
  }

  /**
   * Runs the listener and returns its exit code. 0 requests no restart, as for the released runner.
   */
  async run(): Promise<number> {
    const { log, settings } = this.#parts;
    if (settings.conduct === 'never_contacts') {
      log(unreachable);
      while (!this.#isOver()) await this.#pause(1000);
      return 1;
    }
    if (!(await this.#connect())) return 1;
    log('Listening for Jobs');
    while (!this.#isOver()) {
      const answer = await this.#ask();
      if (answer.status === 401) {
        return this.#leave();
      }
      if (answer.status === 403) {
        log(`Runner version v${settings.version} is deprecated and cannot receive messages.`);
        return 1;
      }
      if (answer.status !== 200) {
        await this.#pause(settings.checkIntervalMs);
        continue;
      }
      this.#diagnostics.messageReceived();
      const job = answer.body as TakenJob;
      const isEphemeral = settings.github?.ephemeral === true;
      if (!(await this.#acquire(job.id))) {
        if (isEphemeral) return this.#haunt();
        continue;
      }
      await this.#runJob(job);
      if (isEphemeral) {
        rmSync(this.#credentialFile(), { force: true });
        return 0;
      }
    }
    return 0;
  }

  /** Handles SIGINT and SIGTERM: the listener ends and cancels its job. */
  terminate(): void {
    if (this.frozen) return;
    this.#over.abort();
    this.#worker?.stop();
  }

  quit(): void {
    this.terminate();
  }

  freeze(): void {
    this.frozen = true;
    this.#session.frozen = true;
    this.killJobs();
  }

  killJobs(): void {
    this.#worker?.stop();
  }

  async #ask(): Promise<Answer> {
    if (this.frozen) return new Promise(() => undefined);
    if (this.#parts.settings.conduct === 'never_takes_jobs')
      return { status: 204, body: undefined };
    const answer = await this.#session.take();
    if (answer.status === 200 || answer.status === 204) this.#parts.onContact();
    return answer;
  }

  async #connect(): Promise<boolean> {
    const { log, settings } = this.#parts;
    const file = this.#credentialFile();
    if (existsSync(file)) {
      this.#session.credential = readFileSync(file, 'utf8');
      return this.#openSession();
    }
    while (!this.#isOver()) {
      const answer = await this.#session.register();
      if (answer.status === 201) {
        const { credential } = answer.body as { credential: string };
        this.#session.credential = credential;
        mkdirSync(settings.github?.home ?? '.', { recursive: true, mode: 0o700 });
        writeFileSync(file, credential, { mode: 0o600 });
        log('Runner successfully added');
        return true;
      }
      log(registrationRefused(answer));
      // The unit starts the runner again, with the token of that time.
      if (answer.status === 404) return false;
      await this.#pause(settings.checkIntervalMs);
    }
    return false;
  }

  /**
   * Opens a session. A runner that was deleted while it was off keeps its files: only its host can
   * remove them.
   */
  async #openSession(): Promise<boolean> {
    const { status } = await this.#session.open();
    if (status !== 401) return true;
    this.#diagnostics.sessionRefused();
    this.#parts.log(sessionRefused);
    return false;
  }

  #leave(): number {
    const { text, forgets } = registrationLost(this.#parts.settings.version);
    this.#parts.log(text);
    if (forgets) rmSync(this.#credentialFile(), { force: true });
    return forgets ? 0 : 1;
  }

  /** Acquires a job. A cancelled job, or one that another runner has, is skipped. */
  async #acquire(jobId: number): Promise<boolean> {
    for (let attempt = 0; attempt < mostAcquires && !this.#isOver(); attempt += 1) {
      const { status } = await this.#session.acquire(jobId);
      if (status === 200) return true;
      if (status >= 400 && status < 500) break;
      await this.#pause(200);
    }
    this.#diagnostics.jobSkipped();
    return false;
  }

  /** Polls forever although the runner is no longer listed: actions/runner#4618. */
  async #haunt(): Promise<number> {
    while (!this.#isOver()) await this.#pause(1000);
    return 0;
  }

  async #runJob(job: TakenJob): Promise<void> {
    const { log, settings, onWorkers } = this.#parts;
    this.#diagnostics.jobReceived(job.id);
    log(`Running job: ${job.name}`);
    const fails = settings.conduct === 'fails_jobs';
    const worker = new WorkerProcess(fails ? { ...job, script: ['exit 1'] } : job, settings);
    this.#worker = worker;
    onWorkers(worker.pid === undefined ? [] : [worker.pid]);
    const ended = new AbortController();
    const beating = this.#beat(job.id, worker, ended.signal);
    const conclusion = await worker.run();
    ended.abort();
    await beating;
    if (this.frozen) return new Promise(() => undefined);
    await this.#report(job.id, conclusion);
    this.#worker = undefined;
    onWorkers([]);
    this.#diagnostics.jobEnded(job.id, conclusion === 'success' ? 'Succeeded' : 'Failed');
    log(
      `Job ${job.name} completed with result: ${conclusion === 'success' ? 'Succeeded' : 'Failed'}`,
    );
  }

  /** Reports a job's result until GitHub responds. Without the report, the job would be lost. */
  async #report(jobId: number, conclusion: 'success' | 'failure'): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { status } = await this.#session.finish(jobId, conclusion);
      if (status === 200 || (status >= 400 && status < 500)) return;
      await sleep(200);
    }
  }

  async #beat(jobId: number, worker: WorkerProcess, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { status, body } = await this.#session.heartbeat(jobId);
      // A listener whose registration is deleted ends and cancels its job.
      if (status === 401) worker.stop();
      if (status === 200 && (body as { cancel?: boolean }).cancel === true) worker.stop();
      const beatMs = Math.min(mostBeatMs, this.#parts.settings.traceIntervalMs);
      await sleep(beatMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  #credentialFile(): string {
    return join(this.#parts.settings.github?.home ?? '.', '.credentials');
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }
}
