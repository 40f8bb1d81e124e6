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

/** Longer than any observed delay of a read in Parameter Store. */
const behindMs = 2000;

/**
 * Stores a new token for hosts that may have to register, if tokens expire. Takes no lock and
 * ignores holds: a fleet must accept jobs during a long drain and while deployments are held.
 */
export async function renew(context: StageContext): Promise<StageResult> {
  const { ports, journal } = context;
  const { registry } = wordsOf(context);
  if (ports.registry.traits.tokens !== 'expiring')
    return { kind: 'nothing', reason: `tokens of ${registry} do not expire` };
  // Without the lock a read may be stale, and a shard that the record does not name gets no token.
  const record = await pollUntil(
    { clock: ports.clock, cadence: { pollMs: behindMs } },
    async (polls) => {
      const read = await journal.read();
      return polls === 1 ? pending() : done(read);
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
  return { kind: 'nothing', reason: left.join('; ') || 'no shard is active or being built' };
}

/** Renews a shard's token. Returns the reason if it has no new token; empty otherwise. */
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
  // The shard was removed meanwhile, so its new token must be removed too.
  await ports.parameters.remove(name);
  log.act(`Removed the new token: ${shard} was retired meanwhile.`);
  return 'it was retired meanwhile';
}

async function findOne(context: StageContext, shard: Shard): Promise<Registration | undefined> {
  return (await findRegistrations(context, shard))[0];
}
