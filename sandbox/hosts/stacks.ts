import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxStore } from '../surroundings/store.ts';
import type { Behaviour } from './behaviour.ts';
import type { Fleet } from './fleet.ts';
import type { StackSettings } from './stack-settings.ts';

export interface StackShardName {
  runnerName: string;
  shard: string;
}

export interface StackChange {
  kind: 'done' | 'failed' | 'interrupted' | 'locked';
  added: number;
  changed: number;
  destroyed: number;
  instanceIds: readonly string[];
  reason?: string;
}

/** Infrastructure of the shards, built and destroyed like a tool such as Terraform would. */
export class Stacks {
  readonly #store: SandboxStore;
  readonly #fleet: Fleet;
  readonly #settings: StackSettings;
  readonly #document: Record<string, Resource[]>;
  readonly #locked = new Set<string>();

  constructor(parts: { store: SandboxStore; fleet: Fleet; settings: StackSettings }) {
    this.#store = parts.store;
    this.#fleet = parts.fleet;
    this.#settings = parts.settings;
    this.#document = parts.store.load<Record<string, Resource[]>>('stacks') ?? {};
  }

  list(): Readonly<Record<string, readonly Resource[]>> {
    return this.#document;
  }

  /**
   * Applies the shard's definition. Without changes, the result is empty. An abort leaves it
   * incomplete.
   */
  apply(place: StackShardName, signal?: AbortSignal): Promise<StackChange> {
    return this.#alone(place, signal, async (run) => {
      const behaviour = this.#settings.read(place);
      run.failAfter = this.#settings.takeFailAfter(place);
      for (const address of addressesOf(behaviour)) {
        await this.#applyResource(place, { address, behaviour, run });
      }
      // The definition has fewer hosts than before.
      for (const extra of this.#of(place).filter(
        ({ address }) => !addressesOf(behaviour).includes(address),
      )) {
        await this.#remove(place, extra, run);
      }
    });
  }

  destroy(place: StackShardName, signal?: AbortSignal): Promise<StackChange> {
    return this.#alone(place, signal, async (run) => {
      // Machines are removed first, before the resources that they depend on.
      for (const resource of [...(this.#document[keyOf(place)] ?? [])].reverse()) {
        await this.#remove(place, resource, run);
      }
    });
  }

  async #alone(
    place: StackShardName,
    signal: AbortSignal | undefined,
    act: (run: Run) => Promise<void>,
  ): Promise<StackChange> {
    const key = keyOf(place);
    const run: Run = {
      added: 0,
      changed: 0,
      destroyed: 0,
      signal,
      resourceMs: 0,
      failAfter: undefined,
    };
    run.resourceMs = this.#settings.read(place).resourceMs;
    if (this.#locked.has(key)) {
      return {
        ...countsOf(run),
        kind: 'locked',
        instanceIds: [],
        reason: 'Error acquiring the state lock',
      };
    }
    this.#locked.add(key);
    try {
      await act(run);
      return { ...countsOf(run), kind: 'done', instanceIds: this.#instanceIds(place) };
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
      const instanceIds = this.#instanceIds(place);
      return { ...countsOf(run), kind: error.kind, instanceIds, reason: error.message };
    } finally {
      this.#locked.delete(key);
    }
  }

  async #applyResource(
    place: StackShardName,
    { address, behaviour, run }: { address: string; behaviour: Behaviour; run: Run },
  ): Promise<void> {
    const existing = this.#of(place).find((resource) => resource.address === address);
    const isGone = existing?.instanceId !== undefined && !this.#isAlive(existing.instanceId);
    if (existing !== undefined && !isGone) {
      if (existing.revision === behaviour.revision || !dependsOnRevision(address)) return;
      if (existing.instanceId === undefined) {
        await beforeChange(run);
        existing.revision = behaviour.revision;
        run.changed += 1;
        return;
      }
      await this.#remove(place, existing, run);
    } else if (existing !== undefined) this.#forget(place, existing);
    await beforeChange(run);
    const instanceId = address.startsWith(machineAddress)
      ? this.#fleet.create(place).id
      : undefined;
    const made: Resource = { address, revision: behaviour.revision };
    this.#of(place).push(instanceId === undefined ? made : { ...made, instanceId });
    run.added += 1;
    this.#save();
  }

  async #remove(place: StackShardName, resource: Resource, run: Run): Promise<void> {
    await beforeChange(run);
    if (resource.instanceId !== undefined) await this.#fleet.terminate(resource.instanceId);
    this.#forget(place, resource);
    run.destroyed += 1;
  }

  #forget(place: StackShardName, resource: Resource): void {
    const left = this.#of(place).filter((own) => own !== resource);
    if (left.length === 0) delete this.#document[keyOf(place)];
    else this.#document[keyOf(place)] = left;
    this.#save();
  }

  #isAlive(instanceId: string): boolean {
    const state = this.#fleet.find(instanceId)?.state;
    return state !== undefined && state !== 'terminated' && state !== 'shutting-down';
  }

  #instanceIds(place: StackShardName): string[] {
    return (this.#document[keyOf(place)] ?? []).flatMap(({ instanceId }) => instanceId ?? []);
  }

  #of(place: StackShardName): Resource[] {
    const key = keyOf(place);
    this.#document[key] ??= [];
    return this.#document[key];
  }

  #save(): void {
    this.#store.save('stacks', this.#document);
  }
}

export interface Resource {
  readonly address: string;
  readonly instanceId?: string;
  revision: string;
}

interface Run {
  added: number;
  changed: number;
  destroyed: number;
  readonly signal: AbortSignal | undefined;
  failAfter: number | undefined;
  resourceMs: number;
}

class Halt extends Error {
  readonly kind: 'failed' | 'interrupted';

  constructor(kind: 'failed' | 'interrupted', message: string) {
    super(message);
    this.kind = kind;
  }
}

async function beforeChange(run: Run): Promise<void> {
  await sleep(run.resourceMs);
  if (run.signal?.aborted) throw new Halt('interrupted', 'Interrupted; what was done stays.');
  if (run.failAfter === undefined) return;
  run.failAfter -= 1;
  if (run.failAfter < 0) throw new Halt('failed', 'InsufficientInstanceCapacity: try again later.');
}

function countsOf({
  added,
  changed,
  destroyed,
}: Run): Pick<StackChange, 'added' | 'changed' | 'destroyed'> {
  return { added, changed, destroyed };
}

function keyOf({ runnerName, shard }: StackShardName): string {
  return `${runnerName}/${shard}`;
}

const machineAddress = 'module.runner_manager.module.ec2';

function addressesOf({ managers }: Behaviour): readonly string[] {
  const machines = Array.from(
    { length: managers },
    (_, at) => `${machineAddress}[${at}].aws_instance.runner_manager`,
  );
  return [...accompanying, ...machines];
}

function dependsOnRevision(address: string): boolean {
  return address === 'aws_launch_template.worker' || address.startsWith(machineAddress);
}

const accompanying = [
  'aws_security_group.manager',
  'aws_security_group.worker',
  'aws_vpc_security_group_egress_rule.manager',
  'aws_vpc_security_group_egress_rule.worker',
  'aws_vpc_security_group_ingress_rule.worker',
  'aws_iam_role.manager',
  'aws_iam_role_policy_attachment.manager_ssm',
  'aws_iam_role_policy.manager_token',
  'aws_iam_instance_profile.manager',
  'aws_cloudwatch_log_group.manager',
  'aws_launch_template.worker',
  'aws_autoscaling_group.worker',
];
