import { isAcceptingJobs } from '../deployment/guards/guards.ts';
import { type OfShard, takesCustomerJobs } from '../deployment/guards/runner-tags.ts';
import { shardEntry } from '../deployment/record.ts';
import type { Service } from '../health/service-verdict.ts';
import { isEndable } from '../instance.ts';
import type { RegistryJob } from '../registration.ts';
import type { Shard } from '../shard.ts';
import {
  answerOf,
  type RegistrationFacts,
  recordFrom,
  type ShardFacts,
  type ShardSnapshot,
  type StackFacts,
  type StackSnapshot,
} from './stack-facts.ts';

/** Conclusions from the facts of one shard, each with its reason. */
export interface ShardState {
  readonly shard: Shard;
  readonly registered: readonly RegistrationFacts[] | 'unknown';
  /**
   * Whether the shard accepts jobs: verified, or unpaused and contacted without counter-evidence.
   */
  readonly acceptsJobs: boolean;
  readonly service: Service;
  /** Whether the registry lacks the runner that the record names. */
  readonly registrationGone: boolean;
  /** Customer jobs only, without canaries of hosted-runner. */
  readonly jobs: readonly RegistryJob[];
  readonly machines: readonly string[] | 'unknown';
  /** Machines whose agent responds and whose runner process runs. */
  readonly running: readonly string[];
  readonly built: 'present' | 'absent' | 'unknown';
  readonly there: 'yes' | 'no' | 'unknown';
}

export function stateOf(stack: StackFacts, facts: ShardFacts): ShardState {
  const { settings } = stack;
  const record = recordFrom(stack);
  const of = { shard: facts.shard, settings, record };
  const { registration: recorded } = shardEntry(record, facts.shard);
  const registered = answerOf(facts.registrations) ?? 'unknown';
  const list = registered === 'unknown' ? [] : registered;
  const machines = machinesOf(facts);
  const hosts = answerOf(facts.hosts) ?? [];
  const built = answerOf(facts.infrastructure) ?? 'unknown';
  const alive = machines === 'unknown' || machines.length > 0;
  const { service } = facts;
  const mayAcceptJobs =
    service.kind === 'unknown' &&
    !service.against &&
    alive &&
    list.some((one) => isAcceptingJobs(one, of));
  return {
    shard: facts.shard,
    registered,
    acceptsJobs: service.kind === 'proven' || mayAcceptJobs,
    service,
    registrationGone:
      registered !== 'unknown' && recorded !== undefined && list.every(({ id }) => id !== recorded),
    jobs: customersOn(stack, facts),
    machines,
    running: hosts.filter((host) => host.process === 'running').map(({ id }) => id),
    built,
    there: thereOf({ registered, machines, built }),
  };
}

export function customersOn(
  { canaries }: Pick<StackSnapshot, 'canaries'>,
  { registrations }: ShardSnapshot,
): readonly RegistryJob[] {
  const jobs = (answerOf(registrations) ?? []).flatMap((one) => answerOf(one.jobs) ?? []);
  return jobs.filter(({ id }) => !canaries.includes(id));
}

/** Lists machines from EC2 if its query is permitted, otherwise from Systems Manager. */
function machinesOf({ instances, hosts }: ShardFacts): readonly string[] | 'unknown' {
  const seen = answerOf(instances);
  if (seen !== undefined) return seen.filter(isEndable).map(({ id }) => id);
  return answerOf(hosts)?.map(({ id }) => id) ?? 'unknown';
}

function thereOf({
  registered,
  machines,
  built,
}: Pick<ShardState, 'registered' | 'machines' | 'built'>): ShardState['there'] {
  if (registered !== 'unknown' && registered.length > 0) return 'yes';
  if (machines !== 'unknown' && machines.length > 0) return 'yes';
  if (built === 'present') return 'yes';
  return registered === 'unknown' || machines === 'unknown' ? 'unknown' : 'no';
}

/** Returns whether the shard receives no customer job. */
export function isQuarantined({ registered }: ShardState, of: OfShard): boolean {
  return (
    registered !== 'unknown' && registered.every((one) => one.paused || !takesCustomerJobs(one, of))
  );
}
