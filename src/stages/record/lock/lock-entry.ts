import { z } from 'zod';
import type {
  Holder,
  LockEntry,
  LockReference,
  LockVersion,
} from '../../../domain/deployment/lock/lock-log.ts';
import type { LockOwner } from '../../../domain/deployment/lock/lock-owner.ts';
import { formatParameterJson, parseJson } from '../../../domain/text/json.ts';
import type { Parameter } from '../../../ports/state-store.ts';

const ownerSchema = z.object({
  deployment: z.string(),
  job: z.string(),
  since: z.string(),
  process: z.string(),
  by: z.string().optional(),
  host: z.string().optional(),
  pipeline: z.string().optional(),
  stage: z.string().optional(),
});

const seenSchema = z.object({
  version: z.int().min(0),
  last: z.string(),
  owner: z.object({ nonce: z.string(), owner: ownerSchema.nullable() }).nullable(),
  record: z.int().min(0),
});

const common = { log: z.string(), nonce: z.string(), seen: seenSchema };

/**
 * No field of `oldSchema` stands at the top level of an entry. Older versions of hosted-runner,
 * which require these fields, refuse the lock as unknown and do not take it over.
 */
const entrySchema = z.discriminatedUnion('entry', [
  z.object({ ...common, entry: z.literal('acquire'), owner: ownerSchema }),
  z.object({ ...common, entry: z.literal('release'), from: z.string() }),
  z.object({ ...common, entry: z.literal('takeover'), from: z.string(), owner: ownerSchema }),
]);

/** Format of versions that created and deleted the lock; they release it by deleting the name. */
const oldSchema = z.object({
  deployment: z.string(),
  job: z.string(),
  since: z.string(),
  process: z.string(),
  nonce: z.string(),
});

export function formatLockEntry(entry: LockEntry): string {
  const { kind, seen, ...rest } = entry;
  const { owner = null, ...read } = seen ?? {};
  const holder = owner === null ? null : { nonce: owner.nonce, owner: owner.owner ?? null };
  return formatParameterJson({ entry: kind, ...rest, seen: { ...read, owner: holder } });
}

export function parseVersion({ version, value }: Parameter): LockVersion {
  return { version, entry: parseEntry(value) };
}

/** Parses an entry; returns undefined for an unknown format. */
function parseEntry(value: string): LockEntry | undefined {
  const json = parseJson(value);
  const entry = entrySchema.safeParse(json);
  if (entry.success) {
    const { entry: kind, ...rest } = entry.data;
    return withoutAbsent({ ...rest, kind, seen: toReference(rest.seen) });
  }
  const old = oldSchema.safeParse(json);
  if (!old.success) return undefined;
  const { nonce, ...owner } = old.data;
  return { kind: 'acquire', nonce, owner };
}

function toReference({ owner, ...seen }: z.infer<typeof seenSchema>): LockReference {
  return { ...seen, owner: owner === null ? undefined : toHolder(owner) };
}

function toHolder({ nonce, owner }: NonNullable<z.infer<typeof seenSchema>['owner']>): Holder {
  return { nonce, owner: owner === null ? undefined : withoutAbsent<LockOwner>(owner) };
}

/** Zod adds no absent fields, but its types allow `undefined`. */
function withoutAbsent<T>(read: unknown): T {
  return read as T;
}
