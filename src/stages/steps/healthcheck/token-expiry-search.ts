import { type DeploymentRecord, shardEntry } from '../../../domain/deployment/record.ts';
import { judgeTokenExpiry, type TokenExpiryVerdict } from '../../../domain/health/token-expiry.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';

export type KnownTokenExpiry = Exclude<TokenExpiryVerdict, { kind: 'fine' }>;

/**
 * Finds the expiry of a token. The registry takes precedence, because a manager may have renewed
 * its token. Without it, the expiry from the token's creation in the record counts.
 */
export async function findTokenExpiry(
  { ports }: Pick<StageContext, 'ports'>,
  record: DeploymentRecord | undefined,
  id: RegistrationId,
): Promise<KnownTokenExpiry | undefined> {
  const { registry, clock } = ports;
  const { tokens, words } = registry.traits;
  // Other registries give hosts only a registration token, whose age determines its expiry.
  if (tokens !== 'reusable') return undefined;
  const ending = await registry.readTokenEnding(id);
  if (ending.kind === 'none') return undefined;
  const endsAt = ending.kind === 'ends' ? ending.at : notedEnding(record, id);
  const verdict = judgeTokenExpiry({ id, endsAt, nowMs: clock.now(), words });
  return verdict.kind === 'fine' ? undefined : verdict;
}

function notedEnding(record: DeploymentRecord | undefined, id: RegistrationId): string | undefined {
  return Object.values(record?.shards ?? {}).find(({ registration }) => registration === id)
    ?.tokenEndsAt;
}

/**
 * Returns whether the shard's token is lost, without which it cannot be built again. Hosts that
 * read a new token at each start lose none.
 */
export async function isTokenLost(
  context: StageContext,
  record: DeploymentRecord,
  { shard, isStored }: { readonly shard: Shard; readonly isStored: () => Promise<boolean> },
): Promise<boolean> {
  if (context.ports.registry.traits.tokens === 'expiring') return false;
  return !(await isStored()) || hasTokenExpired(context, record, shard);
}

/** Returns whether the candidate's token has expired; queried only after the noted expiry. */
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
