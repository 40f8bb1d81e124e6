import { setMaxListeners } from 'node:events';
import type { SessionCommand } from '../domain/deployment/stages-and-steps.ts';
import { version } from '../domain/project.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { Typed } from '../errors/fix-line.ts';
import type { Log } from '../ports/log-event.ts';
import type { Run } from '../ports/run.ts';
import { createRecorder } from '../report/event-file/calls.ts';
import { runEvent } from '../report/event-file/run-lines.ts';
import { tellingJournal } from '../report/record-events.ts';
import { createJournal } from '../stages/record/journal.ts';
import { parameterNames } from '../stages/record/parameter-names.ts';
import type { Session } from '../stages/run/session.ts';
import { makeCancelable } from './compose/cancellation.ts';
import { type AwsPorts, composePorts, openAws, type Surroundings } from './compose/compose.ts';

export interface Opening {
  readonly stage: SessionCommand;
  readonly typed: Typed;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly surroundings: Surroundings;
  readonly log: Log;
  readonly takeLock: boolean;
  /** `--deployment` or HOSTED_RUNNER_DEPLOYMENT names the deployment, whatever the record says. */
  readonly isNamed?: boolean;
}

export interface OpenedSession extends Session {
  /** Breaks off what nobody waits for any more: a host's word may take minutes, and holds the process. */
  end(): void;
}

/** The composition root of one command for one stack. */
export async function openSession(opening: Opening): Promise<OpenedSession> {
  const { settings, run, surroundings, log, stage, typed, isNamed = false } = opening;
  const again = typed.again(settings.runnerName);
  const aws = await openAws({ ...opening, command: stage });
  log.event(runEvent({ command: stage, program: version, run, settings }));
  const recorder = createRecorder(log);
  const fleets = new Map();
  const compose = async (of: Run, given: Surroundings, itsAws?: AwsPorts) =>
    recorder.record(
      await composePorts(
        { settings, run: of, command: stage, surroundings: given, log, fleets },
        itsAws,
      ),
    );
  const names = parameterNames(settings);
  const { signal } = surroundings;
  // The lock is released and the last words are said also after a cancel, which ends all that is under
  // way in the other adapters (decision 19).
  const ending = new AbortController();
  const { signal: uncancelled } = ending;
  // Whatever is asked side by side listens to it.
  setMaxListeners(0, uncancelled);
  const portsOf = async (of: Run) => ({
    cancelable: makeCancelable(await compose(of, surroundings, aws), { signal, stage, again }),
    uncancelable: await compose(of, { ...surroundings, signal: uncancelled }),
  });
  const ports = await portsOf(run);
  const journal = tellingJournal(
    createJournal({
      ports: ports.cancelable,
      parameter: names.record,
      runner: settings.runnerName,
    }),
    log,
  );
  const common = { stage, typed, settings, run, names, log };
  return {
    context: { ...common, ports: ports.cancelable, journal },
    uncancelable: {
      ...common,
      ports: ports.uncancelable,
      journal: journal.through(ports.uncancelable),
    },
    takeLock: opening.takeLock,
    portsOfResumed: run.ci === 'terminal' && !isNamed ? portsOf : undefined,
    end: () => ending.abort(new Error('the command has ended')),
  };
}
