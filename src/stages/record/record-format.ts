import type { DeploymentRecord, FinishedDeployment } from '../../domain/deployment/record.ts';
import type { allPhases } from '../../domain/deployment/stages-and-steps.ts';
import type { DeploymentId, Shard } from '../../domain/shard.ts';
import { formatParameterJson, parseJson } from '../../domain/text/json.ts';
import { bakeFromStored, storedBake } from './bake-format.ts';
import {
  fingerprintFromStored,
  rolledBackFromStored,
  storedFingerprint,
  storedRolledBack,
} from './fingerprint-format.ts';
import { kind, newestRecordSchema, recordSchema, type Stored, schemaOf } from './record-schema.ts';
import { truncations } from './record-truncation.ts';
import { shardsFromStored, storedShard } from './shard-format.ts';
import { storedTally, tallyFromStored } from './tally-format.ts';

/** Parameter Store's limit for a standard parameter, in bytes. */
const sizeLimit = 4096;

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: DeploymentRecord; readonly writeId: string }
  | { readonly kind: 'newer'; readonly schema: number }
  | { readonly kind: 'invalid'; readonly reason: string };

export function parseRecord(text: string): ParsedRecord {
  const value = parseJson(text);
  if (value === undefined) return { kind: 'invalid', reason: 'it is not JSON' };
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (typeof schema === 'number' && schema > newestRecordSchema) return { kind: 'newer', schema };
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      kind: 'invalid',
      reason: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}`,
    };
  }
  return { kind: 'record', record: fromStored(parsed.data), writeId: parsed.data.write_id };
}

/**
 * Formats the record within the size limit. It drops the oldest history lines first, and then
 * shortens the rest.
 */
export function formatRecord(record: DeploymentRecord, writeId: string): string {
  const format = (one: DeploymentRecord) => formatParameterJson(toStored(one, writeId));
  const fits = (text: string) => Buffer.byteLength(text) <= sizeLimit;
  const history = record.history.slice(0, 20);
  for (;;) {
    const text = format({ ...record, history });
    if (fits(text)) return text;
    if (history.length === 0) break;
    history.pop();
  }
  let text = '';
  for (const shorter of truncations({ ...record, history: [] })) {
    text = format(shorter);
    if (fits(text)) break;
  }
  return text;
}

function toStored(
  { deployment, shards, history, writesRefusedAt, rollbacks }: DeploymentRecord,
  writeId: string,
): Stored {
  const stored = {
    write_id: writeId,
    deployment: {
      id: deployment.id,
      kind: deployment.kind,
      pipeline_created_at: deployment.pipelineCreatedAt,
      ...(deployment.pipelineUrl === undefined ? {} : { pipeline_url: deployment.pipelineUrl }),
      by: deployment.by,
      candidate: deployment.candidate,
      ...(deployment.retiring === undefined ? {} : { retiring: deployment.retiring }),
      phase: deployment.phase,
      phase_at: deployment.phaseAt,
      started_at: deployment.startedAt,
      ...(deployment.awaitsApproval === undefined ? {} : { awaits_approval: true as const }),
      ...(deployment.statusVersion === undefined
        ? {}
        : { status_version: deployment.statusVersion }),
      ...(deployment.tally === undefined ? {} : { accounting: storedTally(deployment.tally) }),
      ...(deployment.stoppingAt === undefined ? {} : { stopping_at: deployment.stoppingAt }),
      ...(deployment.reopened === undefined ? {} : { reopened: deployment.reopened }),
      ...(deployment.bake === undefined ? {} : { bake: storedBake(deployment.bake) }),
      ...(deployment.autoRollback === undefined ? {} : { takes_back: deployment.autoRollback }),
      ...storedFingerprint(deployment.fingerprint),
    },
    shards: Object.fromEntries(
      Object.entries(shards).map(([shard, entry]) => [shard, storedShard(entry)]),
    ),
    history: history.map(lineOf),
    ...(writesRefusedAt === undefined ? {} : { writes_refused_at: writesRefusedAt }),
    ...storedRolledBack(rollbacks),
  };
  return { schema: schemaOf(stored), ...stored };
}

function fromStored(stored: Stored): DeploymentRecord {
  const { deployment, history, writes_refused_at: writesRefusedAt, taken_back: back } = stored;
  return {
    deployment: {
      id: deployment.id as DeploymentId,
      kind: deployment.kind,
      pipelineCreatedAt: deployment.pipeline_created_at,
      ...(deployment.pipeline_url === undefined ? {} : { pipelineUrl: deployment.pipeline_url }),
      by: deployment.by,
      candidate: deployment.candidate as Shard,
      ...(deployment.retiring === undefined ? {} : { retiring: deployment.retiring as Shard }),
      phase: deployment.phase as (typeof allPhases)[number],
      phaseAt: deployment.phase_at,
      startedAt: deployment.started_at,
      ...(deployment.awaits_approval === undefined ? {} : { awaitsApproval: true as const }),
      ...(deployment.status_version === undefined
        ? {}
        : { statusVersion: deployment.status_version }),
      ...(deployment.accounting === undefined
        ? {}
        : { tally: tallyFromStored(deployment.accounting) }),
      ...(deployment.stopping_at === undefined ? {} : { stoppingAt: deployment.stopping_at }),
      ...(deployment.reopened === undefined ? {} : { reopened: deployment.reopened }),
      ...(deployment.bake === undefined ? {} : { bake: bakeFromStored(deployment.bake) }),
      ...(deployment.takes_back === undefined ? {} : { autoRollback: deployment.takes_back }),
      ...fingerprintFromStored(deployment.fingerprint),
    },
    shards: shardsFromStored(stored),
    history: history.flatMap(finishedFromLine),
    ...(writesRefusedAt === undefined ? {} : { writesRefusedAt }),
    ...rolledBackFromStored(back),
  };
}

/** Older versions of hosted-runner read this mark as part of the cost. */
const rolledBackMark = 'taken_back';

function lineOf({
  id,
  kind,
  candidate,
  finishedAt,
  cost,
  isRolledBack,
}: FinishedDeployment): string {
  const mark = isRolledBack === true ? [rolledBackMark] : [];
  return [id, kind, candidate, finishedAt, ...mark, ...(cost === undefined ? [] : [cost])].join(
    ' ',
  );
}

function finishedFromLine(line: string): FinishedDeployment[] {
  const [id, past, candidate, finishedAt, ...words] = line.split(' ');
  const isRolledBack = words[0] === rolledBackMark;
  const cost = isRolledBack ? words.slice(1) : words;
  const parsed = kind.safeParse(past);
  if (id === undefined || !parsed.success || candidate === undefined || finishedAt === undefined)
    return [];
  return [
    {
      id,
      kind: parsed.data,
      candidate,
      finishedAt,
      ...(cost.length === 0 ? {} : { cost: cost.join(' ') }),
      ...(isRolledBack ? { isRolledBack: true as const } : {}),
    },
  ];
}
