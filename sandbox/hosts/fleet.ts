import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runInBackground } from '../../src/domain/background.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import type { Behaviour } from './behaviour.ts';
import type { Executed } from './inside.ts';
import { type Instance, type InstanceState, nameTagOf } from './instance.ts';
import { Machine, type MachineWorld } from './machine.ts';

/** All machines: their records, stored in the folder, and those that run. */
export class Fleet {
  readonly #world: FleetWorld;
  readonly #document: { instances: Instance[] };
  readonly #machines = new Map<string, Machine>();
  #isOver = false;

  constructor(world: FleetWorld) {
    this.#world = world;
    this.#document = world.store.load<{ instances: Instance[] }>('hosts') ?? { instances: [] };
  }

  /** Lists the machines. A terminated one stays visible for an hour. */
  list(): readonly Instance[] {
    const horizon = this.#world.now() - terminatedVisibleMs;
    const { instances } = this.#document;
    const kept = instances.filter(
      ({ terminatedAt }) => terminatedAt === undefined || Date.parse(terminatedAt) > horizon,
    );
    if (kept.length < instances.length) this.#document.instances = kept;
    return kept;
  }

  find(id: string): Instance | undefined {
    return this.list().find((instance) => instance.id === id);
  }

  machine(id: string): Machine | undefined {
    return this.#machines.get(id);
  }

  /** Creates a machine, with the given id if an emulator of EC2 has chosen one. */
  create({ runnerName, shard, id }: MachineOrder): Instance {
    const nameTag = nameTagOf({ runnerName, shard });
    const instance: Instance = {
      id: id ?? `i-${this.#world.random.hex(9).slice(0, 17)}`,
      nameTag,
      tags: { Name: nameTag, 'hosted-runner:stack': runnerName, 'hosted-runner:shard': shard },
      runnerName,
      shard,
      systemId: `s_${this.#world.random.hex(6)}`,
      launchedAt: this.#time(),
      state: 'pending',
      agent: 'lost',
    };
    this.#document.instances.push(instance);
    this.#save();
    runInBackground(this.#powerOn(instance));
    return instance;
  }

  async terminate(id: string, { abrupt = false } = {}): Promise<boolean> {
    const instance = this.find(id);
    if (instance === undefined) return false;
    if (instance.state === 'terminated') return true;
    await this.#powerDown(instance, { abrupt, during: 'shutting-down', after: 'terminated' });
    instance.terminatedAt ??= this.#time();
    rmSync(join(this.#world.folder, id), { recursive: true, force: true, maxRetries: 3 });
    this.#save();
    return true;
  }

  async stop(id: string): Promise<boolean> {
    const instance = this.find(id);
    if (instance?.state !== 'running' && instance?.state !== 'pending') return false;
    await this.#powerDown(instance, { abrupt: false, during: 'stopping', after: 'stopped' });
    return true;
  }

  start(id: string): boolean {
    const instance = this.find(id);
    if (instance?.state !== 'stopped') return false;
    instance.state = 'pending';
    runInBackground(this.#powerOn(instance));
    return true;
  }

  setAgent(id: string, agent: Instance['agent']): boolean {
    const instance = this.find(id);
    if (instance?.state !== 'running') return false;
    this.#setAgent(instance, agent);
    this.#save();
    return true;
  }

  #setAgent(instance: Instance, agent: Instance['agent']): void {
    if (agent === 'online') {
      instance.agentRegisteredAt ??= this.#time();
      delete instance.agentLostAt;
    } else if (agent === 'lost' && instance.agent !== 'lost') instance.agentLostAt = this.#time();
    instance.agent = agent;
  }

  tag(id: string, tags: Readonly<Record<string, string>>): void {
    const instance = this.find(id);
    if (instance === undefined) return;
    instance.tags = { ...instance.tags, ...tags };
    this.#save();
  }

  /** Sets the termination protection of an instance. */
  protect(id: string, isProtected = true): boolean {
    const instance = this.find(id);
    if (instance === undefined) return false;
    instance.isProtected = isProtected;
    this.#save();
    return true;
  }

  /** Kills the process. The machine stays, and its restart policy starts the manager again. */
  killManager(id: string): boolean {
    return this.#machines.get(id)?.unit?.signal('SIGKILL') ?? false;
  }

  /** Runs a script. Undefined if the machine is off or the SSM agent does not respond. */
  execute(id: string, script: string, signal: AbortSignal): Promise<Executed> | undefined {
    if (this.find(id)?.agent !== 'online') return undefined;
    return this.#machines.get(id)?.execute(script, { signal });
  }

  /** Boots the machines that ran when the sandbox was stopped or killed. */
  resume(): void {
    for (const instance of this.list()) {
      if (instance.state === 'shutting-down') runInBackground(this.terminate(instance.id));
      if (instance.state === 'stopping') instance.state = 'stopped';
      if (instance.state !== 'running' && instance.state !== 'pending') continue;
      instance.state = 'pending';
      runInBackground(this.#powerOn(instance));
    }
  }

  /** Switches every machine off. The records still show which ones ran. */
  async powerOff(): Promise<void> {
    this.#isOver = true;
    const machines = [...this.#machines.values()];
    this.#machines.clear();
    await Promise.all(machines.map((machine) => machine.powerOff({ abrupt: false })));
    this.#save();
  }

  async #powerOn(instance: Instance): Promise<void> {
    // An apply is still running while the sandbox stops: the machine boots at the next start.
    if (this.#isOver) return;
    const behaviour = this.#world.behaviourOf(instance);
    const machine = new Machine(instance, behaviour, this.#world);
    this.#machines.set(instance.id, machine);
    const isUp = await machine.boot().catch((error: Error) => machine.note(error.message));
    if (!isUp || this.#machines.get(instance.id) !== machine || instance.state !== 'pending')
      return;
    instance.state = 'running';
    instance.bootedAt = this.#time();
    if (behaviour.agentDelayMs === 0) this.#setAgent(instance, 'online');
    else
      runInBackground(
        machine.after(behaviour.agentDelayMs, () => this.setAgent(instance.id, 'online')),
      );
    this.#save();
    this.#arrangeMishaps(machine, behaviour);
    await machine.startManager();
  }

  #arrangeMishaps(machine: Machine, behaviour: Behaviour): void {
    const id = machine.instanceId;
    if (behaviour.boot === 'dies_after_ms') {
      runInBackground(
        machine.after(behaviour.diesAfterMs, () =>
          runInBackground(this.terminate(id, { abrupt: true })),
        ),
      );
    }
    if (behaviour.boot === 'hangs')
      runInBackground(machine.after(behaviour.hangsAfterMs, () => this.hang(id)));
  }

  /**
   * Hangs a machine: its agent is lost and no process continues, but EC2 reports it as running.
   */
  hang(id: string): boolean {
    this.#machines.get(id)?.freeze();
    return this.setAgent(id, 'lost');
  }

  async #powerDown(instance: Instance, way: PowerDown): Promise<void> {
    instance.state = way.during;
    this.#setAgent(instance, 'lost');
    this.#save();
    const machine = this.#machines.get(instance.id);
    this.#machines.delete(instance.id);
    await machine?.powerOff({ abrupt: way.abrupt });
    instance.state = way.after;
    this.#save();
  }

  #time(): string {
    return new Date(this.#world.now()).toISOString();
  }

  #save(): void {
    this.#world.store.save('hosts', this.#document);
  }
}

export interface FleetWorld extends MachineWorld {
  readonly store: SandboxStore;
  readonly random: SandboxRandom;
  behaviourOf(stackShard: { runnerName: string; shard: string }): Behaviour;
}

export interface MachineOrder {
  readonly runnerName: string;
  readonly shard: string;
  readonly id?: string;
}

interface PowerDown {
  abrupt: boolean;
  during: InstanceState;
  after: InstanceState;
}

const terminatedVisibleMs = 3_600_000;
