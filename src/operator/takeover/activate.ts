import type { Deployment } from '../../domain/deployment/record.ts';
import { otherShard, type Shard } from '../../domain/shard.ts';
import { findRegistrations } from '../../stages/observe/observe.ts';
import { findToken } from '../../stages/record/token.ts';
import { alreadyTaken, carryOut, type Looked } from '../../stages/switch/takeover.ts';
import { refuseAtRest } from '../../stages/walk/at-rest.ts';
import type { StageContext } from '../../stages/walk/context.ts';
import { refuseWhenHeld } from '../../stages/walk/effect.ts';
import { together } from '../../stages/walk/in-parallel.ts';
import type { StageResult } from '../../stages/walk/result.ts';
import { findActivated } from './able.ts';
import {
  type Activation,
  chooseNamed,
  findNamed,
  findOnly,
  refuseAnother,
} from './chosen-registration.ts';

/** Makes the named shard the active one. */
export async function activate(
  context: StageContext,
  activation: Activation,
): Promise<StageResult> {
  return carryOut(context, await lookAhead(context, activation, refuseWhenHeld(context)));
}

/** Before the lock: a shard that cannot be activated is no reason to take it. */
export async function refuseActivation(
  context: StageContext,
  activation: Activation,
  free: Promise<void>,
): Promise<void> {
  await refuseAtRest(context, () => lookAhead(context, activation, free));
}

/** @param free rejects where somebody holds the stack */
async function lookAhead(
  context: StageContext,
  activation: Activation,
  free: Promise<void>,
): Promise<Looked> {
  const { shard, registration } = activation;
  const [, record, named] = await together(
    () => free,
    () => context.journal.read(),
    // An id says by itself whose it is: nothing needs to be known before it is asked about.
    () => findNamed(context, registration),
  );
  const { deployment } = record ?? {};
  if (deployment?.kind === 'activate' && deployment.candidate === shard) {
    if (deployment.phase === 'promoting') return { kind: 'finish' };
    if (isBegunByUs(context, deployment)) return alreadyTaken(deployment);
  }
  const chosenByName = chooseNamed(context, activation, named);
  const other = otherShard(context.settings.shards, shard);
  const [chosen, ofOther] = await together(
    async () => chosenByName ?? findOnly(context, shard),
    () => findRegistrations(context, other),
  );
  refuseAnother(context, { shard, registration: chosen, record, ofOther });
  const [retiring] = ofOther;
  const isOtherThere = retiring !== undefined || (await isLeft(context, other));
  const reason = await findActivated(context, {
    shard,
    registration: chosen,
    record,
    isOtherThere,
  });
  if (reason !== undefined) return { kind: 'nothing', reason };
  const takeover = {
    record,
    kind: 'activate',
    candidate: shard,
    registration: chosen.id,
    ...(isOtherThere ? { retiring: other } : {}),
    ...(retiring === undefined ? {} : { retiringRegistration: retiring.id }),
  } as const;
  return { kind: 'begin', takeover };
}

/** In a terminal every command has an id of its own, so what is unfinished counts as ours. */
function isBegunByUs({ run }: StageContext, { id, phase }: Deployment): boolean {
  return phase !== 'done' || id === run.deploymentId || id === `${run.deploymentId}-activate`;
}

/**
 * What is left of a shard without a registration has to go as well, be it its token alone. Where it
 * has one nothing is asked: a person's machine may have no Terraform.
 */
async function isLeft({ ports, settings, names }: StageContext, shard: Shard): Promise<boolean> {
  const target = { runnerName: settings.runnerName, shard };
  if ((await ports.infrastructure.exists(target)) !== 'absent') return true;
  return (await findToken(ports.parameters, names.token(shard))) !== undefined;
}
