import { type DeploymentRecord, expectedActive } from '../deployment/record.ts';
import type { Shard } from '../shard.ts';
import { otherShard } from '../shard.ts';
import { type ShardState, stateOf } from './shard-state.ts';
import {
  answerOf,
  recordFrom,
  type ShardFacts,
  type StackFacts,
  shardFrom,
} from './stack-facts.ts';

/** Facts with their direct conclusions, as the signs read them. */
export interface StackView {
  readonly facts: StackFacts;
  readonly record: DeploymentRecord | undefined;
  /** From `deployment_status`; absent if that is missing or unreadable. */
  readonly active: Shard | undefined;
  readonly expected: Shard | 'none' | 'either' | undefined;
  readonly states: readonly ShardState[];
  readonly accepting: readonly Shard[];
  state(shard: Shard): ShardState;
  of(shard: Shard): ShardFacts;
  other(shard: Shard): Shard;
}

export function viewOf(facts: StackFacts): StackView {
  const states = facts.shards.map((one) => stateOf(facts, one));
  const record = recordFrom(facts);
  const status = answerOf(facts.status);
  return {
    facts,
    record,
    active: status?.kind === 'known' ? status.active : undefined,
    expected: record === undefined ? undefined : expectedActive(record.deployment),
    states,
    accepting: states.filter(({ acceptsJobs }) => acceptsJobs).map(({ shard }) => shard),
    state: (shard) => shardFrom(states, shard),
    of: (shard) => shardFrom(facts.shards, shard),
    other: (shard) => otherShard(facts.settings.shards, shard),
  };
}
