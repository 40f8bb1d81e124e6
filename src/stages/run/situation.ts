import type { Deployment } from '../../domain/deployment/record.ts';
import {
  formatSituation,
  type SituationFacts,
  watchedShard,
} from '../../domain/deployment/situation-text.ts';
import { type Service, unansweredService } from '../../domain/health/service-verdict.ts';
import type { RegistryJob } from '../../domain/registration.ts';
import type { Shard } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import { recordOf, type StageContext, wordsOf } from '../context/context.ts';
import { inParallel } from '../context/parallel.ts';
import { withTimeout } from '../context/timeout.ts';
import { customersAmong } from '../observe/canary-ownership.ts';
import { readStatus } from '../observe/observe.ts';
import { checkService, checkServiceOnce } from '../observe/shard/service-watch.ts';
import { openShardSources, type ShardSources } from '../observe/shard-sources.ts';

/** Time limits for the checks of a shard. */
interface Within {
  /** Limit for the hosts; the state of the runner is reported without them. */
  readonly hostsMs: number;
  /** Limit for all sources. It is longer, to allow queries after the hosts' timeout. */
  readonly shardMs: number;
}

/**
 * Describes which shard accepts jobs, for the `now:` line. Never fails: a missing fact is reported
 * as unknown. `atOnce`: the caller prefers a fast answer to the newest proof.
 */
export async function describeSituation(
  context: StageContext,
  { atOnce = false, within }: { atOnce?: boolean; within?: Within | undefined } = {},
): Promise<Situation> {
  try {
    const { deployment, status, ...facts } = await readSituation(context, { atOnce, within });
    return { now: formatSituation({ ...facts, deployment, status }), deployment, status };
  } catch {
    return unknownSituation(context, 'It is unknown which shard accepts jobs.');
  }
}

/** Text with the deployment and the active shard on which it is based. */
export type Situation = Pick<SituationFacts, 'deployment' | 'status'> & { readonly now: string };

export function unknownSituation(context: StageContext, now: string): Situation {
  const deployment = recordOf(context)?.deployment ?? 'unread';
  return { now, deployment, status: { kind: 'unread', reason: 'no response' } };
}

async function readSituation(
  context: StageContext,
  { atOnce, within }: { readonly atOnce: boolean; readonly within: Within | undefined },
): Promise<SituationFacts> {
  const { settings, ports, memory } = context;
  const deployment = await readDeployment(context);
  const check = atOnce ? checkServiceOnce : checkService;
  const untilLate = async <Answer>(response: Promise<Answer>, late: Answer): Promise<Answer> => {
    if (within === undefined) return response;
    return withTimeout(response, { clock: ports.clock, limitMs: within.shardMs, late: () => late });
  };
  const judge = async (shard: Shard): Promise<Service> => {
    const cached = memory.serviceForNowLine.get(shard);
    if (cached !== undefined) return cached;
    return untilLate(check(context, shard, { hostsWithinMs: within?.hostsMs }), unsaid);
  };
  const [first, second] = settings.shards;
  const watched = watchedShard(typeof deployment === 'string' ? undefined : deployment);
  const [customers, status, ofOne, ofTwo] = await Promise.all([
    // Uses separate sources, because a slow or refused list must not delay the availability checks.
    watched === undefined ? [] : untilLate(findCustomers(openShardSources(context, watched)), []),
    formatStatusSource(context),
    judge(first).catch(unasked),
    judge(second).catch(unasked),
  ]);
  return {
    shards: settings.shards,
    words: wordsOf(context),
    deployment,
    status,
    service: (shard) => (shard === first ? ofOne : ofTwo),
    customers,
  };
}

/** Reads the deployment, because a lock or a hold may end a run before it has read the record. */
async function readDeployment({ journal }: StageContext): Promise<Deployment | 'none' | 'unread'> {
  try {
    if (journal.version() === 0) await journal.read();
    return journal.version() === 0 ? 'none' : journal.current().deployment;
  } catch {
    return 'unread';
  }
}

/** Result for a registry that hangs. The active shard in `deployment_status` is still useful. */
const unsaid = unansweredService('the check timed out');

/** Turns a port failure into an unknown result: even expired credentials allow a summary. */
function unasked(error: unknown): Service {
  if (!isPortFailure(error)) throw error;
  return unansweredService(error.message);
}

async function formatStatusSource(context: StageContext): Promise<SituationFacts['status']> {
  try {
    return await readStatus(context);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { kind: 'unread', reason: error.message };
  }
}

async function findCustomers(sources: ShardSources): Promise<readonly RegistryJob[]> {
  try {
    const jobs = await inParallel(await sources.registrations(), ({ id }) => sources.jobs(id));
    return await customersAmong(sources.context, jobs.flat());
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [];
  }
}
