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

/** Makes the named shard the active one. */
export async function activate(
  context: StageContext,
  activation: Activation,
): Promise<StageResult> {
  return carryOutTakeover(context, await judgeActivation(context, activation));
}

/** Called with reads alone before the lock, where only a refusal counts, and again under the lock. */
export async function judgeActivation(
  context: StageContext,
  activation: Activation,
): Promise<TakeoverPlan> {
  const { shard, registration } = activation;
  const [, record, named] = await allSettledOrThrow(
    () => requireNoHold(context),
    () => context.journal.read(),
    // An id says by itself whose it is: nothing needs to be known before it is asked about.
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
    isStartedAnew: activated.isStartedAnew,
  } as const;
  return { kind: 'begin', takeover };
}

/** Where each worker is registered by itself, the shard's own name is all that there is to take. */
function beforeIt(
  { ports }: StageContext,
  taken: Parameters<typeof originalRouting>[0],
): Pick<Takeover, 'routingBefore'> {
  if (ports.registry.traits.registrationsPer === 'worker') return {};
  const before = originalRouting(taken);
  return before === undefined ? {} : { routingBefore: before };
}

/** The activation that was typed before; one that was taken back is no more, and is begun anew. */
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
 * In a terminal every command has an id of its own, so what is unfinished counts as ours. One that is
 * left to a person goes on by another: it proves the shard anew.
 */
function isBegunByUs({ run }: StageContext, { id, phase, reopened }: Deployment): boolean {
  const isUnfinished = phase !== 'done' && !isLeftToOperator(reopened?.times ?? 0);
  return isUnfinished || pipelineOf(id) === run.deploymentId;
}

/**
 * What is left of a shard without a registration has to go as well, be it its token alone. Where it
 * has one nothing is asked: a person's machine may have no Terraform.
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

/** A read may still show a token that was just removed. */
async function isTokenLeft(
  { parameters, clock }: StageContext['ports'],
  name: string,
): Promise<boolean> {
  const isRemoved = (token: unknown) => token === undefined;
  return !isRemoved(await readUntil(clock, () => findToken(parameters, name), isRemoved));
}
