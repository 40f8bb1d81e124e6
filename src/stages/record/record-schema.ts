import { z } from 'zod';
import { allPhases } from '../../domain/deployment/stages-and-steps.ts';
import { autoRollbackSchema, bakeSchema } from './bake-format.ts';
import { fingerprintSchema, rolledBackSchema } from './fingerprint-format.ts';
import { pauseBeforeIntake, shardSchema } from './shard-format.ts';
import { tallySchema } from './tally-format.ts';

export const kind = z.enum(['deploy', 'rollback', 'activate']);
const count = z.number().int().min(0);

/**
 * First schema version of each key, and of each value behind `=`; all others exist since version 1.
 * An older program then stops at a newer record instead of calling it invalid or losing a part.
 */
export const sinceSchema: Readonly<Record<string, number>> = {
  'deployment.bake': 2,
  'deployment.takes_back': 2,
  'deployment.fingerprint': 2,
  'deployment.stopping_at': 2,
  'deployment.closed_by_other': 2,
  'deployment.pause_unanswered_at': 2,
  'shards.*.paused_by_other': 2,
  'shards.*.routing_before': 2,
  taken_back: 2,
  'deployment.awaits_approval': 3,
  'deployment.accounting.drain.broken.*.why=registry_only': 3,
  'shards.*.last_apply.updates': 3,
  'shards.*.last_apply.repeated': 3,
  'shards.*.intake': 4,
};

/** Newest version of the stored format that this program reads and writes. */
export const newestRecordSchema = Math.max(...Object.values(sinceSchema));

/** Format in Parameter Store. A new key or value needs a new schema version, in `sinceSchema`. */
export const recordSchema = z.strictObject({
  schema: z.number().int().min(1).max(newestRecordSchema),
  write_id: z.string(),
  deployment: z.strictObject({
    id: z.string().min(1),
    kind,
    pipeline_created_at: z.iso.datetime({ offset: true }),
    pipeline_url: z.string().optional(),
    by: z.string(),
    candidate: z.string().min(1),
    retiring: z.string().min(1).optional(),
    phase: z.enum(allPhases as [string, ...string[]]),
    phase_at: z.string(),
    started_at: z.string(),
    awaits_approval: z.literal(true).optional(),
    status_version: count.optional(),
    accounting: tallySchema,
    ...pauseBeforeIntake,
    stopping_at: z.string().optional(),
    reopened: z.object({ times: count, at: z.string(), why: z.string() }).optional(),
    bake: bakeSchema.optional(),
    takes_back: autoRollbackSchema.optional(),
    fingerprint: fingerprintSchema,
  }),
  shards: z.record(z.string(), shardSchema),
  history: z.array(z.string()),
  writes_refused_at: z.iso.datetime({ offset: true }).optional(),
  taken_back: rolledBackSchema,
});

export type Stored = z.infer<typeof recordSchema>;

/** Returns the oldest version with all fields of the record, for programs of that version. */
export function schemaOf(stored: Omit<Stored, 'schema'>): number {
  return Math.max(1, ...pathsOf(stored).map((path) => sinceSchema[path] ?? 1));
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path, `${path}=${String(value)}`];
  const isKeyed = !Array.isArray(value) && path !== 'shards';
  const inner = Object.entries(value).flatMap(([key, one]) => {
    const step = isKeyed ? key : '*';
    return pathsOf(one, path === '' ? step : `${path}.${step}`);
  });
  return [path, ...inner];
}
