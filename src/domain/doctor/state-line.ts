import { type SituationFacts, tellSituation } from '../deployment/situation-text.ts';
import type { Shard } from '../shard.ts';
import { answerOf, type StackFacts } from './stack-facts.ts';
import type { StackView } from './view.ts';

/**
 * The first line of doctor: which shard serves and what proves it, by everything that was asked, so
 * that it never says more than the findings below it.
 */
export function describeNow(view: StackView): string {
  const { facts, record, state } = view;
  const { phase, candidate, retiring } = record?.deployment ?? {};
  const isCandidate = phase !== undefined && phase !== 'done' && candidate !== undefined;
  const machines = isCandidate ? state(candidate).machines : 'unknown';
  return tellSituation({
    shards: facts.settings.shards,
    words: facts.words,
    status: statusOf(facts),
    deployment: record?.deployment ?? (isRead(facts) ? 'none' : 'unread'),
    service: (shard: Shard) => state(shard).service,
    intruders: isCandidate ? state(candidate).jobs : [],
    remaining: retiring === undefined ? [] : state(retiring).jobs,
    machineless: machines !== 'unknown' && machines.length === 0,
  });
}

function isRead({ record }: StackFacts): boolean {
  return record.kind === 'read' && record.value === undefined;
}

function statusOf({ status }: StackFacts): SituationFacts['status'] {
  const read = answerOf(status);
  if (read !== undefined) return read;
  const { trouble } = status as Extract<StackFacts['status'], { kind: 'unknown' }>;
  return { kind: 'unread', reason: `${trouble.source}: ${trouble.reason}` };
}
