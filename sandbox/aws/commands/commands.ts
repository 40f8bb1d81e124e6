import { setTimeout as sleep } from 'node:timers/promises';
import { runInBackground } from '../../../src/domain/background.ts';
import type { Fleet } from '../../hosts/fleet.ts';
import type { Executed } from '../../hosts/inside.ts';
import type { Instance } from '../../hosts/instance.ts';
import type { SandboxRandom } from '../../surroundings/random.ts';
import { accountId } from '../access/authorization.ts';
import { AwsRefusal } from '../refusal.ts';

/** Commands of Run Command and their results. They are lost at a restart. */
export class Commands {
  readonly #world: CommandsWorld;
  readonly #invocations: Invocation[] = [];

  constructor(world: CommandsWorld) {
    this.#world = world;
  }

  /** Sends a command. A stopped machine is accepted, a gone or unknown one is refused. */
  send(request: SendRequest): { commandId: string; invocations: readonly Invocation[] } {
    const ids = request.instanceIds ?? this.#targeted(request.targets ?? []);
    const invalid = (request.instanceIds ?? []).filter(
      (id) => !isValid(this.#world.fleet.find(id)),
    );
    if (invalid.length > 0) {
      throw new AwsRefusal(
        'InvalidInstanceId',
        `Instances [[${invalid.join(', ')}]] not in a valid state for account ${accountId}`,
      );
    }
    const digits = this.#world.random.hex(16);
    const commandId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const invocations = ids.map((instanceId) => this.#create(commandId, instanceId, request));
    this.#invocations.push(...invocations);
    this.#invocations.splice(0, Math.max(0, this.#invocations.length - keptInvocations));
    for (const invocation of invocations) runInBackground(this.#run(invocation));
    return { commandId, invocations };
  }

  /** Finds an invocation. It is unknown for a moment after the command was sent, as in AWS. */
  find(commandId: string, instanceId: string): Invocation {
    const found = this.list(commandId, instanceId)[0];
    if (found === undefined) throw new AwsRefusal('InvocationDoesNotExist', '');
    return found;
  }

  list(commandId?: string, instanceId?: string): readonly Invocation[] {
    const visibleFromMs = this.#world.now() - this.#world.visibleAfterMs;
    return this.#invocations
      .filter(
        (own) =>
          own.requestedAtMs <= visibleFromMs &&
          (commandId === undefined || own.commandId === commandId) &&
          (instanceId === undefined || own.instanceId === instanceId),
      )
      .map((own) => this.#withDelivery(own));
  }

  /** Decides whether a machine has a running command, or ended during one. */
  areUnderWay(instanceId: string): boolean {
    return this.#invocations
      .filter((own) => own.instanceId === instanceId)
      .some((own) => !isOver(this.#withDelivery(own)));
  }

  cancel(commandId: string, instanceIds: readonly string[] | undefined): void {
    const own = this.#invocations.filter((invocation) => invocation.commandId === commandId);
    if (own.length === 0) throw new AwsRefusal('InvalidCommandId', '');
    for (const invocation of own) {
      if (instanceIds !== undefined && !instanceIds.includes(invocation.instanceId)) continue;
      if (isWaiting(invocation)) end(invocation, { status: 'Cancelled', details: 'Cancelled' });
      // A running script gets a signal, and still succeeds if it ends before.
      else if (invocation.status === 'InProgress') {
        end(invocation, { status: 'Cancelling', details: 'Cancelling' });
        invocation.cancel.abort();
      }
    }
  }

  #create(commandId: string, instanceId: string, request: SendRequest): Invocation {
    return {
      commandId,
      instanceId,
      request,
      requestedAtMs: this.#world.now(),
      status: 'Pending',
      details: 'Pending',
      responseCode: -1,
      out: '',
      err: '',
      cancel: new AbortController(),
    };
  }

  async #run(invocation: Invocation): Promise<void> {
    const delivered = await this.#deliver(invocation);
    if (delivered === undefined || isOver(invocation)) return;
    invocation.status = 'InProgress';
    invocation.details = 'InProgress';
    invocation.startedAtMs = this.#world.now();
    const fail = (error: Error) => ({ code: 1, out: '', err: error.message });
    const result = await delivered.result.catch(fail);
    // A result from a lost agent never arrives. An expired command stays expired.
    if (this.#world.fleet.find(invocation.instanceId)?.agent !== 'online') return;
    if (isOver(this.#withDelivery(invocation))) return;
    invocation.finishedAtMs = this.#world.now();
    invocation.out = result.out;
    // https://github.com/aws/amazon-ssm-agent: runscript.go
    invocation.err = `${result.err}${result.code === 0 ? '' : `failed to run commands: exit status ${result.code}`}`;
    const cancelled = invocation.cancel.signal.aborted;
    end(invocation, outcomeOf(result.code, { cancelled, late: delivered.limit.aborted }));
    invocation.responseCode = result.code;
  }

  /** Delivers a command. A lost agent does not fetch it before the delivery timeout. */
  async #deliver(invocation: Invocation): Promise<Delivered | undefined> {
    const { instanceId, request, cancel } = invocation;
    const inTime = () => this.#world.now() <= invocation.requestedAtMs + request.deliveryTimeoutMs;
    while (inTime() && isWaiting(this.#withDelivery(invocation))) {
      const limit = AbortSignal.timeout(request.executionTimeoutMs);
      const signal = AbortSignal.any([cancel.signal, limit]);
      const result = this.#world.fleet.execute(instanceId, request.script, signal);
      if (result !== undefined) return { result, limit };
      const isDeaf = this.#world.fleet.find(instanceId)?.agent === 'deaf';
      const details = isDeaf ? 'Undeliverable' : 'Delayed';
      end(invocation, { status: isDeaf ? 'Failed' : 'Delayed', details });
      await sleep(retryDeliveryMs, undefined, { ref: false });
    }
    return undefined;
  }

  /**
   * Expires a command, as undelivered also while it runs: only a live agent reports a timeout.
   * https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_Command.html (ExpiresAfter)
   */
  #withDelivery(invocation: Invocation): Invocation {
    if (isOver(invocation)) return invocation;
    const { requestedAtMs, request } = invocation;
    const wholeMs = request.deliveryTimeoutMs + request.executionTimeoutMs;
    const waitingMs = Math.min(wholeMs, this.#world.undeliveredAfterMs ?? wholeMs);
    const limitMs = isWaiting(invocation) ? waitingMs : wholeMs;
    if (this.#world.now() > requestedAtMs + limitMs)
      end(invocation, { status: 'TimedOut', details: 'DeliveryTimedOut' });
    return invocation;
  }

  #targeted(targets: readonly Target[]): string[] {
    return this.#world.fleet
      .list()
      .filter(
        (instance) =>
          instance.state === 'running' && targets.every((target) => matches(instance, target)),
      )
      .map(({ id }) => id);
  }
}

export interface CommandsWorld {
  readonly fleet: Fleet;
  readonly random: SandboxRandom;
  /** Time for which a new command is unknown. */
  readonly visibleAfterMs: number;
  /** Time until an undelivered command expires. Absent: AWS's own time. */
  readonly undeliveredAfterMs: number | undefined;
  now(): number;
}

export interface SendRequest {
  instanceIds?: readonly string[] | undefined;
  targets?: readonly Target[] | undefined;
  documentName: string;
  comment: string;
  script: string;
  deliveryTimeoutMs: number;
  executionTimeoutMs: number;
}

export interface Target {
  Key: string;
  Values: readonly string[];
}

export interface Invocation {
  readonly commandId: string;
  readonly instanceId: string;
  readonly request: SendRequest;
  readonly requestedAtMs: number;
  readonly cancel: AbortController;
  startedAtMs?: number;
  finishedAtMs?: number;
  status:
    | 'Pending'
    | 'Delayed'
    | 'InProgress'
    | 'Cancelling'
    | 'Success'
    | 'Failed'
    | 'TimedOut'
    | 'Cancelled';
  details: string;
  responseCode: number;
  out: string;
  err: string;
}

export function isOver({ status }: Invocation): boolean {
  return !['Pending', 'Delayed', 'InProgress', 'Cancelling'].includes(status);
}

function isWaiting({ status }: Invocation): boolean {
  return status === 'Pending' || status === 'Delayed';
}

// https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_SendCommand.html (InvalidInstanceId)
function isValid(instance: Instance | undefined): boolean {
  if (instance?.agentRegisteredAt === undefined) return false;
  return ['pending', 'running', 'stopping', 'stopped'].includes(instance.state);
}

/** Matches a target such as `tag:Name` or `InstanceIds`. */
export function matches(instance: Instance, { Key, Values }: Target): boolean {
  if (Key === 'InstanceIds') return Values.includes(instance.id);
  const value = Key.startsWith('tag:') ? instance.tags[Key.slice(4)] : undefined;
  return value !== undefined && Values.includes(value);
}

function outcomeOf(code: number, why: { cancelled: boolean; late: boolean }): Outcome {
  if (why.cancelled) return { status: 'Cancelled', details: 'Cancelled' };
  // The agent interprets 137 as its own SIGKILL, from any sender.
  if (why.late || code === 137) return { status: 'TimedOut', details: 'ExecutionTimedOut' };
  return code === 0
    ? { status: 'Success', details: 'Success' }
    : { status: 'Failed', details: 'Failed' };
}

interface Delivered {
  result: Promise<Executed>;
  limit: AbortSignal;
}

type Outcome = Pick<Invocation, 'status' | 'details'>;

function end(invocation: Invocation, outcome: Outcome): void {
  Object.assign(invocation, outcome);
}

const keptInvocations = 1000;
const retryDeliveryMs = 200;
