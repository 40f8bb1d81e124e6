import {
  type DeploymentRecord,
  type ShardEntry,
  withDeployment,
} from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { LimitChoice, Tally } from '../../domain/deployment/tally.ts';
import { formatParameterJson } from '../../domain/text/json.ts';
import { truncateReason } from '../../domain/text/truncate-reason.ts';

/** Limit in bytes for texts that only people read: actors, reasons and places of a setting. */
const mostOfText = 40;

/**
 * Steps that shorten a record which exceeds its parameter even without history. First they cut
 * texts for people, then notes about earlier deployments. The last step drops the settings of an
 * operator's runner, which then stays paused. Data that decides this deployment stays.
 */
const steps: readonly ((record: DeploymentRecord) => DeploymentRecord)[] = [
  withShortApplies,
  withShortTally,
  (record) => withNotes(record, record.rollbacks?.slice(0, 1)),
  withShortTexts,
  withoutLink,
  (record) => withNotes(record, undefined),
  withoutOldManagers,
  withoutTagsBefore,
];

/** Yields shorter and shorter forms of the record. */
export function* truncations(record: DeploymentRecord): Generator<DeploymentRecord> {
  let shorter = record;
  for (const step of steps) {
    shorter = step(shorter);
    yield shorter;
  }
}

/**
 * Keeps the fact that changes were repeated, without their names. Changes are compared only while
 * the candidate is still planned.
 */
function withShortApplies(record: DeploymentRecord): DeploymentRecord {
  const { candidate, phase } = record.deployment;
  const isPlanned = isBefore(phase, 'promoting') && phase !== 'retreating';
  const shards = Object.entries(record.shards).map(([shard, entry]) => {
    if (entry.lastApply === undefined) return [shard, entry];
    const { updates, repeated, ...counts } = entry.lastApply;
    const isCompared = isPlanned && shard === candidate && updates !== undefined;
    const kept = isCompared
      ? { updates, ...(repeated === undefined ? {} : { repeated: '…' }) }
      : {};
    return [shard, { ...entry, lastApply: { ...counts, ...kept } }];
  });
  return { ...record, shards: Object.fromEntries(shards) };
}

/** Drops ids and links, and keeps the numbers. */
function withShortTally(record: DeploymentRecord): DeploymentRecord {
  const { tally } = record.deployment;
  const { drain } = tally ?? {};
  if (tally === undefined || drain === undefined) return record;
  const { seen, seenBeyond, broken, brokenBeyond } = drain;
  const short = {
    ...drain,
    seen: [],
    seenBeyond: seen.length + seenBeyond,
    broken: [],
    brokenBeyond: broken.length + brokenBeyond,
  };
  return withDeployment(record, { tally: { ...tally, drain: short } });
}

function withNotes(
  { rollbacks: _, ...record }: DeploymentRecord,
  notes: DeploymentRecord['rollbacks'],
): DeploymentRecord {
  return notes === undefined ? record : { ...record, rollbacks: notes };
}

function withShortTexts(record: DeploymentRecord): DeploymentRecord {
  const { by, reopened, autoRollback, bake, tally } = record.deployment;
  const short = <Note extends { readonly why: string }>(note: Note): Note => {
    return { ...note, why: cut(note.why) };
  };
  return withDeployment(record, {
    by: cut(by),
    ...(reopened === undefined ? {} : { reopened: short(reopened) }),
    ...(autoRollback === undefined ? {} : { autoRollback: short(autoRollback) }),
    ...(bake?.ended === undefined ? {} : { bake: { ...bake, ended: short(bake.ended) } }),
    ...(tally === undefined ? {} : { tally: withShortLimits(tally) }),
  });
}

function withShortLimits({ drain, ...tally }: Tally): Tally {
  if (drain === undefined) return tally;
  const { timeout, forceAfter } = drain;
  const short = (limit: LimitChoice) => {
    return { ...limit, from: cut(limit.from), by: cut(limit.by), job: cut(limit.job) };
  };
  return {
    ...tally,
    drain: {
      ...drain,
      ...(timeout === undefined ? {} : { timeout: short(timeout) }),
      ...(forceAfter === undefined ? {} : { forceAfter: short(forceAfter) }),
    },
  };
}

/** Quotes and control characters are longer in JSON than in the text. */
function cut(text: string): string {
  let most = mostOfText;
  let short = truncateReason(text, most);
  while (Buffer.byteLength(formatParameterJson(short)) - 2 > mostOfText && most > 6) {
    most -= 4;
    short = truncateReason(text, most);
  }
  return short;
}

function withoutLink(record: DeploymentRecord): DeploymentRecord {
  const { pipelineUrl: _, ...deployment } = record.deployment;
  return { ...record, deployment };
}

function withEntries(
  record: DeploymentRecord,
  shorten: (entry: ShardEntry, shard: string) => ShardEntry,
): DeploymentRecord {
  const shards = Object.entries(record.shards).map(([shard, entry]) => {
    return [shard, shorten(entry, shard)];
  });
  return { ...record, shards: Object.fromEntries(shards) };
}

/** Drops the managers of the evidence, which only the promotion of the candidate needs. */
function withoutOldManagers(record: DeploymentRecord): DeploymentRecord {
  const { candidate, phase } = record.deployment;
  const rests = isBefore(phase, 'promoted') ? candidate : undefined;
  return withEntries(record, (entry, shard) =>
    shard === rests || entry.evidence === undefined
      ? entry
      : { ...entry, evidence: { ...entry.evidence, workers: [] } },
  );
}

function withoutTagsBefore(record: DeploymentRecord): DeploymentRecord {
  return withEntries(record, ({ routingBefore, ...entry }) => {
    if (routingBefore === undefined) return entry;
    const { tags: _, ...left } = routingBefore;
    return { ...entry, routingBefore: left };
  });
}
