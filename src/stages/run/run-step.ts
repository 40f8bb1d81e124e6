import { withPhase } from '../../domain/deployment/record.ts';
import { type StepName, stepNamed, type steps } from '../../domain/deployment/stages-and-steps.ts';
import type { Shard } from '../../domain/shard.ts';
import { type StageContext, timestamp } from '../context/context.ts';
import type { StepResult } from '../context/result.ts';
import { bake, bakeBeside } from '../steps/bake/bake.ts';
import { apply } from '../steps/candidate/apply.ts';
import { guard } from '../steps/candidate/guard.ts';
import { healthcheck } from '../steps/candidate/healthcheck.ts';
import { onboard } from '../steps/candidate/onboard.ts';
import { drain } from '../steps/drain/drain.ts';
import { retryLaterOnOutage } from '../steps/drain/tolerate-outage.ts';
import { deregister } from '../steps/removal/deregister.ts';
import { destroy } from '../steps/removal/destroy.ts';
import { finish } from '../steps/removal/finish.ts';
import { stop } from '../steps/removal/stop.ts';
import { promote } from '../steps/switch/promote.ts';

type Step = (context: StageContext, shard: Shard) => Promise<StepResult>;

const bodies: Readonly<Record<Exclude<StepName, 'prepare'>, Step>> = {
  onboard: endingDone(onboard),
  guard: endingDone(guard),
  apply: endingDone(apply),
  healthcheck: endingDone(healthcheck),
  promote: endingDone(promote),
  drain: (context, retiring) =>
    retryLaterOnOutage(context, () => drain(context, retiring, bakeBeside)),
  bake: (context, retiring) => retryLaterOnOutage(context, () => bake(context, retiring)),
  stop: endingDone(stop),
  deregister: (context, old) => retryLaterOnOutage(context, () => deregister(context, old)),
  destroy: endingDone(destroy),
  finish: endingDone(finish),
};

/** Wraps a step that has only one successful result. */
function endingDone(body: (context: StageContext, shard: Shard) => Promise<unknown>): Step {
  return async (context, shard) => {
    await body(context, shard);
    return { kind: 'done' };
  };
}

export async function runStep(
  context: StageContext,
  name: Exclude<StepName, 'prepare'>,
): Promise<StepResult> {
  const { candidate, retiring, phase } = context.journal.current().deployment;
  context.log.event({ kind: 'step', step: name, phase });
  const step = stepNamed(name);
  if (step.touches !== 'retiring') return bodies[name](context, candidate);
  if (retiring !== undefined) return bodies[name](context, retiring);
  await skipRetirement(context, step);
  return { kind: 'done' };
}

/** Passes through the phases of a retirement in a first deployment, which retires nothing. */
async function skipRetirement(
  context: StageContext,
  { name, writes }: (typeof steps)[number],
): Promise<void> {
  const { journal, log } = context;
  const phase = writes.at(-1);
  if (phase === undefined) return;
  log.act(
    `Skipped ${name}: this is the first deployment of the stack, so there is no shard to retire.`,
  );
  await journal.write(withPhase(journal.current(), phase, timestamp(context)));
}
