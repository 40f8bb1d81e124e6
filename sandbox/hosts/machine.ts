import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retiredToken } from '../../src/domain/deployment/token-retirement.ts';
import { type FleetText, forgetIfDeleted, layOutActionsRunner } from '../actions-runner/home.ts';
import type { ActionsRunnerSettings, ManagerSettings } from '../manager/orders.ts';
import type { Behaviour } from './behaviour.ts';
import { whyTokenIsOld } from './behaviour.ts';
import { Containers } from './containers.ts';
import type { Executed, Inside } from './inside.ts';
import type { Instance } from './instance.ts';
import { managerSettingsOf, shutdownGraceMs } from './manager-settings.ts';
import { Calls } from './programs/calls.ts';
import { runMachineCommand } from './programs/commands.ts';
import { type GuardedShell, spawnGuardedShell } from './programs/guarded-shell.ts';
import { writeShims } from './programs/shims.ts';
import { Unit } from './programs/unit.ts';
import { freePort, type ReleasedRunner } from './released-runner.ts';

/** Machine that is switched on: its folder, its commands, its runner manager. */
export class Machine implements Inside {
  readonly instanceId: string;
  readonly root: string;
  readonly logFile: string;
  readonly behaviour: Behaviour;
  readonly containers: Containers;
  unit: Unit | undefined;
  released: ReleasedRunner | undefined;
  readonly #instance: Instance;
  readonly #world: MachineWorld;
  readonly #calls: Calls;
  readonly #off = new AbortController();
  readonly #shells = new Set<GuardedShell>();
  #scripts = 0;
  #booting: Promise<boolean> | undefined;

  constructor(instance: Instance, behaviour: Behaviour, world: MachineWorld) {
    this.instanceId = instance.id;
    this.behaviour = behaviour;
    this.root = join(world.folder, instance.id);
    this.logFile = join(this.root, 'gitlab-runner.log');
    this.containers = new Containers(this.root);
    this.#instance = instance;
    this.#world = world;
    this.#calls = new Calls(join(this.root, 'calls'), (words) => runMachineCommand(this, words));
  }

  /** Boots without the runner manager. `false` if the machine was switched off meanwhile. */
  boot(): Promise<boolean> {
    const booting = this.#boot();
    this.#booting = booting;
    return booting;
  }

  async #boot(): Promise<boolean> {
    mkdirSync(join(this.root, 'etc', 'gitlab-runner'), { recursive: true, mode: 0o700 });
    mkdirSync(join(this.root, 'scripts'), { recursive: true, mode: 0o700 });
    writeFileSync(this.#systemIdFile(), this.#instance.systemId, { mode: 0o600 });
    writeShims(join(this.root, 'bin'));
    await this.#calls.open();
    if (await this.#wait(this.behaviour.bootDelayMs)) return true;
    this.#calls.close();
    return false;
  }

  async startManager(): Promise<void> {
    const settings = await this.#readSettings();
    if (settings === undefined) return;
    this.released = await this.#findReleased();
    this.unit = new Unit({
      command: this.#world.managerCommand,
      settings,
      prepare: () => (this.#registersAnew() ? this.#readSettings() : undefined),
      restartPolicy: this.behaviour.restartPolicy,
      released: this.released,
      isWrapped: this.behaviour.wrapped && this.released === undefined,
      logFile: this.logFile,
      now: () => this.#world.now(),
    });
    this.unit.start();
  }

  async #findReleased(): Promise<ReleasedRunner | undefined> {
    const binary = this.#world.runnerBinary;
    if (binary === undefined || this.behaviour.process === 'actions_runner') return undefined;
    const configFile = join(this.root, 'etc', 'gitlab-runner', 'config.toml');
    return { binary, configFile, port: await freePort(), searchPath: this.#world.searchPath };
  }

  /**
   * Reads the token repeatedly until it is usable, like the machine's start script. Undefined if
   * the machine was switched off meanwhile.
   */
  async #readSettings(): Promise<ManagerSettings | undefined> {
    let noted = '';
    while (!this.#off.signal.aborted) {
      const token = await this.#world.readToken(this.#instance).catch(() => undefined);
      const ended = whyTokenIsOld(this.behaviour.process, token?.ageMs ?? 0);
      if (ended !== '' && noted === '') this.note(ended);
      noted = ended;
      const github = await this.#readActionsRunner().catch(() => undefined);
      const isReady = github !== undefined || this.behaviour.process !== 'actions_runner';
      const isThere = token !== undefined && token.value !== retiredToken;
      if (isThere && ended === '' && isReady && !this.#off.signal.aborted)
        return managerSettingsOf(this, {
          url: this.#world.gitlabUrl(),
          token: token.value,
          systemId: this.#instance.systemId,
          searchPath: this.#world.searchPath,
          github,
        });
      await this.#wait(tokenRetryMs);
    }
    return undefined;
  }

  /** Decides whether a GitHub runner must register again: its credential is gone. */
  #registersAnew(): boolean {
    const home = this.unit?.settings.github?.home;
    if (home === undefined) return false;
    if (this.behaviour.ephemeral) forgetIfDeleted(home);
    return !existsSync(join(home, '.credentials'));
  }

  /** Writes the files of a GitHub runner before its start, like its host. */
  async #readActionsRunner(): Promise<ActionsRunnerSettings | undefined> {
    if (this.behaviour.process !== 'actions_runner') return undefined;
    const fleet = await this.#world.readFleet(this.#instance);
    if (fleet === undefined) return undefined;
    const { shard, runnerName, id } = this.#instance;
    const home = join(this.root, 'actions-runner');
    const name = `${shard}-${runnerName}-${id}`;
    layOutActionsRunner({ home, name });
    const { labels, group = 'Default' } = fleet;
    return { name, labels, group, ephemeral: this.behaviour.ephemeral, home };
  }

  /** Runs a script in place of the machine's root. It is killed if the machine is switched off. */
  async execute(script: string, options: ExecuteOptions = {}): Promise<Executed> {
    this.#scripts += 1;
    const scriptFile = join(this.root, 'scripts', `${this.#scripts}.sh`);
    writeFileSync(scriptFile, script, { mode: 0o600 });
    const output = { stdout: '', stderr: '' };
    const shell = spawnGuardedShell({
      scriptFile,
      folder: options.folder ?? this.root,
      environment: this.#scriptEnvironment(),
      onOutput: (stream, chunk) => {
        if (output[stream].length < outputLimit) output[stream] += chunk.toString('utf8');
      },
    });
    this.#shells.add(shell);
    const kill = () => shell.signal('SIGKILL');
    options.signal?.addEventListener('abort', kill, { once: true });
    if (this.#off.signal.aborted || options.signal?.aborted) kill();
    const code = await shell.finished;
    this.#shells.delete(shell);
    options.signal?.removeEventListener('abort', kill);
    rmSync(scriptFile, { force: true });
    return { code, out: output.stdout, err: output.stderr };
  }

  now(): number {
    return this.#world.now();
  }

  /** Writes to the log that operators read if the machine does not start. */
  note(text: string): false {
    appendFileSync(this.logFile, `${text}\n`);
    return false;
  }

  freeze(): void {
    this.unit?.freeze();
  }

  /** Switches the machine off. Without `abrupt`, the manager gets SIGTERM and may report. */
  async powerOff({ abrupt }: { abrupt: boolean }): Promise<void> {
    this.#off.abort();
    await this.#booting?.catch(() => undefined);
    for (const shell of this.#shells) shell.signal('SIGKILL');
    await this.unit?.end(abrupt ? 'SIGKILL' : 'SIGTERM', shutdownGraceMs);
    this.#calls.close();
    // The configuration of a released runner contains its token.
    rmSync(join(this.root, 'etc', 'gitlab-runner', 'config.toml'), { force: true });
    for (const name of ['calls', 'scripts', 'bin', 'builds', 'containers']) {
      rmSync(join(this.root, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Waits. Resolves to `false` if the machine was switched off meanwhile. */
  async #wait(ms: number): Promise<boolean> {
    await sleep(ms, undefined, { signal: this.#off.signal }).catch(() => undefined);
    return !this.#off.signal.aborted;
  }

  /** Runs `event` after some time, unless the machine is switched off. */
  async after(ms: number, event: () => void): Promise<void> {
    if (await this.#wait(ms)) event();
  }

  #systemIdFile(): string {
    return join(this.root, 'etc', 'gitlab-runner', '.runner_system_id');
  }

  #scriptEnvironment(): Record<string, string> {
    return {
      PATH: `${join(this.root, 'bin')}:${this.#world.searchPath}`,
      HOME: this.root,
      LANG: 'C',
      MACHINE_ROOT: this.root,
      MACHINE_CALLS: join(this.root, 'calls'),
      MACHINE_REAL_PATH: this.#world.searchPath,
    };
  }
}

export interface MachineWorld {
  /** Folder with a subfolder per machine. */
  readonly folder: string;
  readonly managerCommand: readonly string[];
  readonly searchPath: string;
  /** Released gitlab-runner to start on each machine. */
  readonly runnerBinary?: string | undefined;
  now(): number;
  gitlabUrl(): string;
  /**
   * Reads the fleet for a new GitHub runner. Undefined while there is none, or while it is paused.
   */
  readFleet(stackShard: { runnerName: string; shard: string }): Promise<FleetText | undefined>;
  /** Reads the token. Undefined while there is none. */
  readToken(stackShard: {
    runnerName: string;
    shard: string;
  }): Promise<{ readonly value: string; readonly ageMs: number } | undefined>;
}

interface ExecuteOptions {
  folder?: string;
  signal?: AbortSignal;
}

const tokenRetryMs = 300;
const outputLimit = 1024 * 1024;
