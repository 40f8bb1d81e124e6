import {
  formatSituation,
  type SituationFacts,
  watchedShard,
} from '../deployment/situation-text.ts';
import { customersOn } from './shard-state.ts';
import { formatTrouble, recordFrom, type StackSnapshot, shardFrom } from './stack-facts.ts';
import type { StackView } from './view.ts';

/**
 * Formats the first line of doctor: which shard accepts jobs, and the proof. It uses all facts, and
 * thus never claims more than the findings below it.
 */
export function describeNow({ facts, record, state }: StackView): string {
  const { phase, candidate } = record?.deployment ?? {};
  const isCandidate = phase !== undefined && phase !== 'done' && candidate !== undefined;
  const machines = isCandidate ? state(candidate).machines : 'unknown';
  const machineless = machines !== 'unknown' && machines.length === 0;
  return formatSituation({ ...situationOf(facts), machineless });
}

export function situationOf(stack: StackSnapshot): SituationFacts {
  const { settings, words, status, record, shards } = stack;
  const deployment = recordFrom(stack)?.deployment;
  const isNone = record.kind === 'read' && record.value === undefined;
  const watched = watchedShard(deployment);
  return {
    shards: settings.shards,
    words,
    status:
      status.kind === 'read'
        ? status.value
        : { kind: 'unread', reason: formatTrouble(status.trouble) },
    deployment: deployment ?? (isNone ? 'none' : 'unread'),
    service: (shard) => shardFrom(shards, shard).service,
    customers: watched === undefined ? [] : customersOn(stack, shardFrom(shards, watched)),
  };
}
