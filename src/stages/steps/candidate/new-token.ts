import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { writeToken } from '../../record/token.ts';
import { renewToken } from '../../service/irreversible.ts';

/** Stores a new token for hosts that register from now on. Earlier tokens stay valid. */
export async function storeNewToken(
  context: StageContext,
  { shard, id }: { readonly shard: Shard; readonly id: RegistrationId },
): Promise<void> {
  const { names, log } = context;
  const name = names.token(shard);
  const { token } = await renewToken(context, id);
  await writeToken(context, name, token);
  log.act(`Stored a new token of ${shard} in ${name}.`);
  log.event({ kind: 'token_stored', registration: id });
}

/**
 * Renews the token for a rollback. A single-job runner registers before each job, and its host's
 * token may be hours old. Must precede the reopening, or the hosts would read the old token.
 */
export async function renewForReturn(
  context: StageContext,
  { shard, id }: { readonly shard: Shard; readonly id: RegistrationId },
): Promise<void> {
  if (context.ports.registry.traits.tokens !== 'expiring') return;
  await gate(context, shard);
  await storeNewToken(context, { shard, id });
}
