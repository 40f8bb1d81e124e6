import type { DeploymentRecord } from '../../../domain/deployment/record.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { findTokenExpiry } from './token-expiry-search.ts';
import { findVersionExpiriesOf } from './version-expiry-search.ts';

/** Warns of expiring tokens and versions on shards that accept jobs. Never stops a run. */
export async function warnOfExpiries(
  context: StageContext,
  record: DeploymentRecord | undefined,
  registrations: readonly RegistrationId[],
): Promise<void> {
  const { log } = context;
  const { managers } = wordsOf(context);
  for (const id of registrations) {
    await noteExpiry(context, `the versions of the ${managers} of ${id}`, async () => {
      for (const { text } of await findVersionExpiriesOf(context, id))
        log.warn(`${text} (${id}). Build ${managers} with a newer version, and deploy them.`);
    });
    await noteExpiry(context, `the token of runner ${id}`, async () => {
      const ending = await findTokenExpiry(context, record, id);
      if (ending === undefined) return;
      const then = ending.kind === 'over' ? 'get' : 'then get';
      log.warn(
        `${ending.text}: its ${managers} ${then} no job. A deployment gives the stack a new token.`,
      );
    });
  }
}

async function noteExpiry(
  { log }: StageContext,
  what: string,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`Could not find out how long ${what} will be accepted: ${error.message}.`);
  }
}
