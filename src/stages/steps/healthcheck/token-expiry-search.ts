import { type DeploymentRecord, shardEntry } from '../../../domain/deployment/record.ts';
import { judgeTokenExpiry, type TokenExpiryVerdict } from '../../../domain/health/token-expiry.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';

export type KnownTokenExpiry = Exclude<TokenExpiryVerdict, { kind: 'fine' }>;

/**
 * The registry's word goes first: a manager may have renewed its token by itself. Where it says
 * nothing, what it said when the token was made and the record has kept.
 */
export async function findTokenExpiry(
  { ports }: Pick<StageContext, 'ports'>,
  record: DeploymentRecord | undefined,
  id: RegistrationId,
): Promise<KnownTokenExpiry | undefined> {
  const { registry, clock } = ports;
  const { tokens, words } = registry.traits;
  // Of others hosts have a token for registering alone, and its age tells when it ends.
  if (tokens !== 'reusable') return undefined;
  const told = await registry.readTokenEnding(id);
  if (told.kind === 'none') return undefined;
  const endsAt = told.kind === 'ends' ? told.at : notedEnding(record, id);
  const judged = judgeTokenExpiry({ id, endsAt, nowMs: clock.now(), words });
  return judged.kind === 'fine' ? undefined : judged;
}

function notedEnding(record: DeploymentRecord | undefined, id: RegistrationId): string | undefined {
  return Object.values(record?.shards ?? {}).find(({ registration }) => registration === id)
    ?.tokenEndsAt;
}

/** Without its token a shard cannot be built again; whoever reads a new one at each start loses none. */
export async function isTokenLost(
  context: StageContext,
  record: DeploymentRecord,
  { shard, isStored }: { readonly shard: Shard; readonly isStored: () => Promise<boolean> },
): Promise<boolean> {
  if (context.ports.registry.traits.tokens === 'expiring') return false;
  return !(await isStored()) || hasTokenExpired(context, record, shard);
}

/** Of the candidate's registration, while it is onboarded: nothing is asked unless its note has passed. */
export async function hasTokenExpired(
  context: StageContext,
  record: DeploymentRecord,
  shard: Shard,
): Promise<boolean> {
  const { registration, tokenEndsAt } = shardEntry(record, shard);
  if (registration === undefined || tokenEndsAt === undefined) return false;
  if (Date.parse(tokenEndsAt) > context.ports.clock.now()) return false;
  return (await findTokenExpiry(context, record, registration))?.kind === 'over';
}
