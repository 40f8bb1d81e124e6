import { isServing } from '../deployment/guards/guards.ts';
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

/** What the facts of one shard come to; each word has its reason. */
export interface ShardState {
  readonly shard: Shard;
  readonly registered: readonly RegistrationFacts[] | 'unknown';
  /** By the judge: proven, or open and contacted with nothing that speaks against it. */
  readonly serves: boolean;
  readonly service: Service;
  /** The registry has none of the registration that the record names. */
  readonly registrationGone: boolean;
  /** Without our canaries. */
  readonly jobs: readonly RegistryJob[];
  readonly machines: readonly string[] | 'unknown';
  /** Machines whose agent answers and whose process runs. */
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
  const mayServe =
    service.kind === 'unknown' &&
    !service.against &&
    alive &&
    list.some((one) => isServing(one, of));
  return {
    shard: facts.shard,
    registered,
    serves: service.kind === 'proven' || mayServe,
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

/** By EC2 where it may be asked, by Systems Manager otherwise. */
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

/** Whether customers' jobs are kept from the shard. */
export function isQuarantined({ registered }: ShardState, of: OfShard): boolean {
  return (
    registered !== 'unknown' && registered.every((one) => one.paused || !takesCustomerJobs(one, of))
  );
}
