import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { BootBehaviour } from '../../../sandbox/hosts/behaviour.ts';
import type { Instance } from '../../../sandbox/hosts/instance.ts';
import type { SandboxOptions } from '../../../sandbox/options.ts';
import { type Remains, readParameters, whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { type Customers, openForBusiness } from '../by-hand/world/customers.ts';
import type { End } from '../by-hand/world/running.ts';
import { type Order, openWorld, type World } from '../by-hand/world/world.ts';

/** For every command: where the infrastructure is another one than the sandbox's own. */
type Around = Pick<Partial<Order>, 'env' | 'set'>;

/** One stack in a sandbox of its own, with customers, and the hands that break it. */
export class Patient {
  readonly world: World;
  readonly customers: Customers;
  readonly #around: Around;

  constructor(world: World, around: Around = {}, everyMs = 1200) {
    this.world = world;
    this.#around = around;
    this.customers = openForBusiness(world, { longSeconds: 1.5, everyMs });
  }

  get sandbox(): World['sandbox'] {
    return this.world.sandbox;
  }

  /** A name that was just deleted is given out again after a moment. */
  async put(name: string, value: string): Promise<void> {
    const type = name.endsWith('token') ? 'SecureString' : 'String';
    await this.until(() => {
      try {
        this.sandbox.parameters.put({ name: `${base}${name}`, value, overwrite: true, type });
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === 'ParameterAlreadyExists') return false;
        throw error;
      }
    });
  }

  remove(name: string): void {
    this.sandbox.parameters.remove(`${base}${name}`);
  }

  parameter(name: string): string | undefined {
    return readParameters(this.sandbox)[name];
  }

  record() {
    return JSON.parse(this.parameter('deployment_record') ?? '{}') as {
      readonly deployment: { readonly id: string; readonly phase: string };
      readonly shards: Readonly<Record<string, { readonly unhealthy_in_a_row: number }>>;
    };
  }

  active(): string {
    return JSON.parse(this.parameter('deployment_status') ?? '{}').active_shard;
  }

  inactive(): string {
    return this.active() === 'pink' ? 'purple' : 'pink';
  }

  machineOf(shard: string): Instance {
    const found = this.sandbox.fleet
      .list()
      .find((one) => one.shard === shard && one.runnerName === 'linux' && one.state === 'running');
    if (found === undefined) throw new Error(`no machine of ${shard} runs`);
    return found;
  }

  async terminate(shard: string): Promise<void> {
    await this.sandbox.fleet.terminate(this.machineOf(shard).id);
  }

  runnerOf(shard: string, stack = 'linux') {
    const name = `${shard}-${stack}`;
    const found = this.sandbox.gitlab.runners().find(({ description }) => description === name);
    if (found === undefined) throw new Error(`GitLab has no runner ${name}`);
    return found;
  }

  /** GitLab's API as a person with a token uses it, or the buttons that stand on it. */
  async askGitLab<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.sandbox.url}/api/v4/${path}`, {
      method,
      headers: {
        'private-token': this.sandbox.gitlab.deployerToken(),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  boots(shard: string, boot: BootBehaviour): void {
    this.sandbox.settings.change({ runnerName: 'linux', shard }, { boot });
  }

  command(args: readonly string[], order: Partial<Order> = {}): Promise<End> {
    const env = { ...this.#around.env, ...order.env };
    const set = [...(this.#around.set ?? []), ...(order.set ?? [])];
    return this.world.run({ args, env, set });
  }

  stage(name: string, order: Partial<Order> = {}): Promise<End> {
    return this.command([name, '--runner', 'linux', ...(order.args ?? [])], order);
  }

  /** Stages that end well; what follows a blank is an argument. */
  async run(...stages: readonly string[]): Promise<void> {
    for (const stage of stages) {
      const [name = '', ...args] = stage.split(' ');
      const end = await this.stage(name, { args });
      expect({ stage, text: end.stderr, exitCode: end.exitCode }).toEqual({
        stage,
        text: end.stderr,
        exitCode: 0,
      });
    }
  }

  /** A candidate that boots badly is found unhealthy so many times; then its image is mended. */
  async failCandidate(boot: BootBehaviour, times: number): Promise<void> {
    const shard = this.inactive();
    this.boots(shard, boot);
    if (this.record().deployment.phase === 'done') await this.run('prepare');
    await this.findUnhealthy(shard, times);
    this.boots(shard, 'ok');
  }

  /** A machine that is slow to boot is no proof, and not counted: then once more, with more time. */
  async findUnhealthy(shard: string, times: number): Promise<void> {
    const said: string[] = [];
    for (const seconds of [...Array<number>(times).fill(4), 15, 60]) {
      if (this.#timesUnhealthy(shard) >= times) break;
      const end = await this.stage('provision', { set: [`healthcheck.timeout=${seconds}s`] });
      said.push(end.text);
      expect({ said, exitCode: end.exitCode }).toEqual({ said, exitCode: 1 });
    }
    expect(this.#timesUnhealthy(shard)).toBe(times);
  }

  #timesUnhealthy(shard: string): number {
    return this.record().shards[shard]?.unhealthy_in_a_row ?? 0;
  }

  /** What the old runbook had people do: a runner record, its token, and a machine for it. */
  async startByHand(shard: string, { infrastructure }: { infrastructure: boolean }): Promise<void> {
    const { token } = await this.askGitLab<{ token: string }>('POST', 'user/runners', {
      runner_type: 'group_type',
      group_id: 10,
      description: `${shard}-linux`,
      tag_list: 'linux',
    });
    await this.put(`${shard}/runner_token`, token);
    const place = { runnerName: 'linux', shard };
    if (infrastructure) await this.sandbox.stacks.apply(place);
    else this.sandbox.fleet.create(place);
    await this.until(() => this.runnerOf(shard).managers.length > 0);
  }

  async until(isSo: () => boolean): Promise<void> {
    const deadline = performance.now() + 600_000;
    while (!isSo()) {
      if (performance.now() > deadline) throw new Error(`never: ${isSo}`);
      await sleep(10);
    }
  }

  /** What is left behind of this stack that must not be. */
  async wrongAtRest(): Promise<string[]> {
    return whatIsWrongAtRest({ sandbox: ownPart(this.sandbox) });
  }

  async close(): Promise<void> {
    this.customers.close();
    await this.world.close();
  }
}

const base = '/gitlab/dedicated/runner/linux/';

/** Without what belongs to other stacks. */
function ownPart({ gitlab, fleet, stacks, parameters }: Remains): Remains {
  return {
    gitlab: {
      jobs: () => gitlab.jobs(),
      runners: () => gitlab.runners().filter(({ description }) => description.endsWith('-linux')),
    },
    fleet: {
      list: () => fleet.list().filter(({ runnerName }) => runnerName === 'linux'),
      machine: (id) => fleet.machine(id),
    },
    stacks: {
      list: () =>
        Object.fromEntries(
          Object.entries(stacks.list()).filter(([name]) => name.startsWith('linux/')),
        ),
    },
    parameters: {
      list: () => parameters.list().filter((one) => one.parameter.name.startsWith(base)),
    },
  };
}

/** A stack that was deployed once, so that pink serves; and nobody but its customers is there. */
export async function openPatient(options: Partial<SandboxOptions> = {}): Promise<Patient> {
  const world = await openWorld(options);
  const end = await world.stage('deploy');
  if (end.exitCode !== 0) {
    await world.close();
    throw new Error(`the first deployment failed: ${end.text}`);
  }
  return new Patient(world);
}
