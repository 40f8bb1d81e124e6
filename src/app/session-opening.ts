import { AsyncLocalStorage } from 'node:async_hooks';
import type { SessionCommand } from '../domain/deployment/stages-and-steps.ts';
import { version } from '../domain/project.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { Typed } from '../errors/fix-line.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log-event.ts';
import type { Run } from '../ports/run.ts';
import { runEvent } from '../report/event-file/run-lines.ts';
import { reportingJournal } from '../report/record-events.ts';
import { createRunMemory } from '../stages/context/run-memory.ts';
import { createJournal } from '../stages/record/journal.ts';
import { parameterNames } from '../stages/record/parameter-names.ts';
import type { Session } from '../stages/run/session.ts';
import { composePorts, openAws, type Surroundings } from './compose/compose.ts';
import { openCalls, type PortCalls } from './compose/port-calls.ts';

export interface Opening {
  readonly stage: SessionCommand;
  readonly typed: Typed;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly surroundings: Surroundings;
  readonly log: Log;
  readonly takeLock: boolean;
  /** `--deployment` or HOSTED_RUNNER_DEPLOYMENT names the deployment, regardless of the record. */
  readonly isNamed?: boolean;
}

export interface OpenedSession extends Session, Pick<PortCalls, 'end'> {}

/** Signal of the current call. One for all sessions, because Node keeps each storage active. */
const scope = new AsyncLocalStorage<AbortSignal>();

/** Composes one command for one stack. */
export async function openSession(opening: Opening): Promise<OpenedSession> {
  const { settings, run, log, stage, typed, isNamed = false } = opening;
  const { clock, signal } = opening.surroundings;
  const composition = {
    settings,
    command: stage,
    log,
    surroundings: { ...opening.surroundings, clock: heedingCalls(clock) },
    // Reads before the ports exist end with the process.
    signal: () => scope.getStore() ?? signal,
  };
  const aws = await openAws(composition);
  log.event(runEvent({ command: stage, program: version, run, settings }));
  // After a cancel, the lock is still released and the error summary still written (decision 19).
  const calls = openCalls({ signal, stage, again: typed.again(settings.runnerName), scope, log });
  const portsOf = async (of: Run) =>
    calls.around(await composePorts({ ...composition, run: of }, aws));
  const ports = await portsOf(run);
  const names = parameterNames(settings);
  const journal = reportingJournal(
    createJournal({
      ports: ports.cancelable,
      parameter: names.record,
      runner: settings.runnerName,
    }),
    log,
  );
  return {
    context: {
      ...{ stage, typed, settings, run, names, journal, log },
      ports: ports.cancelable,
      uncancelable: ports.uncancelable,
      memory: createRunMemory(),
      forceWhenNoneAccepts: false,
    },
    takeLock: opening.takeLock,
    portsOfResumed: run.ci === 'terminal' && !isNamed ? portsOf : undefined,
    effects: calls.effects,
    end: calls.end,
  };
}

/** Returns a clock whose waits end with the adapter's call. */
function heedingCalls(clock: Clock): Clock {
  return {
    ...clock,
    sleep: (durationMs, signal = scope.getStore()) => clock.sleep(durationMs, signal),
  };
}
