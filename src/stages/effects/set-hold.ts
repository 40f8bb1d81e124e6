import { formatParameterJson } from '../../domain/text/json.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import { held } from '../../errors/state-errors.ts';
import { type StageContext, timestamp } from '../context/context.ts';
import { createWhenNameIsFree, nameHeld } from '../record/parameter-creation.ts';
import { writeVersioned } from '../record/parameter-write.ts';
import { requireNoHold } from './effect-gate.ts';

/**
 * Stops every stage of the stack before its next change. The hold has a separate parameter, which
 * the record's writes cannot erase.
 */
export async function setHold(context: StageContext, reason: string): Promise<void> {
  const { ports, names, run, settings, log } = context;
  const value = formatParameterJson({ who: run.by, why: reason, since: timestamp(context) });
  const found = await ports.parameters.find(names.hold);
  if (found !== undefined || (await create(context, value)) === undefined) {
    // The first read may have been stale and shown no hold, or one that was released since.
    const latest = await requireNoHold(context);
    if (latest === undefined) throw notCreated(context);
    await writeVersioned({ ...ports, name: names.hold, value, version: latest.version });
  }
  log.act(`Put ${settings.runnerName} on hold: ${reason}.`);
}

/** Waits while the name of a deleted parameter is still reserved. */
function create({ ports, names, log }: StageContext, value: string): Promise<number | undefined> {
  return createWhenNameIsFree(ports, { name: names.hold, value }, () =>
    log.wait(nameHeld('the last hold')),
  );
}

function notCreated(context: StageContext): DeployError {
  return held({
    runner: context.settings.runnerName,
    who: 'an unknown user',
    why: 'its parameter could not be created',
    since: timestamp(context),
  });
}
