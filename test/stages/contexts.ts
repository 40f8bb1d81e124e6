import { makeCancelable } from '../../src/app/compose/cancellation.ts';
import type { SessionCommand } from '../../src/domain/deployment/stages-and-steps.ts';
import type { Log } from '../../src/ports/log-event.ts';
import type { Ports } from '../../src/ports/ports.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { createJournal } from '../../src/stages/record/journal.ts';
import { parameterNames } from '../../src/stages/record/parameter-names.ts';
import type { Incarnation } from '../fakes/simulation.ts';
import { typing } from '../support/typing.ts';

/** What one run works with, and the same past a cancel. */
export function contextsOf(
  { stack, run, ports }: Incarnation,
  {
    stage,
    log,
    signal,
    againBecause,
    config,
  }: {
    stage: SessionCommand;
    log: Log;
    signal: AbortSignal;
    againBecause?: string | undefined;
    config?: string | undefined;
  },
): {
  context: StageContext;
  uncancelable: StageContext;
  /** The same cancel check around other ports of this run. */
  portsOf: (ports: Ports) => { cancelable: Ports; uncancelable: Ports };
} {
  const names = parameterNames(stack);
  const typed = typing(
    stage,
    stack.runnerName,
    ...(config === undefined ? [] : ['--config', config]),
  );
  const again = typed.again(stack.runnerName);
  const portsOf = (given: Ports) => ({
    cancelable: makeCancelable(given, { signal, stage, again }),
    uncancelable: given,
  });
  const { cancelable } = portsOf(ports);
  const journal = createJournal({
    ports: cancelable,
    parameter: names.record,
    runner: stack.runnerName,
  });
  const common = { stage, typed, settings: stack, run, names, log };
  const knowing = againBecause === undefined ? {} : { againBecause };
  return {
    context: { ...common, ...knowing, ports: cancelable, journal },
    uncancelable: { ...common, ports, journal: journal.through(ports) },
    portsOf,
  };
}
