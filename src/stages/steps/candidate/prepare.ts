import type { Status } from '../../../domain/deployment/deployment-status.ts';
import {
  chooseDirection,
  type Direction,
  type OwnDirection,
} from '../../../domain/deployment/direction.ts';
import { type DeploymentRecord, showsOurSwitch } from '../../../domain/deployment/record.ts';
import type { Shard } from '../../../domain/shard.ts';
import { inactiveShardHealthy } from '../../../errors/shard-errors.ts';
import { superseded } from '../../../errors/state-errors.ts';
import { recordOf, type StageContext } from '../../context/context.ts';
import { readOwner } from '../../context/deployment-owner.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { allSettledOrThrow } from '../../context/parallel.ts';
import { alreadyDone, type NothingToDo, type StageResult } from '../../context/result.ts';
import { cancelCanary } from '../../effects/cancel-canary.ts';
import { busyWith, settle } from '../../effects/deployment-authority.ts';
import { gate } from '../../effects/effect-gate.ts';
import { readStatusOnce } from '../../observe/observe.ts';
import {
  observeShards,
  refuseShared,
  type ShardView,
  warnOfContradiction,
} from '../../observe/shard/shard-view.ts';
import { readParameters } from '../../record/parameter-snapshot.ts';
import { warnIfDrainTooLong } from '../drain/check-drain-feasible.ts';
import { warnOfMissingMetricsEndpoint } from '../drain/metrics-endpoint-warning.ts';
import { adopted, begun, retiringRegistration } from './initial-record.ts';
import { preflight, requireRunnerCapacity } from './preflight.ts';
import { requireNotRolledBack } from './repeat-of-rolled-back.ts';

/** Validates everything, compares record, status and reality, and chooses the direction. */
export async function prepare(
  context: StageContext,
  againBecause: string | undefined,
): Promise<StageResult> {
  await preflight(context, recordOf(context));
  const observed = await settle(context, () => observe(context));
  await withGuardEvent(context, 'shared_registration', () => refuseShared(context, observed.views));
  const agreed = await withGuardEvent(context, 'agreement', async () => {
    const { direction } = observed;
    if (direction.kind !== 'contradiction') return direction;
    throw await warnOfContradiction(context, { ...observed, found: direction });
  });
  const direction = await refuseOthers(context, agreed, observed.record);
  return decideAndWrite(context, { ...observed, direction, againBecause });
}

/** Returns the result for a deployment whose direction was chosen earlier. */
export function stays(reason: string): NothingToDo {
  return { kind: 'nothing', reason: `${reason}; the direction does not change` };
}

async function observe(context: StageContext) {
  const { ports, names, journal } = context;
  const snapshot = await readParameters(ports, [names.record, names.status]);
  const record = await journal.read(snapshot);
  const [{ status, version }, views] = await allSettledOrThrow(
    () => readStatusOnce(context, { snapshot }),
    () => observeShards(context),
  );
  const direction = await choose(context, { record, status, views });
  const found = direction.kind === 'contradiction' ? direction : undefined;
  const isNew = record !== undefined && showsOurSwitch(record, version);
  return { record, status, views, direction, found, isNew };
}

interface Observed {
  readonly record: DeploymentRecord | undefined;
  readonly status: Status;
  readonly views: readonly ShardView[];
}

async function choose(
  context: StageContext,
  { record, status, views }: Observed,
): Promise<Direction> {
  const { run, settings } = context;
  const foreign =
    record !== undefined &&
    record.deployment.phase !== 'done' &&
    record.deployment.id !== run.deploymentId;
  return chooseDirection({
    shards: settings.shards,
    run: { deploymentId: run.deploymentId, pipelineCreatedAt: run.pipelineCreatedAt },
    status,
    record,
    registrations: Object.fromEntries(views.map((view) => [view.shard, view.registrations.length])),
    accepting: views.filter(({ acceptsJobs }) => acceptsJobs).map(({ shard }) => shard),
    ended: views.filter(({ service }) => service.kind === 'disproven').map(({ shard }) => shard),
    ...(foreign ? { owner: await readOwner(context, record) } : {}),
  });
}

async function decideAndWrite(
  context: StageContext,
  observed: Observed & { direction: OwnDirection; againBecause: string | undefined },
): Promise<StageResult> {
  const { log } = context;
  const { direction, record, againBecause } = observed;
  switch (direction.kind) {
    case 'finished':
      return alreadyDone(context, direction.reason);
    case 'resume':
      return stays(direction.reason);
    case 'adopt':
      if (record !== undefined && !direction.finishOnly) {
        const { candidate, retiring: active } = record.deployment;
        await requireNotRolledBack(context, record, { candidate, active, againBecause });
      }
      // The new pipeline does not use the old canary, because the candidate gets another tag.
      await cancelCanary(context, { of: record?.deployment.id });
      await write(context, adopted(context, record as DeploymentRecord, direction.finishOnly));
      log.act(`Adopted: ${direction.reason}.`);
      return { kind: 'done', summary: [direction.reason] };
    case 'begin': {
      const { candidate, retiring } = direction;
      await withGuardEvent(context, 'inactive_shard', () =>
        refuseAcceptingCandidate(context, candidate, observed.views),
      );
      await requireNotRolledBack(context, record, { candidate, active: retiring, againBecause });
      await requireRunnerCapacity(context, candidate, observed.views);
      logActive(context, retiring, observed.views);
      await warnIfDrainTooLong(context, retiringRegistration(direction, observed.views));
      if (direction.retiring !== undefined)
        await warnOfMissingMetricsEndpoint(context, direction.retiring);
      await write(context, begun(context, { ...observed, direction }));
      log.act(`Chose ${direction.candidate} as candidate: ${direction.reason}.`);
      return {
        kind: 'done',
        summary: [
          `candidate ${candidate}, ${retiring === undefined ? 'no retiring shard (first deployment)' : `retiring shard ${retiring}`}`,
        ],
      };
    }
  }
}

/** Refuses a deployment while another pipeline is newer or still running. */
export async function refuseOthers(
  context: StageContext,
  direction: Exclude<Direction, { kind: 'contradiction' }>,
  record: DeploymentRecord | undefined,
): Promise<OwnDirection> {
  const { settings, stage } = context;
  return withGuardEvent(context, 'owner', () => {
    const { kind, reason } = direction;
    if (kind === 'superseded') throw superseded({ runner: settings.runnerName, stage, reason });
    if (kind === 'busy') throw busyWith(context, record, direction);
    return direction;
  });
}

/** Refuses an inactive candidate that accepts jobs: such a shard is never touched. */
function refuseAcceptingCandidate(
  { settings, stage }: StageContext,
  candidate: Shard,
  views: readonly ShardView[],
): void {
  const inactive = views.find(({ shard }) => shard === candidate);
  if (inactive?.acceptsJobs !== true) return;
  const state = inactive.service.kind === 'proven' ? 'accepts jobs' : 'may accept jobs';
  const reason = `${candidate} is inactive but ${state}: ${inactive.service.reason}`;
  throw inactiveShardHealthy({ runner: settings.runnerName, candidate, reason, stage });
}

/** Warns of an active shard that is not verified. */
function logActive(
  { log }: StageContext,
  active: Shard | undefined,
  views: readonly ShardView[],
): void {
  const service = views.find(({ shard }) => shard === active)?.service;
  if (service === undefined || service.kind === 'proven') return;
  if (service.kind === 'unknown' && !service.against)
    log.act(`Could not verify that ${active} accepts jobs: ${service.reason}.`);
  else
    log.warn(
      `NO SHARD IS VERIFIED: ${active} is active; ${service.reason}. Continuing, because this deployment builds a shard that accepts jobs.`,
    );
}

async function write(context: StageContext, record: DeploymentRecord): Promise<void> {
  const { journal } = context;
  const snapshot = journal.version() > 0 ? await gate(context) : undefined;
  await journal.write(record, snapshot);
}
