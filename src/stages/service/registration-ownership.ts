import { isCalledAsOther } from '../../domain/deployment/guards/shard-membership.ts';
import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import type { Registration } from '../../ports/registry.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { readSwitchedStatus } from '../observe/observe.ts';
import { observeShards, tellContradiction } from '../observe/shard/shard-view.ts';

/**
 * Rule 10: before the intake of what the record names as this shard's is closed. A record that was
 * written by hand, or put back, may name the other shard's, which then would serve no more.
 * @throws DeployError `FactsContradict`
 */
export async function requireOwnRegistration(
  context: StageContext,
  shard: Shard,
  registration: Registration,
): Promise<void> {
  const { settings } = context;
  if (!isCalledAsOther({ registration, shard, settings })) return;
  const status = await readSwitchedStatus(context);
  const views = await observeShards(context);
  const what = wordsOf(context).registration;
  const reason = `the record names ${what} ${registration.id} as ${shard}'s, and its description is "${registration.description}"`;
  throw await tellContradiction(context, {
    found: { kind: 'contradiction', reason },
    status,
    views,
  });
}

/** The same of what a record names, where it was not looked at yet. */
export async function requireOwnRecordedRegistration(
  context: StageContext,
  record: DeploymentRecord,
  shard: Shard,
): Promise<void> {
  const { registration } = shardEntry(record, shard);
  if (registration === undefined) return;
  const found = await context.ports.registry.find(registration);
  if (found.kind === 'found') await requireOwnRegistration(context, shard, found.value);
}
