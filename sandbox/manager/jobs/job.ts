import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GuardedShell, spawnGuardedShell } from '../../hosts/programs/guarded-shell.ts';
import type { LogLine } from '../log-format.ts';
import type { ManagerSettings } from '../orders.ts';
import type { RunnerProtocol } from '../protocol.ts';
import { abilitiesOf } from '../version.ts';
import { type JobEnding, type JobLines, jobLines } from './job-lines.ts';
import type { JobPayload, JobStep, JobUpdate } from './payload.ts';
import { JobReporter, type Verdict } from './reporting.ts';
import { Trace } from './trace.ts';

/** Job on this manager, from its acknowledgement to its last report to GitLab. */
export class RunningJob {
  readonly payload: JobPayload;
  readonly startedAtMs: number;
  executorStage = 'prepare_executor';
  readonly #settings: ManagerSettings;
  readonly #trace: Trace;
  readonly #reporter: JobReporter;
  readonly #folder: string;
  #shell: GuardedShell | undefined;
  readonly #failsAtOnce: boolean;
  readonly #lines: JobLines;
  readonly #now: () => number;
  #stop: StopReason | undefined;

  constructor(parts: {
    payload: JobPayload;
    settings: ManagerSettings;
    protocol: RunnerProtocol;
    now: () => number;
    /** Whether the runner itself fails the job at once. */
    failsAtOnce: boolean;
    log: (line: LogLine) => void;
    /** Returns the number of jobs on the manager. */
    builds: () => number;
  }) {
    const { payload, settings, protocol, now } = parts;
    this.startedAtMs = now();
    this.payload = payload;
    this.#failsAtOnce = parts.failsAtOnce;
    this.#settings = settings;
    this.#now = now;
    this.#lines = jobLines(settings, payload, parts);
    const variables = payload.variables ?? [];
    this.#trace = new Trace(variables.filter(({ masked }) => masked).map(({ value }) => value));
    this.#reporter = new JobReporter({
      protocol,
      job: payload,
      trace: this.#trace,
      traceIntervalMs: settings.traceIntervalMs,
      now,
      lines: this.#lines,
    });
    this.#folder = join(settings.buildsFolder, String(payload.id));
  }

  async run(): Promise<void> {
    if (!(await this.#reporter.acknowledge())) {
      this.#tellEnd({ failure: 'was taken away before it began' });
      return;
    }
    this.#lines.added();
    if (this.#failsAtOnce) return this.#failAtOnce();
    const ended = new AbortController();
    const onVerdict = (verdict: Verdict) =>
      this.stop(verdict === 'stop_gracefully' ? 'canceling' : 'aborted');
    const streaming = this.#reporter.stream(this.#settings.heartbeatMs, ended.signal, onVerdict);
    try {
      const result = await this.#runSteps();
      ended.abort();
      await streaming;
      if (this.#stop === 'aborted') {
        this.#tellEnd({ failure: 'was cancelled' });
        return;
      }
      this.#trace.end();
      this.#tellEnd({ result, ...failureOf(result) });
      await this.#reporter.finish(result);
    } finally {
      ended.abort();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /** Records that the manager has removed the job from its list. */
  leave(): void {
    this.#lines.removed();
  }

  #tellEnd(ending: Omit<JobEnding, 'seconds'>): void {
    const seconds = ((this.#now() - this.startedAtMs) / 1000).toFixed(1);
    this.#lines.ended({ ...ending, seconds });
  }

  /**
   * Ends the running step. The first reason stays, except that an abort replaces a graceful cancel.
   */
  stop(reason: StopReason): void {
    if (this.#stop === undefined || reason === 'aborted') this.#stop = reason;
    // A runner that is shut down sends SIGTERM, which a script may ignore.
    this.#shell?.signal(reason === 'interrupted' ? 'SIGTERM' : 'SIGKILL');
  }

  async #failAtOnce(): Promise<void> {
    this.#trace.write('ERROR: Preparation failed: prepare environment: exit status 1.\n');
    this.#trace.write('ERROR: Job failed (system failure): prepare environment: exit status 1.\n');
    this.#trace.end();
    const result = { state: 'failed', failure_reason: 'runner_system_failure' } as const;
    this.#tellEnd({ result, failure: 'prepare environment: exit status 1' });
    await this.#reporter.finish(result);
  }

  async #runSteps(): Promise<JobUpdate> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#trace.write(`Running with gitlab-runner ${this.#settings.version} (sandbox)\n`);
    this.#trace.write(`  system ID: ${this.#settings.systemId}\n`);
    const limitMs = (this.payload.runner_info?.timeout ?? 3600) * 1000;
    const limit = setTimeout(() => this.stop('timeout'), Math.min(limitMs, 2 ** 31 - 1));
    let exitCode = 0;
    for (const step of this.payload.steps ?? []) {
      if (!isDue(step, exitCode) || (this.#stop !== undefined && !this.#mayFollow(step))) continue;
      const code = await this.#runStep(step);
      if (step.allow_failure !== true && step.name !== 'after_script' && exitCode === 0) {
        exitCode = code;
      }
    }
    clearTimeout(limit);
    return this.#conclude(exitCode);
  }

  // Decides whether a step runs. A job that is being cancelled still runs its after_script.
  #mayFollow(step: JobStep): boolean {
    return this.#stop === 'canceling' && step.name === 'after_script';
  }

  async #runStep(step: JobStep): Promise<number> {
    this.executorStage = step.name === 'after_script' ? 'after_script' : 'step_script';
    const scriptFile = join(this.#folder, `.${step.name.replaceAll(/\W/g, '_')}.sh`);
    writeFileSync(scriptFile, `set -e\n${step.script.join('\n')}\n`, { mode: 0o600 });
    const shell = spawnGuardedShell({
      scriptFile,
      folder: this.#folder,
      environment: this.#environment(),
      onOutput: (_stream, chunk) => this.#trace.write(chunk.toString('utf8')),
    });
    this.#shell = shell;
    const code = await shell.finished;
    this.#shell = undefined;
    return code;
  }

  #environment(): Record<string, string> {
    const environment: Record<string, string> = {
      PATH: this.#settings.searchPath,
      HOME: this.#folder,
      CI_PROJECT_DIR: this.#folder,
    };
    for (const { key, value, file } of this.payload.variables ?? []) {
      environment[key] = file === true ? this.#writeVariable(key, value) : value;
    }
    return environment;
  }

  #writeVariable(key: string, value: string): string {
    const file = join(this.#folder, `.variable-${key.replaceAll(/\W/g, '_')}`);
    writeFileSync(file, value, { mode: 0o600 });
    return file;
  }

  #conclude(exitCode: number): JobUpdate {
    const reason = this.#stop === undefined ? undefined : this.#reasonOf(this.#stop);
    if (reason !== undefined) {
      this.#trace.write(`ERROR: Job failed: ${reason}\n`);
      return { state: 'failed', failure_reason: reason };
    }
    if (exitCode === 0) {
      this.#trace.write('Job succeeded\n');
      return { state: 'success', exit_code: 0 };
    }
    this.#trace.write(`ERROR: Job failed: exit status ${exitCode}\n`);
    return { state: 'failed', failure_reason: 'script_failure', exit_code: exitCode };
  }

  #reasonOf(stop: StopReason): string {
    if (stop === 'timeout') return 'job_execution_timeout';
    const known = this.payload.features?.failure_reasons;
    if (stop !== 'interrupted') return this.#ifKnown('job_canceled', known);
    return abilitiesOf(this.#settings.version).reportsInterruption
      ? this.#ifKnown('runner_interrupted', known)
      : 'runner_system_failure';
  }

  #ifKnown(reason: string, known: readonly string[] | undefined): string {
    return known?.includes(reason) ? reason : 'runner_system_failure';
  }
}

export type StopReason = 'aborted' | 'canceling' | 'interrupted' | 'timeout';

function isDue(step: JobStep, exitCode: number): boolean {
  if (step.when === 'always') return true;
  return step.when === 'on_failure' ? exitCode !== 0 : exitCode === 0;
}

function failureOf({ state, failure_reason: reason, exit_code: code }: JobUpdate) {
  if (state === 'success') return {};
  return { failure: code === undefined ? (reason ?? '') : `exit status ${code}` };
}
