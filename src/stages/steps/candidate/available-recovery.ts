import { shardEntry } from '../../../domain/deployment/record.ts';
import type { RecoveryMethod } from '../../../domain/deployment/recovery-methods.ts';
import { isEndable } from '../../../domain/instance.ts';
import type { Shard } from '../../../domain/shard.ts';
import { answerOr } from '../../../ports/failure.ts';
import type { StageContext } from '../../context/context.ts';
import { findToken } from '../../record/token.ts';
import { isTokenLost } from '../healthcheck/token-expiry-search.ts';

/**
 * Lists the recovery methods, apart from a rerun, that would be accepted right now. Errors print no
 * other method. A method whose check fails is left out.
 */
export async function listAvailableMethods(
  context: StageContext,
  candidate: Shard,
  inARow: number,
): Promise<readonly RecoveryMethod[]> {
  const { settings, journal } = context;
  if (shardEntry(journal.current(), candidate).productionTag) return [];
  const open: RecoveryMethod[] = [];
  // Rule 6 allows `cleanup`.
  const isUntried = await wasNeverContacted(context, candidate);
  if (inARow >= 2 || isUntried) open.push('cleanup');
  if (!isUntried && (await needsNewToken(context, candidate))) return open;
  if (settings.infrastructure.driver === 'terraform') open.push('replace');
  if (await hasOneMachine(context, candidate)) open.push('terminate');
  return open;
}

/** Returns whether the candidate needs a new token; `recover` does not build with the old one. */
async function needsNewToken(context: StageContext, candidate: Shard): Promise<boolean> {
  const { ports, names, journal } = context;
  const isStored = async () =>
    (await findToken(ports.parameters, names.token(candidate))) !== undefined;
  return answerOr(
    () => isTokenLost(context, journal.current(), { shard: candidate, isStored }),
    false,
  );
}

async function wasNeverContacted(
  { ports, journal }: StageContext,
  candidate: Shard,
): Promise<boolean> {
  const { registration, contacted } = shardEntry(journal.current(), candidate);
  if (contacted === true) return false;
  if (registration === undefined) return true;
  return answerOr(async () => {
    const found = await ports.registry.find(registration);
    const workers = await ports.registry.listWorkers(registration);
    const isThere = found.kind === 'found' && workers.kind === 'found';
    return isThere && !found.value.contacted && workers.value.length === 0;
  }, false);
}

async function hasOneMachine({ ports, settings }: StageContext, shard: Shard): Promise<boolean> {
  return answerOr(async () => {
    const listed = await ports.instances.list({ runnerName: settings.runnerName, shard });
    return listed.filter(isEndable).length === 1;
  }, false);
}
