import type { Status } from '../../domain/deployment/deployment-status.ts';
import type { Deployment } from '../../domain/deployment/record.ts';
import { type SituationFacts, tellSituation } from '../../domain/deployment/situation-text.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { Registration, RegistryJob } from '../../domain/registration.ts';
import type { Shard } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import { recordOf, type StageContext, wordsOf } from '../context/context.ts';
import { withTimeout } from '../context/timeout.ts';
import { customersAmong } from '../observe/canary-ownership.ts';
import { findRegistrations, readStatus } from '../observe/observe.ts';
import { checkService, checkServiceOnce } from '../observe/shard/service-watch.ts';

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
    return { now: tellSituation({ ...facts, deployment, status }), deployment, status };
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

/** @param asked its `status` was read already */
export async function readSituation(
  context: StageContext,
  asked: {
    readonly atOnce: boolean;
    readonly within?: Within | undefined;
    readonly status?: Status;
  },
): Promise<SituationFacts> {
  const { settings, ports } = context;
  const { atOnce, within } = asked;
  const deployment = await readDeployment(context);
  const ask = atOnce ? checkServiceOnce : checkService;
  const untilLate = async <Answer>(asked: Promise<Answer>, late: Answer): Promise<Answer> => {
    if (within === undefined) return asked;
    return withTimeout(asked, { clock: ports.clock, limitMs: within.shardMs, late: () => late });
  };
  const look = async (of: StageContext, shard: Shard): Promise<Service> => {
    const told = of.memory.serviceForNowLine.get(shard);
    if (told !== undefined) return told;
    return untilLate(ask(of, shard, { hostsWithinMs: within?.hostsMs }), unsaid);
  };
  const [one, two] = settings.shards;
  const [status, ofOne, ofTwo, intruders, remaining] = await Promise.all([
    asked.status ?? tellStatus(context),
    look(context, one).catch(unasked),
    look(context, two).catch(unasked),
    untilLate(findIntruders(context, deployment), []),
    untilLate(findRemaining(context, deployment), []),
  ]);
  const service = (shard: Shard): Service => (shard === one ? ofOne : ofTwo);
  return {
    shards: settings.shards,
    words: wordsOf(context),
    deployment,
    status,
    service,
    intruders,
    remaining,
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
const unsaid: Service = {
  kind: 'unknown',
  reason: 'nobody said in time',
  missing: 'an answer',
  open: false,
  against: false,
};

/** Credentials that have ended end a stage, and not what it can say. */
function unasked(error: unknown): Service {
  if (!isPortFailure(error)) throw error;
  const { message: reason } = error;
  return { kind: 'unknown', reason, missing: 'an answer', open: false, against: false };
}

async function tellStatus(context: StageContext): Promise<SituationFacts['status']> {
  try {
    return await readStatus(context);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { kind: 'unread', reason: error.message };
  }
}

/** In quarantine nobody but the canary runs; who does has asked for its tag. */
async function findIntruders(
  context: StageContext,
  deployment: Deployment | 'none' | 'unread',
): Promise<readonly RegistryJob[]> {
  if (typeof deployment === 'string' || deployment.phase === 'done') return [];
  if (!isBefore(deployment.phase, 'promoting')) return [];
  return findCustomers(context, deployment.candidate);
}

/** Of a shard that its drain has closed, the drain tells. */
async function findRemaining(
  context: StageContext,
  deployment: Deployment | 'none' | 'unread',
): Promise<readonly RegistryJob[]> {
  if (typeof deployment === 'string' || deployment.retiring === undefined) return [];
  if (deployment.phase !== 'promoted') return [];
  return findCustomers(context, deployment.retiring);
}

async function findCustomers(context: StageContext, shard: Shard): Promise<readonly RegistryJob[]> {
  try {
    const registrations = await findRegistrations(context, shard);
    return await customersAmong(context, await jobsOn(context, registrations));
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [];
  }
}

async function jobsOn(
  { ports }: StageContext,
  registrations: readonly Registration[],
): Promise<readonly RegistryJob[]> {
  const lists = await Promise.all(registrations.map(async ({ id }) => ports.registry.listJobs(id)));
  return lists.flatMap((list) => (list.kind === 'found' ? list.value : []));
}
