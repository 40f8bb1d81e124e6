import { pipelineOf } from '../../domain/deployment/lock/pipeline-state.ts';
import { originalRouting } from '../../domain/deployment/original-routing.ts';
import {
  type Deployment,
  type DeploymentRecord,
  isLeftToOperator,
} from '../../domain/deployment/record.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { allSettledOrThrow } from '../../stages/context/parallel.ts';
import { alreadyTaken, type StageResult } from '../../stages/context/result.ts';
import { requireNoHold } from '../../stages/effects/effect-gate.ts';
import { findRegistrations } from '../../stages/observe/observe.ts';
import { readUntil } from '../../stages/record/parameter-write.ts';
import { findToken } from '../../stages/record/token.ts';
import {
  carryOutTakeover,
  type Takeover,
  type TakeoverPlan,
} from '../../stages/run/rollback-or-activation.ts';
import { findActivated, type OtherShardRemains } from './activation-check.ts';
import {
  type Activation,
  chooseNamed,
  chooseRetiring,
  findNamed,
  findOnly,
  refuseInstead,
  requireNamed,
} from './registration-choice.ts';

/** Makes the given shard active. */
export async function activate(
  context: StageContext,
  activation: Activation,
): Promise<StageResult> {
  return carryOutTakeover(context, await judgeActivation(context, activation));
}

/**
 * Plans an activation. Called with reads alone before the lock, when only a refusal counts, and
 * again under the lock.
 */
export async function judgeActivation(
  context: StageContext,
  activation: Activation,
): Promise<TakeoverPlan> {
  const { shard, registration } = activation;
  const [, record, named] = await allSettledOrThrow(
    () => requireNoHold(context),
    () => context.journal.read(),
    // A runner can be read by its id without any other fact.
    () => findNamed(context, registration),
  );
  const begun = findBegun(context, record, shard);
  const chosenByName = chooseNamed(context, activation, named);
  if (begun !== undefined && chosenByName === undefined) return begun;
  const other = otherShard(context.settings.shards, shard);
  const [chosen, ofOther] = await allSettledOrThrow(
    async () => chosenByName ?? findOnly(context, shard, record),
    () => findRegistrations(context, other),
  );
  await requireNamed(context, { shard, registration: chosen, record, ofOther });
  if (begun !== undefined && record !== undefined) {
    refuseInstead(context, record, chosen);
    return begun;
  }
  const retiring = chooseRetiring(context, { shard, record, ofOther });
  const left = retiring === undefined ? await findLeft(context, other) : 'something';
  const activated = await findActivated(context, {
    shard,
    registration: chosen,
    record,
    left,
  });
  if (activated.kind === 'nothing') return activated;
  const takeover = {
    record,
    kind: 'activate',
    candidate: shard,
    registration: chosen.id,
    ...beforeIt(context, { shard, registration: chosen, record }),
    ...(left === 'nothing' ? {} : { retiring: other }),
    ...(retiring === undefined ? {} : { retiringRegistration: retiring.id }),
    isStartedAgain: activated.isStartedAgain,
  } as const;
  return { kind: 'begin', takeover };
}

/** Returns the settings to restore later. If each worker registers a runner, no settings exist. */
function beforeIt(
  { ports }: StageContext,
  taken: Parameters<typeof originalRouting>[0],
): Pick<Takeover, 'routingBefore'> {
  if (ports.registry.traits.registrationsPer === 'worker') return {};
  const before = originalRouting(taken);
  return before === undefined ? {} : { routingBefore: before };
}

/** Finds an activation of an earlier command. After its retreat, it must begin again. */
function findBegun(
  context: StageContext,
  record: DeploymentRecord | undefined,
  shard: Shard,
): TakeoverPlan | undefined {
  const { deployment } = record ?? {};
  if (deployment?.kind !== 'activate' || deployment.candidate !== shard) return undefined;
  if (deployment.phase === 'promoting') return { kind: 'finish' };
  if (isBefore(deployment.phase, 'promoted')) return undefined;
  return isBegunByUs(context, deployment) ? alreadyTaken(context, deployment) : undefined;
}

/**
 * Decides whether this operator began the activation. At a terminal every command has a new id, so
 * an unfinished activation counts. If an operator must decide, another activation begins and
 * verifies the shard again.
 */
function isBegunByUs({ run }: StageContext, { id, phase, reopened }: Deployment): boolean {
  const isUnfinished = phase !== 'done' && !isLeftToOperator(reopened?.times ?? 0);
  return isUnfinished || pipelineOf(id) === run.deploymentId;
}

/**
 * Returns what is left of a shard without a runner, for example its token: it must be removed too.
 * A shard with a runner is not queried, because the operator's machine may lack Terraform.
 */
async function findLeft(
  { ports, settings, names }: StageContext,
  shard: Shard,
): Promise<OtherShardRemains> {
  const built = await ports.infrastructure.exists({ runnerName: settings.runnerName, shard });
  if (built === 'present') return 'something';
  if (await isTokenLeft(ports, names.token(shard))) return 'something';
  return built === 'unknown' ? 'unknown' : 'nothing';
}

/** Returns whether a token is left. A stale read may still show a removed token. */
async function isTokenLeft(
  { parameters, clock }: StageContext['ports'],
  name: string,
): Promise<boolean> {
  const isRemoved = (token: unknown) => token === undefined;
  return !isRemoved(await readUntil(clock, () => findToken(parameters, name), isRemoved));
}
