import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import type { StageContext } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { writeToken } from '../../record/token.ts';
import { renewToken } from '../../service/irreversible.ts';

/** For hosts of the shard that register from now on; the tokens before it stay as good as they were. */
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
 * For a rollback: a runner that has one job only registers before its next, and the token that its host
 * knows may be hours old. Before the intake is opened, or its hosts would find the old one.
 */
export async function renewForReturn(
  context: StageContext,
  { shard, id }: { readonly shard: Shard; readonly id: RegistrationId },
): Promise<void> {
  if (context.ports.registry.traits.tokens !== 'expiring') return;
  await gate(context, shard);
  await storeNewToken(context, { shard, id });
}
