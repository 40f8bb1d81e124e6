import type { DeployError } from '../errors/deploy-error.ts';
import { held } from '../errors/state.ts';
import { createOnceFree, nameHeld } from '../stages/record/create-parameter.ts';
import { readHold } from '../stages/record/hold.ts';
import { type StageContext, timestamp } from '../stages/walk/context.ts';
import { refuseWhenHeld } from '../stages/walk/effect.ts';
import type { StageResult } from '../stages/walk/result.ts';

/** Stops every stage of the stack before its next effect. Its own parameter, so that no write of ours can erase it. */
export async function hold(context: StageContext, reason: string): Promise<StageResult> {
  const { ports, names, run, settings, log } = context;
  const value = JSON.stringify({ who: run.by, why: reason, since: timestamp(context) });
  const version = await createOnceFree(ports, { name: names.hold, value }, () =>
    log.wait(nameHeld('the last hold')),
  );
  if (version === undefined) {
    await refuseWhenHeld(context);
    throw notCreated(context);
  }
  log.act(`Held ${settings.runnerName}: ${reason}.`);
  const summary = [`every stage of ${settings.runnerName} stops before its next effect`];
  return { kind: 'done', summary };
}

function notCreated(context: StageContext): DeployError {
  return held({
    runner: context.settings.runnerName,
    who: 'somebody',
    why: 'its parameter cannot be created',
    since: timestamp(context),
  });
}

export async function release(context: StageContext): Promise<StageResult> {
  const { ports, names, settings, log } = context;
  const found = await readHold(ports.parameters, names.hold);
  if (found === undefined) return { kind: 'nothing', reason: `${settings.runnerName} is not held` };
  await ports.parameters.remove(names.hold);
  log.act(
    `Released ${settings.runnerName}: it was held by ${found.who} since ${found.since} (${found.why}).`,
  );
  return { kind: 'done', summary: [`${settings.runnerName} can be deployed again`] };
}
