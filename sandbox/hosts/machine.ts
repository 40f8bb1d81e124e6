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

/** One machine while it is powered on: its folder, its commands, its runner manager. */
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

  /** Up, but still without its runner manager. `false` when it was switched off meanwhile. */
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
   * Reads the token as the machine's own start script does, again and again until there is one that
   * can be used. Undefined when the machine was switched off meanwhile.
   */
  async #readSettings(): Promise<ManagerSettings | undefined> {
    let told = '';
    while (!this.#off.signal.aborted) {
      const token = await this.#world.readToken(this.#instance).catch(() => undefined);
      const ended = whyTokenIsOld(this.behaviour.process, token?.ageMs ?? 0);
      if (ended !== '' && told === '') this.note(ended);
      told = ended;
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

  /** A runner of GitHub whose credential is gone is a new one, with the labels of that time. */
  #registersAnew(): boolean {
    const home = this.unit?.settings.github?.home;
    if (home === undefined) return false;
    if (this.behaviour.ephemeral) forgetIfDeleted(home);
    return !existsSync(join(home, '.credentials'));
  }

  /** What a host of GitHub's runners writes before its runner starts. */
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

  /** Runs a script as root of the machine, so to speak; on a machine that is off it is killed. */
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

  /** Into the log that people read when the machine does not come up. */
  note(text: string): false {
    appendFileSync(this.logFile, `${text}\n`);
    return false;
  }

  freeze(): void {
    this.unit?.freeze();
  }

  /** `abrupt` is a power cut; otherwise the manager hears SIGTERM and may tell GitLab. */
  async powerOff({ abrupt }: { abrupt: boolean }): Promise<void> {
    this.#off.abort();
    await this.#booting?.catch(() => undefined);
    for (const shell of this.#shells) shell.signal('SIGKILL');
    await this.unit?.end(abrupt ? 'SIGKILL' : 'SIGTERM', shutdownGraceMs);
    this.#calls.close();
    // A released runner's configuration has its token in it.
    rmSync(join(this.root, 'etc', 'gitlab-runner', 'config.toml'), { force: true });
    for (const name of ['calls', 'scripts', 'bin', 'builds', 'containers']) {
      rmSync(join(this.root, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Waits as long as the machine is on. `false` when it went off meanwhile. */
  async #wait(ms: number): Promise<boolean> {
    await sleep(ms, undefined, { signal: this.#off.signal }).catch(() => undefined);
    return !this.#off.signal.aborted;
  }

  /** Something that happens some time after the boot, unless the machine is off by then. */
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
  /** One folder in it for each machine. */
  readonly folder: string;
  readonly managerCommand: readonly string[];
  readonly searchPath: string;
  /** A released gitlab-runner that is started on each machine. */
  readonly runnerBinary?: string | undefined;
  now(): number;
  gitlabUrl(): string;
  /** Of a new runner of GitHub; undefined as long as nothing is written of them, or they are closed. */
  readFleet(stackShard: { runnerName: string; shard: string }): Promise<FleetText | undefined>;
  /** Undefined as long as there is none. */
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
