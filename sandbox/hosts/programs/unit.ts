import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { runInBackground } from '../../../src/domain/background.ts';
import type { ManagerOrder, ManagerReport, ManagerSettings } from '../../manager/orders.ts';
import { abilitiesOf } from '../../manager/version.ts';
import type { RestartPolicy } from '../behaviour.ts';
import { type ReleasedRunner, spawnReleased } from '../released-runner.ts';

/** Supervised runner manager of one machine: docker's container or systemd's unit. */
export class Unit {
  restartPolicy: RestartPolicy;
  /** Whether it was stopped manually, so no policy restarts it. */
  heldDown = false;
  exitCode: number | undefined;
  startedAt: string | undefined;
  finishedAt: string | undefined;
  restarts = 0;
  port: number | undefined;
  contactedAt: string | undefined;
  /** Processes of jobs, for a runner whose jobs are found by process. */
  workers: readonly number[] = [];
  readonly #start: UnitStart;
  #settings: ManagerSettings;
  #child: ChildProcess | undefined;
  #isPreparing = false;
  #restartTimer: NodeJS.Timeout | undefined;
  /** Status that the gRPC wrapper reports for its manager. Absent without a wrapper. */
  #wrapper: WrapperStatus | undefined;

  constructor(start: UnitStart) {
    this.#start = start;
    this.#settings = start.settings;
    this.restartPolicy = start.restartPolicy;
  }

  /** Policy in the unit file, without drop-ins. */
  get ownRestartPolicy(): RestartPolicy {
    return this.#start.restartPolicy;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Process id that the machine reports, zero without a process. A wrapper is no process of this
   * computer.
   */
  get mainPid(): number {
    return this.pid ?? (this.#wrapper === undefined ? 0 : wrapperPid);
  }

  /** Content of the configuration file. */
  get settings(): ManagerSettings {
    return this.#settings;
  }

  get isRunning(): boolean {
    return this.#child !== undefined || this.#wrapper !== undefined;
  }

  start(): void {
    if (this.isRunning || this.#isPreparing) return;
    const prepared = this.#start.prepare?.();
    if (prepared === undefined) this.#spawn();
    else runInBackground(this.#spawnWith(prepared));
  }

  async #spawnWith(prepared: Promise<ManagerSettings | undefined>): Promise<void> {
    this.#isPreparing = true;
    const settings = await prepared;
    this.#isPreparing = false;
    if (settings === undefined || this.heldDown) return;
    this.#settings = settings;
    this.#spawn();
  }

  #spawn(): void {
    const { released, logFile } = this.#start;
    if (this.#start.isWrapped === true) this.#wrapper = 'running';
    const child =
      released === undefined ? this.#spawnOwn() : spawnReleased(released, this.#settings, logFile);
    this.port = released?.port;
    this.#child = child;
    this.startedAt = new Date(this.#start.now()).toISOString();
    this.exitCode = undefined;
    child.on('message', (report: ManagerReport) => this.#hear(report));
    child.on('error', () => this.#ended(child, 127));
    child.on('exit', (code, signal) =>
      this.#ended(child, code ?? (signal === 'SIGKILL' ? 137 : 143)),
    );
    this.#send({ kind: 'start', settings: this.#settings });
  }

  #spawnOwn(): ChildProcess {
    const log = openSync(this.#start.logFile, 'a', 0o600);
    const [program = process.execPath, ...words] = this.#start.command;
    const child = spawn(program, words, {
      cwd: dirname(this.#start.logFile),
      env: { PATH: this.#settings.searchPath, LANG: 'C' },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    return child;
  }

  /** Sends a signal. Returns `false` without a process. */
  signal(name: NodeJS.Signals): boolean {
    return this.#wrapper === undefined
      ? (this.#child?.kill(name) ?? false)
      : this.#signalWrapper(name);
  }

  /** Calls the wrapper and returns its status afterwards. Undefined without a response. */
  callWrapper(method: string): WrapperStatus | 'unimplemented' | undefined {
    const isKnown =
      method !== 'InitForcefulShutdown' || abilitiesOf(this.#settings.version).wrapperForces;
    if (this.#wrapper !== undefined && !isKnown) return 'unimplemented';
    const signal = wrapperSignals[method];
    if (signal !== undefined && this.#wrapper !== undefined && this.#child?.kill(signal) === true)
      this.#wrapper = 'in_shutdown';
    return this.#wrapper;
  }

  /**
   * Ends the wrapper and its manager: at once for SIGKILL, otherwise by force after ten seconds.
   */
  #signalWrapper(name: NodeJS.Signals): boolean {
    this.#wrapper = undefined;
    const child = this.#child;
    if (child === undefined) {
      this.#exited(0);
      return true;
    }
    child.kill(name === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), wrapperGraceMs);
    child.once('exit', () => clearTimeout(force));
    return true;
  }

  freeze(): void {
    if (this.#start.released !== undefined) this.#child?.kill('SIGSTOP');
    this.#send({ kind: 'freeze' });
  }

  /** Ends the process without a restart, by force after `graceMs`. */
  async end(signal: NodeJS.Signals, graceMs: number): Promise<void> {
    this.heldDown = true;
    clearTimeout(this.#restartTimer);
    this.#wrapper = undefined;
    const child = this.#child;
    if (child === undefined) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    // A stopped process receives no other signal.
    if (this.#start.released !== undefined) child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(force);
  }

  #hear(report: ManagerReport): void {
    if (report.kind === 'listening') this.port = report.port;
    if (report.kind === 'workers') this.workers = report.pids;
    if (report.kind === 'contacted') this.contactedAt = new Date(this.#start.now()).toISOString();
  }

  #send(order: ManagerOrder): void {
    if (this.#child?.connected) this.#child.send(order, () => undefined);
  }

  #ended(child: ChildProcess, code: number): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.port = undefined;
    this.workers = [];
    // The wrapper continues after its manager has ended.
    if (this.#wrapper === undefined) this.#exited(code);
    else this.#wrapper = 'stopped';
  }

  #exited(code: number): void {
    this.exitCode = code;
    this.finishedAt = new Date(this.#start.now()).toISOString();
    this.#restartTimer = setTimeout(() => this.#restartIfDue(code), restartDelayMs);
  }

  #restartIfDue(code: number): void {
    const wanted =
      this.restartPolicy === 'always' || (this.restartPolicy === 'on-failure' && code !== 0);
    if (!wanted || this.heldDown || this.isRunning) return;
    this.restarts += 1;
    this.start();
  }
}

export interface UnitStart {
  /** Program and arguments of the hidden command, without secrets. */
  command: readonly string[];
  settings: ManagerSettings;
  /** Prepares a start, if needed. Resolves once the settings for a start exist. */
  prepare?: () => Promise<ManagerSettings | undefined> | undefined;
  restartPolicy: RestartPolicy;
  /** Released gitlab-runner that replaces the sandbox's manager. */
  released?: ReleasedRunner | undefined;
  /** Whether `gitlab-runner wrapper` runs the manager. */
  isWrapped?: boolean;
  logFile: string;
  now(): number;
}

export type WrapperStatus = 'running' | 'in_shutdown' | 'stopped';

const wrapperSignals: Readonly<Record<string, NodeJS.Signals>> = {
  InitGracefulShutdown: 'SIGQUIT',
  InitForcefulShutdown: 'SIGTERM',
};

const restartDelayMs = 100;
const wrapperGraceMs = 10_000;
const wrapperPid = 1;
