import { held } from '../errors/state-errors.ts';
import type { Parameter } from '../ports/state-store.ts';
import { type StageContext, timestamp } from '../stages/context/context.ts';
import type { StageResult } from '../stages/context/result.ts';
import { setHold } from '../stages/effects/set-hold.ts';
import { formatReleased, holdIn, readHoldUntil } from '../stages/record/hold-parameter.ts';
import { findForeign, readAtLeast } from '../stages/record/parameter-write.ts';

/** Attempts of a release, because a request that arrives twice needs another one. */
const mostReleases = 3;

export async function hold(context: StageContext, reason: string): Promise<StageResult> {
  await setHold(context, reason);
  const summary = [`every stage of ${context.settings.runnerName} stops before its next change`];
  return { kind: 'done', summary };
}

export async function release(context: StageContext): Promise<StageResult> {
  const { ports, names, settings, log } = context;
  const first = await readHoldUntil(ports, names.hold, (hold) => hold !== undefined);
  const found = holdIn(first);
  if (first === undefined || found === undefined)
    return { kind: 'nothing', reason: `${settings.runnerName} is not on hold` };
  await endHold(context, first);
  log.act(
    `Released ${settings.runnerName}: it was on hold since ${found.since}, by ${found.who} (${found.why}).`,
  );
  return { kind: 'done', summary: [`${settings.runnerName} can be deployed again`] };
}

/** Ends only the hold that was read; a newer hold stays. */
async function endHold(context: StageContext, seen: Parameter): Promise<void> {
  const { ports, names, run, settings } = context;
  const ownValues: string[] = [];
  for (let { version: of } = seen; ; ) {
    const value = formatReleased({ released: timestamp(context), by: run.by, of });
    ownValues.push(value);
    const { version } = await ports.parameters.overwrite({ name: names.hold, value });
    const found = await readAtLeast(ports, names.hold, version);
    const left = holdIn(found);
    if (found === undefined || left === undefined) return;
    const written = {
      name: names.hold,
      since: seen.version,
      until: found.version,
      ownValues,
    };
    const isOwnHold = ownValues.includes(found.value);
    const foreign = isOwnHold ? await findForeign(ports.parameters, written) : found;
    if (foreign !== undefined || ownValues.length >= mostReleases)
      throw held({ runner: settings.runnerName, ...left });
    of = found.version;
  }
}
