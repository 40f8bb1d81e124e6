import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { ManagerOrder, ManagerReport, ManagerSettings } from '../manager/orders.ts';
import type { RestartPolicy } from './behaviour.ts';

/** The supervised runner manager of one machine: docker's container or systemd's unit. */
export class Unit {
  restartPolicy: RestartPolicy;
  /** Stopped by hand: no policy brings it back. */
  heldDown = false;
  exitCode: number | undefined;
  startedAt: string | undefined;
  finishedAt: string | undefined;
  restarts = 0;
  port: number | undefined;
  contactedAt: string | undefined;
  readonly #start: UnitStart;
  #child: ChildProcess | undefined;
  #restartTimer: NodeJS.Timeout | undefined;

  constructor(start: UnitStart) {
    this.#start = start;
    this.restartPolicy = start.restartPolicy;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What its configuration file would hold. */
  get settings(): ManagerSettings {
    return this.#start.settings;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  start(): void {
    if (this.#child !== undefined) return;
    const log = openSync(this.#start.logFile, 'a', 0o600);
    const [program = process.execPath, ...words] = this.#start.command;
    const child = spawn(program, words, {
      env: { PATH: this.#start.settings.searchPath, LANG: 'C' },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#child = child;
    this.startedAt = new Date(this.#start.now()).toISOString();
    this.exitCode = undefined;
    child.on('message', (report: ManagerReport) => this.#hear(report));
    child.on('error', () => this.#ended(child, 127));
    child.on('exit', (code, signal) =>
      this.#ended(child, code ?? (signal === 'SIGKILL' ? 137 : 143)),
    );
    this.#send({ kind: 'start', settings: this.#start.settings });
  }

  /** `false` when there is no process to signal. */
  signal(name: NodeJS.Signals): boolean {
    return this.#child?.kill(name) ?? false;
  }

  freeze(): void {
    this.#send({ kind: 'freeze' });
  }

  /** No process and no restart any more; forcibly after `graceMs`. */
  async end(signal: NodeJS.Signals, graceMs: number): Promise<void> {
    this.heldDown = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (child === undefined) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(force);
  }

  #hear(report: ManagerReport): void {
    if (report.kind === 'listening') this.port = report.port;
    if (report.kind === 'contacted') this.contactedAt = new Date(this.#start.now()).toISOString();
  }

  #send(order: ManagerOrder): void {
    if (this.#child?.connected) this.#child.send(order, () => undefined);
  }

  #ended(child: ChildProcess, code: number): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.port = undefined;
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
  /** Program and arguments of the hidden command; nothing secret among them. */
  command: readonly string[];
  settings: ManagerSettings;
  restartPolicy: RestartPolicy;
  logFile: string;
  now(): number;
}

const restartDelayMs = 100;
