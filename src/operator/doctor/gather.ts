import type { OwnerState } from '../../domain/deployment/lock/pipeline-state.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import { type Read, recordFrom, type StackFacts } from '../../domain/doctor/stack-facts.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { readOwner } from '../../stages/context/deployment-owner.ts';
import { allSettledOrThrow } from '../../stages/context/parallel.ts';
import { readFact } from '../fact-read.ts';
import { readShards, readStoredState } from '../stack-reading.ts';
import { readDoctorSources } from './gather-shard.ts';

/**
 * Reads every source once and changes nothing. A missing response is never a fact. `atOnce`: the
 * caller prefers a fast answer to the newest proof.
 */
export async function readStackFacts(
  context: StageContext,
  { atOnce = false, hostsWithinMs }: { atOnce?: boolean; hostsWithinMs?: number | undefined } = {},
): Promise<StackFacts> {
  const { settings, run, ports } = context;
  const stored = await readStoredState(context);
  const record = recordFrom(stored);
  const [owner, shards] = await allSettledOrThrow(
    () => readRecordOwner(context, record),
    () =>
      readShards(context, record, {
        atOnce,
        hostsWithinMs,
        watched: settings.shards,
        more: (sources, inTurn) => readDoctorSources(sources, record, inTurn),
      }),
  );
  return {
    ...stored,
    ...shards,
    registrationsPer: ports.registry.traits.registrationsPer,
    ...(owner === undefined ? {} : { owner }),
    ...(run.ownRegistrationId === undefined ? {} : { ownRegistration: run.ownRegistrationId }),
  };
}

/** Reads whether the pipeline of an unfinished deployment runs; absent if nothing is unfinished. */
export async function readRecordOwner(
  context: StageContext,
  record: DeploymentRecord | undefined,
): Promise<Read<OwnerState> | undefined> {
  if (record === undefined || record.deployment.phase === 'done') return undefined;
  // The pipeline of this run is no other pipeline that is running.
  if (record.deployment.id === context.run.deploymentId) return undefined;
  return readFact(context, () => readOwner(context, record));
}
