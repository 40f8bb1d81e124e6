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

/** Whoever has not said by then whether a shard serves is not waited for. */
interface Within {
  /** Its hosts: what its registration says is told without them. */
  readonly hostsMs: number;
  /** Anybody; longer, so that what follows the hosts' silence can still be asked. */
  readonly shardMs: number;
}

/**
 * The line that a person needs at three in the morning. Never fails: what cannot be found out is said
 * to be not known. `atOnce`: for whom an answer at once is worth more than the youngest proof.
 */
export async function describeSituation(
  context: StageContext,
  { atOnce = false, within }: { atOnce?: boolean; within?: Within | undefined } = {},
): Promise<Situation> {
  try {
    const { deployment, status, ...facts } = await readSituation(context, { atOnce, within });
    return { now: formatSituation({ ...facts, deployment, status }), deployment, status };
  } catch {
    return unknownSituation(context, 'Which shard serves could not be found out.');
  }
}

/** As a line, with the deployment and the active shard that it rests on. */
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
  const ask = atOnce ? checkServiceOnce : checkService;
  const untilLate = async <Answer>(asked: Promise<Answer>, late: Answer): Promise<Answer> => {
    if (within === undefined) return asked;
    return withTimeout(asked, { clock: ports.clock, limitMs: within.shardMs, late: () => late });
  };
  const judge = async (shard: Shard): Promise<Service> => {
    const cached = memory.serviceForNowLine.get(shard);
    if (cached !== undefined) return cached;
    return untilLate(ask(context, shard, { hostsWithinMs: within?.hostsMs }), unsaid);
  };
  const [first, second] = settings.shards;
  const watched = watchedShard(typeof deployment === 'string' ? undefined : deployment);
  const [customers, status, ofOne, ofTwo] = await Promise.all([
    // Sources of their own: a list that is slow or refused must not hold back the judge, who may read again.
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

/** A lock or a hold ends a run before it has read the record. */
async function readDeployment({ journal }: StageContext): Promise<Deployment | 'none' | 'unread'> {
  try {
    if (journal.version() === 0) await journal.read();
    return journal.version() === 0 ? 'none' : journal.current().deployment;
  } catch {
    return 'unread';
  }
}

/** Of a registry that hangs: what `deployment_status` says is worth having without it. */
const unsaid = unansweredService('nobody said in time');

/** Credentials that have ended end a stage, and not what it can say. */
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
