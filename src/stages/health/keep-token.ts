import { isBefore } from '../../domain/deployment/steps.ts';
import type { Shard } from '../../domain/shard.ts';
import { onboard } from '../candidate/onboard.ts';
import { findToken } from '../record/token.ts';
import type { StageContext } from '../walk/context.ts';

/**
 * The removal of the shard's last token may come after the new one was stored. As long as no manager
 * has used that, another one takes its place; later the candidate is not promoted (`TokenLost`),
 * because it could not be started again.
 */
export async function keepToken(context: StageContext, candidate: Shard): Promise<'kept' | 'new'> {
  const { ports, names, journal, log } = context;
  if (!isBefore(journal.current().deployment.phase, 'promoting')) return 'kept';
  const name = names.token(candidate);
  if ((await findToken(ports.parameters, name)) !== undefined) return 'kept';
  log.warn(`The token in ${name} is gone since it was stored.`);
  await onboard(context, candidate);
  return 'new';
}
