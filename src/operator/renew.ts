import type { DeploymentRecord } from '../domain/deployment/record.ts';
import { registeringShards, whyRegistrationFails } from '../domain/deployment/renewal.ts';
import type { Shard } from '../domain/shard.ts';
import { done, pending, pollUntil } from '../ports/poll.ts';
import type { Registration } from '../ports/registry.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';
import type { StageResult } from '../stages/context/result.ts';
import { findRegistrations, readSwitchedStatus } from '../stages/observe/observe.ts';
import { storeNewToken } from '../stages/steps/candidate/new-token.ts';
import { warnOfExpiries } from '../stages/steps/healthcheck/expiry-warnings.ts';

/** Longer than Parameter Store was seen to return the previous version. */
const behindMs = 2000;

/**
 * A new token for whoever may have to register, where tokens end. It takes no lock and heeds no hold:
 * a fleet goes on serving while a drain of hours runs, or while nobody may deploy.
 */
export async function renew(context: StageContext): Promise<StageResult> {
  const { ports, journal } = context;
  const { registry } = wordsOf(context);
  if (ports.registry.traits.tokens !== 'expiring')
    return { kind: 'nothing', reason: `a token of ${registry} does not end by itself` };
  // No lock proves that a read is current, and a shard that the record does not name yet gets no token.
  const record = await pollUntil(
    { clock: ports.clock, cadence: { pollMs: behindMs } },
    async (looks) => {
      const read = await journal.read();
      return looks === 1 ? pending() : done(read);
    },
  );
  const shards = registeringShards(await readSwitchedStatus(context), record);
  const renewed: string[] = [];
  const left: string[] = [];
  for (const shard of [...shards.open, ...shards.closed]) {
    const mayReturn = shards.closed.includes(shard);
    const reason = await renewShard(context, { shard, mayReturn }, record);
    if (reason === '') renewed.push(`the hosts of ${shard} can register for another hour`);
    else left.push(`${shard}: ${reason}`);
  }
  if (renewed.length > 0) return { kind: 'done', summary: renewed };
  return { kind: 'nothing', reason: left.join('; ') || 'no shard is active or being brought up' };
}

/** Why it has no new token; empty where it has. */
async function renewShard(
  context: StageContext,
  { shard, mayReturn }: { readonly shard: Shard; readonly mayReturn: boolean },
  record: DeploymentRecord | undefined,
): Promise<string> {
  const { ports, names, log } = context;
  const name = names.token(shard);
  const registration = await findOne(context, shard);
  const reason = whyRegistrationFails(registration, wordsOf(context), mayReturn);
  if (registration === undefined || reason !== '') return reason;
  await warnOfExpiries(context, record, [registration.id]);
  await storeNewToken(context, { shard, id: registration.id });
  if ((await findOne(context, shard)) !== undefined) return '';
  // Its cleanup overtook us: no token is left of a shard that is gone.
  await ports.parameters.remove(name);
  log.act(`Removed it again: ${shard} was retired meanwhile.`);
  return 'it was retired meanwhile';
}

async function findOne(context: StageContext, shard: Shard): Promise<Registration | undefined> {
  return (await findRegistrations(context, shard))[0];
}
