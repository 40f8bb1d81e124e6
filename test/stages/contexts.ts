import { openCalls, type PortCalls } from '../../src/app/compose/port-calls.ts';
import type { SessionCommand } from '../../src/domain/deployment/stages-and-steps.ts';
import type { Log } from '../../src/ports/log-event.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { createRunMemory } from '../../src/stages/context/run-memory.ts';
import { createJournal } from '../../src/stages/record/journal.ts';
import { parameterNames } from '../../src/stages/record/parameter-names.ts';
import type { Incarnation } from '../fakes/simulation.ts';
import { typing } from '../support/typing.ts';

/**
 * Returns the context of a run, with ports before and after a cancellation, and its port calls.
 */
export function contextsOf(
  { stack, run, ports }: Incarnation,
  {
    stage,
    log,
    recorded,
    signal,
    config,
  }: {
    stage: SessionCommand;
    log: Log;
    /** Log that receives an event for each call. */
    recorded?: Pick<Log, 'event'> | undefined;
    signal: AbortSignal;
    config?: string | undefined;
  },
): {
  context: StageContext;
  calls: PortCalls;
} {
  const names = parameterNames(stack);
  const typed = typing(
    stage,
    stack.runnerName,
    ...(config === undefined ? [] : ['--config', config]),
  );
  const again = typed.again(stack.runnerName);
  const calls = openCalls({ signal, stage, again, log: recorded });
  const { cancelable, uncancelable } = calls.around(ports);
  const journal = createJournal({
    ports: cancelable,
    parameter: names.record,
    runner: stack.runnerName,
  });
  const context = {
    ...{ stage, typed, settings: stack, run, names, journal, log },
    ports: cancelable,
    uncancelable,
    memory: createRunMemory(),
    forceWhenNoneAccepts: false,
  };
  return { context, calls };
}
