import { z } from 'zod';
import type { OriginalRouting } from '../../domain/deployment/original-routing.ts';
import { type Intake, type ShardEntry, untouchedShard } from '../../domain/deployment/record.ts';
import type { RegistrationId } from '../../domain/shard.ts';

const count = z.number().int().min(0);

/** Fields for the pause of the retiring shard up to schema 3; read but never written. */
export const pauseBeforeIntake = {
  closed_at: z.string().optional(),
  closed_by_other: z.literal(true).optional(),
  pause_unanswered_at: z.string().optional(),
};

export const shardSchema = z.strictObject({
  registration: z.string().optional(),
  token_written: z.boolean(),
  token_ends_at: z.string().optional(),
  contacted: z.boolean().optional(),
  highest_manager_before_apply: count.optional(),
  canary_at_apply: z.strictObject({ id: z.string(), started: z.boolean() }).optional(),
  unhealthy_in_a_row: count,
  last_apply: z
    .strictObject({
      at: z.string(),
      added: count.optional(),
      changed: count.optional(),
      destroyed: count.optional(),
      updates: z.string().optional(),
      repeated: z.string().optional(),
    })
    .optional(),
  production_tag: z.boolean(),
  evidence: z
    .strictObject({ at: z.string(), managers: z.array(count), canary: z.string().optional() })
    .optional(),
  removal: z.strictObject({ began: z.string(), ended: z.string().optional() }).optional(),
  intake: z
    .strictObject({
      state: z.enum(['accepting', 'pausing', 'paused']),
      by: z.enum(['deployment', 'operator', 'unknown']),
      since: z.string(),
    })
    .optional(),
  /** Field of the candidate up to schema 3. */
  paused_by_other: z.boolean().optional(),
  routing_before: z
    .strictObject({
      tags: z.array(z.string()).optional(),
      run_untagged: z.boolean(),
      paused: z.boolean(),
      going_back: z.literal(true).optional(),
    })
    .optional(),
});

export function storedShard(entry: ShardEntry): z.infer<typeof shardSchema> {
  const { registration, highestWorkerBeforeApply, canaryAtApply, lastApply, evidence } = entry;
  return {
    ...(registration === undefined ? {} : { registration }),
    token_written: entry.tokenWritten,
    ...(entry.tokenEndsAt === undefined ? {} : { token_ends_at: entry.tokenEndsAt }),
    ...(entry.contacted === true ? { contacted: true } : {}),
    ...(highestWorkerBeforeApply === undefined
      ? {}
      : { highest_manager_before_apply: highestWorkerBeforeApply }),
    ...(canaryAtApply === undefined ? {} : { canary_at_apply: canaryAtApply }),
    unhealthy_in_a_row: entry.unhealthyInARow,
    ...(lastApply === undefined ? {} : { last_apply: lastApply }),
    production_tag: entry.productionTag,
    ...(evidence === undefined
      ? {}
      : {
          evidence: {
            at: evidence.at,
            managers: [...evidence.workers],
            ...(evidence.canary === undefined ? {} : { canary: evidence.canary }),
          },
        }),
    ...(entry.removal === undefined ? {} : { removal: entry.removal }),
    ...(entry.intake === undefined ? {} : { intake: entry.intake }),
    ...(entry.routingBefore === undefined
      ? {}
      : { routing_before: storedRouting(entry.routingBefore) }),
  };
}

function storedRouting({ tags, runUntagged, paused, isRestoring }: OriginalRouting) {
  return {
    ...(tags === undefined ? {} : { tags: [...tags] }),
    run_untagged: runUntagged,
    paused,
    ...(isRestoring === true ? { going_back: true as const } : {}),
  };
}

function shardFromStored(entry: z.infer<typeof shardSchema>): ShardEntry {
  const { last_apply: apply, evidence, removal, routing_before: routing } = entry;
  return {
    ...(entry.registration === undefined
      ? {}
      : { registration: entry.registration as RegistrationId }),
    tokenWritten: entry.token_written,
    ...(entry.token_ends_at === undefined ? {} : { tokenEndsAt: entry.token_ends_at }),
    ...(entry.contacted === true ? { contacted: true } : {}),
    ...(entry.highest_manager_before_apply === undefined
      ? {}
      : { highestWorkerBeforeApply: entry.highest_manager_before_apply }),
    ...(entry.canary_at_apply === undefined ? {} : { canaryAtApply: entry.canary_at_apply }),
    unhealthyInARow: entry.unhealthy_in_a_row,
    ...(apply === undefined ? {} : { lastApply: apply as NonNullable<ShardEntry['lastApply']> }),
    productionTag: entry.production_tag,
    ...(evidence === undefined
      ? {}
      : {
          evidence: {
            at: evidence.at,
            workers: evidence.managers,
            ...(evidence.canary === undefined ? {} : { canary: evidence.canary }),
          },
        }),
    ...(removal === undefined ? {} : { removal: removal as NonNullable<ShardEntry['removal']> }),
    ...(entry.intake === undefined ? {} : { intake: entry.intake }),
    ...(routing === undefined
      ? {}
      : {
          routingBefore: {
            ...(routing.tags === undefined ? {} : { tags: routing.tags }),
            runUntagged: routing.run_untagged,
            paused: routing.paused,
            ...(routing.going_back === true ? { isRestoring: true } : {}),
          },
        }),
  };
}

interface StoredShards {
  readonly deployment: {
    readonly phase: string;
    readonly phase_at: string;
    readonly retiring?: string | undefined;
  } & z.infer<z.ZodObject<typeof pauseBeforeIntake>>;
  readonly shards: Readonly<Record<string, z.infer<typeof shardSchema>>>;
}

export function shardsFromStored({ deployment, shards }: StoredShards): Record<string, ShardEntry> {
  const entries = Object.entries(shards).map(([shard, stored]) => {
    const entry = shardFromStored(stored);
    const isCandidates = shard !== deployment.retiring && entry.intake === undefined;
    const intake = isCandidates ? candidateIntake(stored, deployment.phase_at) : undefined;
    return [shard, intake === undefined ? entry : { ...entry, intake }] as const;
  });
  const found: Record<string, ShardEntry> = Object.fromEntries(entries);
  const { retiring } = deployment;
  const intake = retiringIntake(deployment);
  if (retiring === undefined || intake === undefined) return found;
  return { ...found, [retiring]: { intake, ...(found[retiring] ?? untouchedShard) } };
}

/** `false` meant a pause of hosted-runner that may still take effect. */
function candidateIntake(
  { paused_by_other: byOther }: z.infer<typeof shardSchema>,
  since: string,
): Intake | undefined {
  if (byOther === undefined) return undefined;
  return byOther
    ? { state: 'paused', by: 'operator', since }
    : { state: 'pausing', by: 'unknown', since };
}

/** A drain without a note may already have sent its pause. */
function retiringIntake({
  phase,
  phase_at: phaseAt,
  closed_at: closedAt,
  closed_by_other: byOther,
  pause_unanswered_at: unansweredAt,
}: StoredShards['deployment']): Intake | undefined {
  const isKnown = closedAt !== undefined || byOther === true || unansweredAt !== undefined;
  if (!isKnown && phase !== 'draining') return undefined;
  const isPaused = closedAt !== undefined && phase !== 'promoted';
  const ownActor = unansweredAt === undefined ? 'deployment' : 'unknown';
  return {
    state: isPaused ? 'paused' : 'pausing',
    by: byOther === true ? 'operator' : ownActor,
    since: closedAt ?? unansweredAt ?? phaseAt,
  };
}
