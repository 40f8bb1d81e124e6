import { DeployError } from '../../src/errors/deploy-error.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import type { StageResult } from '../../src/stages/context/result.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import type { Incarnation, Simulation } from '../fakes/simulation.ts';
import { parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { Ending } from './drive.ts';

/** Returns how a run ended, from its outcome and log. */
export function endingOf(
  outcome: Awaited<ReturnType<Simulation['run']>>,
  seen: { phase: string; log: readonly string[]; events: readonly LogEvent[] },
): Ending {
  if (outcome.kind === 'returned') {
    const result = outcome.value as StageResult;
    const text = result.kind === 'nothing' ? result.reason : result.summary.join('; ');
    return { ...seen, kind: result.kind, text };
  }
  if (outcome.kind === 'stopped') return { ...seen, kind: 'killed' };
  if (outcome.kind === 'threw' && outcome.error instanceof DeployError) {
    const { error } = outcome;
    return { ...seen, kind: 'error', error, text: error.fields.what };
  }
  if (outcome.kind === 'threw') throw outcome.error;
  throw new Error(`${outcome.kind}: ${outcome.waiting.join(', ')}\n${seen.log.join('\n')}`);
}

/** Returns the record's phase; `none` without a record. */
export function phaseOf({ world }: Simulation, { stack }: Incarnation): string {
  return deploymentOf(parameterValue(world, parametersOf(stack).record)).phase ?? 'none';
}
