import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { judgeTokenEnding, type TokenJudgement } from '../../domain/health/token-expiry.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import type { StageContext } from '../walk/context.ts';

export type KnownTokenEnding = Exclude<TokenJudgement, { kind: 'fine' }>;

/**
 * The registry's word goes first: a manager may have renewed its token by itself. Where it says
 * nothing, what it said when the token was made and the record has kept.
 */
export async function findTokenEnding(
  { ports }: Pick<StageContext, 'ports'>,
  record: DeploymentRecord | undefined,
  id: RegistrationId,
): Promise<KnownTokenEnding | undefined> {
  const { registry, clock } = ports;
  const { tokens, words } = registry.traits;
  // Of others hosts have a token for registering alone, and its age tells when it ends.
  if (tokens !== 'reusable') return undefined;
  const told = await registry.readTokenEnding(id);
  if (told.kind === 'none') return undefined;
  const endsAt = told.kind === 'ends' ? told.at : notedEnding(record, id);
  const judged = judgeTokenEnding({ id, endsAt, nowMs: clock.now(), words });
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
  return !(await isStored()) || hasTokenEnded(context, record, shard);
}

/** Of the candidate's registration, while it is onboarded: nothing is asked unless its note has passed. */
export async function hasTokenEnded(
  context: StageContext,
  record: DeploymentRecord,
  shard: Shard,
): Promise<boolean> {
  const { registration, tokenEndsAt } = shardEntry(record, shard);
  if (registration === undefined || tokenEndsAt === undefined) return false;
  if (Date.parse(tokenEndsAt) > context.ports.clock.now()) return false;
  return (await findTokenEnding(context, record, registration))?.kind === 'over';
}
