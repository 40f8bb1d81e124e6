import { costInBrief, costOf } from '../domain/deployment/cost.ts';
import {
  type Deployment,
  type DeploymentRecord,
  type ShardEntry,
  shardEntry,
} from '../domain/deployment/record.ts';
import { isBefore, isReturnable } from '../domain/deployment/steps.ts';
import type { DeploymentId, RegistrationId, Shard } from '../domain/shard.ts';
import { otherShard } from '../domain/shard.ts';
import { nothingToRollBack } from '../errors/takeover.ts';
import { refuseRecordedOther } from '../stages/candidate/whose-registration.ts';
import { findToken } from '../stages/record/token.ts';
import { promote } from '../stages/switch/promote.ts';
import { notingStatus } from '../stages/switch/switch-status.ts';
import { findOldProcess } from '../stages/switch/way-back.ts';
import { type StageContext, timestamp } from '../stages/walk/context.ts';
import { gate, refuseWhenHeld } from '../stages/walk/effect.ts';
import { guarded } from '../stages/walk/guarded.ts';
import { findRegistrations } from '../stages/walk/observe.ts';
import type { StageResult } from '../stages/walk/result.ts';
import { chooseRegistration, refuseAnother } from './chosen-registration.ts';

/**
 * `rollback` and `activate` are deployments of their own that begin at `promoting`: the candidate is
 * there already, so it is proven, promoted, and the other shard is retired as always.
 */
export async function rollback(context: StageContext): Promise<StageResult> {
  await refuseWhenHeld(context);
  const record = await context.journal.read();
  const { deployment } = record ?? {};
  if (deployment?.kind === 'rollback' && deployment.phase === 'promoting')
    return finishTakeover(context);
  // Typed again, or its job retried: turning the rollback back would switch the status once more.
  if (deployment?.kind === 'rollback') return alreadyTaken(deployment);
  if (record === undefined || deployment?.retiring === undefined) {
    throw nothingToRollBack(
      context.settings.runnerName,
      'no deployment with a shard to go back to is recorded',
      record === undefined || deployment?.phase === 'done' ? 'deploy' : 'finalize',
    );
  }
  const { retiring } = deployment;
  // It would be put into quarantine, and may be the other one, which serves.
  await refuseRecordedOther(context, record, retiring);
  const runs = await guarded(context, 'way_back', () => findProcess(context, record, retiring));
  await begin(context, {
    record,
    kind: 'rollback',
    candidate: deployment.retiring,
    retiring: deployment.candidate,
    isStartedAnew: !runs,
  });
  return finishTakeover(context);
}

/**
 * Whether the process of the shard to go back to runs on; one that has ended on its host is started
 * anew, proven, and only then given customers' jobs. Without a host it has to be deployed anew.
 */
async function findProcess(
  context: StageContext,
  record: DeploymentRecord,
  shard: Shard,
): Promise<boolean> {
  const { phase } = record.deployment;
  if (!isReturnable(phase)) {
    throw nothingToRollBack(
      context.settings.runnerName,
      `the deployment is ${phase}`,
      goesAt(phase),
    );
  }
  if (shardEntry(record, shard).removal !== undefined) {
    throw nothingToRollBack(
      context.settings.runnerName,
      `the runners of ${shard} are being removed, and a removed one never comes back`,
      'finalize',
    );
  }
  const found = await findOldProcess(context, shard);
  if (found.kind === 'unknown') {
    if (phase !== 'drained') return true;
    throw nothingToRollBack(
      context.settings.runnerName,
      `${shard} is drained and its hosts cannot be asked: ${found.reason}`,
      'finalize',
    );
  }
  if (found.kind !== 'none') return found.kind === 'runs';
  throw nothingToRollBack(
    context.settings.runnerName,
    `no host of ${shard} has a runner process that runs or can be started`,
    'finalize',
  );
}

function goesAt(phase: Deployment['phase']): 'deploy' | 'recover' | 'finalize' {
  if (phase === 'done') return 'deploy';
  return isBefore(phase, 'promoted') ? 'recover' : 'finalize';
}

export async function activate(
  context: StageContext,
  { shard, registration }: { shard: Shard; registration?: RegistrationId },
): Promise<StageResult> {
  await refuseWhenHeld(context);
  const record = await context.journal.read();
  const { deployment } = record ?? {};
  if (
    deployment?.kind === 'activate' &&
    deployment.phase === 'promoting' &&
    deployment.candidate === shard
  ) {
    return finishTakeover(context);
  }
  if (
    deployment?.kind === 'activate' &&
    deployment.candidate === shard &&
    isBegunByUs(context, deployment)
  )
    return alreadyTaken(deployment);
  const other = otherShard(context.settings.shards, shard);
  const chosen = await chooseRegistration(context, shard, registration);
  const ofOther = await findRegistrations(context, other);
  refuseAnother(context, { shard, registration: chosen, record, ofOther });
  const [retiring] = ofOther;
  const isThere = retiring !== undefined || (await exists(context, other));
  await begin(context, {
    record,
    kind: 'activate',
    candidate: shard,
    registration: chosen.id,
    ...(isThere ? { retiring: other } : {}),
    ...(retiring === undefined ? {} : { retiringRegistration: retiring.id }),
  });
  return finishTakeover(context);
}

/** In a terminal every command has an id of its own, so what is unfinished counts as ours. */
function isBegunByUs({ run }: StageContext, { id, phase }: Deployment): boolean {
  return phase !== 'done' || id === run.deploymentId || id === `${run.deploymentId}-activate`;
}

function alreadyTaken({ kind, candidate, phase }: Deployment): StageResult {
  return { kind: 'nothing', reason: `the ${kind} to ${candidate} is ${phase} already` };
}

/** What is left of a shard without a registration has to go as well, be it its token alone. */
async function exists({ ports, settings, names }: StageContext, shard: Shard): Promise<boolean> {
  const target = { runnerName: settings.runnerName, shard };
  if ((await ports.infrastructure.exists(target)) !== 'absent') return true;
  return (await findToken(ports.parameters, names.token(shard))) !== undefined;
}

interface Takeover {
  readonly record: DeploymentRecord | undefined;
  readonly kind: 'rollback' | 'activate';
  readonly candidate: Shard;
  readonly retiring?: Shard;
  readonly registration?: RegistrationId;
  readonly retiringRegistration?: RegistrationId;
  /** Its process has ended: until it is proven again, it gets no customer's job. */
  readonly isStartedAnew?: boolean;
}

async function begin(context: StageContext, takeover: Takeover): Promise<void> {
  const { journal, run, log } = context;
  const { record, kind, candidate, retiring } = takeover;
  const at = timestamp(context);
  const deployment: Deployment = {
    id: ownId(record, run.deploymentId, kind),
    kind,
    pipelineCreatedAt: run.pipelineCreatedAt,
    ...(run.pipelineUrl === undefined ? {} : { pipelineUrl: run.pipelineUrl }),
    by: run.by,
    candidate,
    ...(retiring === undefined ? {} : { retiring }),
    phase: 'promoting',
    phaseAt: at,
    startedAt: at,
    // Both are there from its beginning on.
    ...(retiring === undefined ? {} : { tally: { twoShardsSince: at, twoShardsMs: 0 } }),
  };
  const shards: Record<string, ShardEntry> = {
    ...record?.shards,
    [candidate]: {
      ...entryOf(record, candidate, takeover.registration),
      productionTag: takeover.isStartedAnew !== true,
    },
    ...(retiring === undefined
      ? {}
      : { [retiring]: entryOf(record, retiring, takeover.retiringRegistration) }),
  };
  const history = historyWith(record, at);
  const begun = await notingStatus(context, { deployment, shards, history });
  if (journal.version() > 0) await gate(context);
  await journal.write(begun);
  log.act(`Began the ${kind}: candidate ${candidate}, retiring ${retiring ?? 'nothing'}.`);
}

/** A deployment of its own, also where it is begun by a job of the pipeline that it turns back. */
export function ownId(
  record: DeploymentRecord | undefined,
  id: DeploymentId,
  kind: string,
): DeploymentId {
  return record?.deployment.id === id ? (`${id}-${kind}` as DeploymentId) : id;
}

/** Older evidence is void: this deployment needs its own. */
function entryOf(
  record: DeploymentRecord | undefined,
  shard: Shard,
  registration?: RegistrationId,
): ShardEntry {
  const { evidence: _, ...entry } = shardEntry(record, shard);
  return {
    ...entry,
    ...(registration === undefined ? {} : { registration, tokenWritten: true }),
    productionTag: true,
  };
}

/** The deployment that is turned back is over: its own jobs do nothing from here on. */
export function historyWith(
  record: DeploymentRecord | undefined,
  at: string,
): DeploymentRecord['history'] {
  if (record === undefined || record.deployment.phase === 'done') return record?.history ?? [];
  const { id, kind, candidate } = record.deployment;
  const cost = costInBrief(costOf(record.deployment, at));
  return [{ id, kind, candidate, finishedAt: at, cost }, ...record.history];
}

async function finishTakeover(context: StageContext): Promise<StageResult> {
  const { candidate, retiring } = context.journal.current().deployment;
  await promote(context, candidate);
  const next = `hosted-runner finalize --runner ${context.settings.runnerName}`;
  return {
    kind: 'done',
    summary: [
      `${candidate} is active`,
      `retire ${retiring ?? 'nothing'} and finish with "${next}"`,
    ],
  };
}
