import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { tokenLifeMs } from '../../domain/deployment/renewal.ts';
import {
  answerOf,
  type Read,
  type ShardFacts,
  type ShardSnapshot,
} from '../../domain/doctor/stack-facts.ts';
import { requestWithinMs } from '../../domain/health/service-verdict.ts';
import { notInState } from '../../domain/plan/aws-resource.ts';
import type { RegistrationId } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { allSettledOrThrow } from '../../stages/context/parallel.ts';
import { contactAge, whyEndedUnasked } from '../../stages/observe/host-ends.ts';
import type { ShardSources } from '../../stages/observe/shard-sources.ts';
import type { Mutex } from '../../stages/record/mutex.ts';
import { findToken } from '../../stages/record/token.ts';
import { readFact } from '../fact-read.ts';

/** Reads the sources that `doctor` needs in addition to those of `status`. */
export async function readDoctorSources(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
  inTurn: Mutex,
): Promise<Omit<ShardFacts, keyof ShardSnapshot>> {
  const [machines, built, token] = await allSettledOrThrow(
    () => readMachineFacts(sources, record),
    () => gatherBuilt(sources, inTurn),
    () => readTokenFact(sources),
  );
  return { ...machines, ...built, ...token };
}

/**
 * Reads what `status` needs for the next command: the machines. It starts no Terraform and reads no
 * token, so the infrastructure stays unknown, as with a driver that cannot list it.
 */
export async function readStatusSources(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
): Promise<Omit<ShardFacts, keyof ShardSnapshot>> {
  const unlisted = {
    kind: 'read',
    value: 'unknown',
    at: sources.context.ports.clock.elapsed(),
  } as const;
  return {
    ...(await readMachineFacts(sources, record)),
    infrastructure: unlisted,
    known: unlisted,
  };
}

async function readMachineFacts(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
): Promise<Pick<ShardFacts, 'instances' | 'ended'>> {
  const { context, shard } = sources;
  const { registration } = shardEntry(record, shard);
  const [instances, ended] = await allSettledOrThrow(
    () => readFact(context, sources.instances),
    () => readFact(context, () => readEnded(sources, registration)),
  );
  return { instances, ended };
}

/** Reads the shards one after another: Terraform works in one folder. */
async function gatherBuilt(
  sources: ShardSources,
  inTurn: Mutex,
): Promise<Pick<ShardFacts, 'infrastructure' | 'known' | 'leftovers'>> {
  const { context, shard } = sources;
  const { ports, settings } = context;
  const place = { runnerName: settings.runnerName, shard };
  const infrastructure = await orUnknown(context, sources.infrastructure);
  const known = await inTurn(() => orUnknown(context, () => ports.infrastructure.listKnown(place)));
  return {
    infrastructure,
    known,
    ...(await findLeftovers(sources, { infrastructure, known })),
  };
}

/** Applies the same rules as the commands, which then accept what doctor suggests. */
async function readEnded(
  sources: ShardSources,
  registration: RegistrationId | undefined,
): Promise<{ readonly isUnresponsive: boolean } | undefined> {
  if ((await whyEndedUnasked(sources, registration)) === undefined) return undefined;
  const ageMs = registration === undefined ? undefined : await contactAge(sources, registration);
  return { isUnresponsive: ageMs !== undefined && ageMs > requestWithinMs };
}

async function readTokenFact({
  context,
  shard,
}: ShardSources): Promise<Pick<ShardFacts, 'token' | 'tokenEndedMs'>> {
  const { ports, names } = context;
  let ageMs = 0;
  const token = await readFact(context, async () => {
    const found = await findToken(ports.parameters, names.token(shard));
    if (found === undefined) return 'absent';
    ageMs = ports.clock.now() - Date.parse(found.modifiedAt);
    return 'present';
  });
  const ends = ports.registry.traits.tokens === 'expiring' && ageMs >= tokenLifeMs;
  return { token, ...(ends ? { tokenEndedMs: ageMs } : {}) };
}

/** Finds leftovers. Without the driver's list, they are not distinguishable from used resources. */
async function findLeftovers(
  { context, shard }: ShardSources,
  { infrastructure, known }: Pick<ShardFacts, 'infrastructure' | 'known'>,
): Promise<Pick<ShardFacts, 'leftovers'>> {
  const { ports, settings } = context;
  const ids = answerOf(infrastructure) === 'absent' ? [] : answerOf(known);
  if (settings.aws.sweep === 'off' || ids === undefined || ids === 'unknown') return {};
  const found = await readFact(context, () =>
    ports.inventory.list({ runnerName: settings.runnerName, shard }),
  );
  if (found.kind === 'unknown') return { leftovers: found };
  return { leftovers: { ...found, value: notInState(found.value, new Set(ids)) } };
}

/** Reads a fact of the infrastructure; unknown without Terraform. */
async function orUnknown<T>(
  context: StageContext,
  question: () => Promise<T>,
): Promise<Read<T | 'unknown'>> {
  return readFact(context, async () => {
    try {
      return await question();
    } catch (error) {
      if (isDeployError(error)) return 'unknown';
      throw error;
    }
  });
}
