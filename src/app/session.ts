import { setMaxListeners } from 'node:events';
import type { SessionCommand } from '../domain/deployment/stages-and-steps.ts';
import { version } from '../domain/project.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { DeploymentId } from '../domain/shard.ts';
import { isDeployError } from '../errors/deploy-error.ts';
import type { Typed } from '../errors/fix-line.ts';
import { asDeployError } from '../errors/outside.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Log } from '../ports/log-event.ts';
import { ciOf, type Run } from '../ports/run.ts';
import { createRecorder } from '../report/event-file/calls.ts';
import { runEvent } from '../report/event-file/run-lines.ts';
import { tellingJournal } from '../report/record-events.ts';
import { withSituation } from '../stages/observe/last-words.ts';
import { createJournal, type Journal } from '../stages/record/journal.ts';
import { parameterNames } from '../stages/record/names.ts';
import { againOf } from '../stages/walk/context.ts';
import type { Session } from '../stages/walk/session.ts';
import { type AwsPorts, composePorts, openAws, type Surroundings } from './compose/compose.ts';
import { sealPorts } from './compose/seam.ts';

export interface Opening {
  readonly stage: SessionCommand;
  readonly typed: Typed;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly surroundings: Surroundings;
  readonly log: Log;
  readonly takeLock: boolean;
  /** A deployment was named, by a flag or a variable: it is that one, whatever the record says. */
  readonly isNamed?: boolean;
  /** Whether this command begins a deployment of its own. */
  readonly begins: 'never' | 'unless_unfinished' | 'always';
}

export interface OpenedSession extends Session {
  /** Breaks off what nobody waits for any more: a host's word may take minutes, and holds the process. */
  end(): void;
}

/** The composition root of one command for one stack. */
export async function openSession(opening: Opening): Promise<OpenedSession> {
  const { settings, surroundings, log, stage, typed } = opening;
  const again = typed.again(settings.runnerName);
  const aws = await openAws(opening);
  const run = await resolveRun(opening, aws);
  log.event(runEvent({ command: stage, program: version, run, settings }));
  const recorder = createRecorder(log);
  const fleets = new Map();
  const compose = async (given: Surroundings, itsAws?: AwsPorts) =>
    recorder.record(
      await composePorts({ settings, run, surroundings: given, log, fleets }, itsAws),
    );
  const names = parameterNames(settings);
  const { signal } = surroundings;
  const sealed = sealPorts(await compose(surroundings, aws), { signal, stage, again });
  const journal = tellingJournal(
    createJournal({ ports: sealed, parameter: names.record, runner: settings.runnerName }),
    log,
  );
  // The lock is released and the last words are said also after a cancel, which ends all that is under
  // way in the other adapters (decision 35).
  const ending = new AbortController();
  const { signal: uncancelled } = ending;
  // Whatever is asked side by side listens to it.
  setMaxListeners(0, uncancelled);
  const ports = await compose({ ...surroundings, signal: uncancelled });
  const common = { stage, typed, settings, run, names, log };
  return {
    context: { ...common, ports: sealed, journal },
    unsealed: { ...common, ports, journal: journal.through(ports) },
    takeLock: opening.takeLock,
    end: () => ending.abort(new Error('the command has ended')),
  };
}

/**
 * Outside of a CI nothing carries an id from one command to the next, so the record does: a command
 * in a terminal goes on with the deployment that is there.
 */
async function resolveRun(opening: Opening, aws: AwsPorts): Promise<Run> {
  const { run, begins, settings, surroundings, isNamed = false } = opening;
  if (run.ci !== 'terminal' || begins === 'always' || isNamed) return run;
  const { clock, random } = surroundings;
  const parameter = parameterNames(settings).record;
  const ports = { clock, random, parameters: aws.parameters };
  const journal = createJournal({ ports, parameter, runner: settings.runnerName });
  const record = await journal
    .read()
    .catch((error: unknown) => unreadable(opening, journal, error));
  if (record === undefined || record.deployment.phase === 'done') return run;
  const { id, pipelineCreatedAt } = record.deployment;
  if (begins === 'unless_unfinished' && ciOf(id) !== 'terminal') return run;
  return { ...run, deploymentId: id as DeploymentId, pipelineCreatedAt };
}

/** A record that says nothing sensible is reported by the stage itself; one that is not answered, here. */
async function unreadable(opening: Opening, journal: Journal, error: unknown): Promise<undefined> {
  if (isDeployError(error)) return undefined;
  if (!isPortFailure(error)) throw error;
  const { settings, run, log, stage, typed } = opening;
  // Whoever has not answered by the last words is waited for no more.
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const surroundings = { ...opening.surroundings, signal: ending.signal };
  try {
    const ports = await composePorts({ ...opening, surroundings, fleets: new Map() });
    const names = parameterNames(settings);
    const context = { stage, typed, settings, run, ports, names, journal, log };
    throw await withSituation(context, asDeployError(error, againOf(context)));
  } finally {
    ending.abort(new Error('the command has ended'));
  }
}
