import type { ClosableLog } from '../adapters/system/log.ts';
import type { CommandExit, StageOptions } from '../cli/handler-types.ts';
import {
  nextStage,
  preparesDeployment,
  type SessionCommand,
} from '../domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../domain/settings.ts';
import { knownError } from '../errors/external-errors.ts';
import { lineOf, type Typed } from '../errors/fix-line.ts';
import { endEvent } from '../report/event-file/run-lines.ts';
import { againOf, type StageContext, toUncancelable } from '../stages/context/context.ts';
import type { RunResult, StageResult } from '../stages/context/result.ts';
import type { Refuse, Session } from '../stages/run/session.ts';
import { checkServer, probeServer, type ServerProbe } from './compose/server-probe.ts';
import { eventFileOf } from './event-output.ts';
import { chooseFilledStack, chooseShard, chooseStack } from './many-stacks/stack-choice.ts';
import type { Program } from './process-program.ts';
import type { Reporting } from './run-ending.ts';
import type { OpenedSession, Opening } from './session-opening.ts';

interface Command {
  readonly name: SessionCommand;
  readonly options: StageOptions;
  /** Whether the command takes the lock. Commands that do not change a deployment take none. */
  readonly lock?: boolean;
  /** Refusals before the lock is taken. */
  readonly refuse?: Refuse;
  /** Settings, if they were read already. */
  readonly settings?: StackSettings;
  /** Shard from the command line. An unknown shard is refused before any system is queried. */
  readonly shard?: string | undefined;
  /** Whether a terminal shows the run as a picture; not for commands that prompt the operator. */
  readonly picture?: boolean;
  /** Whether the command uses GitLab. A hold must work without GitLab. */
  readonly usesGitLab?: boolean;
}

/** Opens the stack of a command, runs the command's body, and reports its end. */
export async function inSession(
  program: Program,
  command: Command,
  body: (context: StageContext) => Promise<RunResult>,
): Promise<CommandExit> {
  const { name, options, lock = true, refuse } = command;
  // First, because GitLab's response takes longer than all the code that is loaded meanwhile.
  const opened = await open(program, command);
  const reporting = await openReporting(program, options);
  const opening = await program.openLog({
    eventFile: reporting.eventFile,
    json: options.json === true,
    plain: options.plain === true,
    verbose: options.verbose === true,
    picture: command.picture === true,
  });
  const log = endingLast(reporting.tee(opening));
  const ending = { stage: name, runner: options.runnerName, settings: opened.settings };
  let isUntouched = true;
  let session: OpenedSession | undefined;
  try {
    await refuseInputs(program, options);
    if (opened.kind === 'failed') throw opened.error;
    const { settings, probe } = opened;
    const run = await readRun(program, settings, options.deployment);
    const { openSession } = await import('./session-opening.ts');
    const { runSession, runWithoutLock } = await import('../stages/run/session.ts');
    log.section(`${name} ${settings.runnerName}`);
    session = await openSession({
      stage: name,
      typed: program.typed,
      settings,
      run,
      surroundings: program,
      log,
      takeLock: options.takeLock,
      isNamed: options.deployment !== undefined,
    });
    isUntouched = false;
    if (probe !== undefined)
      await awaitProbe(session, probe, { log, probes: preparesDeployment(name) });
    const result = await (lock ? runSession(session, body, refuse) : runWithoutLock(session, body));
    logResult({ log, isTerminal: run.ci === 'terminal' }, name, result);
    if (lock && run.ci === 'terminal') formatNext(log, session, program.typed);
    log.event(endEvent({ result }));
    await reporting.finish({ ...ending, result });
    return 0;
  } catch (error) {
    const found = knownError(error, {
      ...program,
      command: name,
      runner: options.runnerName,
      isUntouched,
    });
    const { addUnreadRetirement } = await import('../stages/run/now-line.ts');
    const of = { stage: name, settings: opened.settings, typed: program.typed };
    const known = session === undefined ? addUnreadRetirement(found, of) : found;
    log.event(endEvent({ error: known }));
    await reporting.finish({ ...ending, error: known });
    throw known;
  } finally {
    session?.end();
    log.close();
  }
}

/**
 * Returns a log whose end stays the last line. A request may end after the error summary; its
 * events are dropped.
 */
export function endingLast(log: ClosableLog): ClosableLog {
  let isOver = false;
  return {
    ...log,
    event(event) {
      if (!isOver) log.event(event);
      isOver ||= event.kind === 'end';
    },
  };
}

/** Refuses invalid inputs of the pipeline's component before the configuration uses some of it. */
async function refuseInputs({ environment }: Program, { runnerName }: StageOptions): Promise<void> {
  if (environment['GITLAB_CI'] !== 'true') return;
  const { refuseComponentInputs } = await import('../config/inputs/component-inputs.ts');
  refuseComponentInputs(environment, runnerName);
}

type Opened =
  | {
      readonly kind: 'opened';
      readonly settings: StackSettings;
      readonly probe: Promise<ServerProbe> | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly settings: StackSettings | undefined;
      readonly error: unknown;
    };

/** Reads the configuration and sends GitLab the first request. Errors here are reported too. */
async function open(
  program: Program,
  { name, options, settings: known, shard, usesGitLab = true }: Command,
): Promise<Opened> {
  let settings = known;
  try {
    const choose = preparesDeployment(name) ? chooseFilledStack : chooseStack;
    settings ??= await choose(program, options, options.runnerName);
    if (shard !== undefined) await chooseShard(settings, shard);
    if (!usesGitLab || settings.github !== undefined)
      return { kind: 'opened', settings, probe: undefined };
    const { answer } = await probeServer(settings, program);
    return { kind: 'opened', settings, probe: answer };
  } catch (error) {
    return { kind: 'failed', settings, error };
  }
}

async function awaitProbe(
  session: Session,
  probe: Promise<ServerProbe>,
  options: Parameters<typeof checkServer>[1],
): Promise<void> {
  try {
    checkServer(await probe, options);
  } catch (error) {
    const { addNowLine } = await import('../stages/run/now-line.ts');
    const { asDeployError } = await import('../errors/external-errors.ts');
    const { context } = session;
    throw await addNowLine(toUncancelable(context), asDeployError(error, againOf(context)));
  }
}

interface Tee extends Reporting {
  readonly eventFile: string | undefined;
}

/** Opens the reports; without any report, nothing is collected. */
async function openReporting(program: Program, options: StageOptions): Promise<Tee> {
  const { reportDirectory } = options;
  const eventFile = eventFileOf(options);
  if (reportDirectory === undefined && program.publish === undefined) {
    return { eventFile, tee: (log) => log, finish: async () => {} };
  }
  const { openReporting: open } = await import('./run-ending.ts');
  return { ...open(program, reportDirectory), eventFile };
}

function logResult(
  { log, isTerminal }: { log: ClosableLog; isTerminal: boolean },
  name: string,
  result: StageResult,
): void {
  if (result.kind === 'nothing') {
    log.act(`Nothing to do for ${name}: ${result.reason}.`);
    return;
  }
  // A terminal still shows the lines above. A CI folds them, so the summary repeats them.
  const lines = isTerminal ? result.summary.slice(0, 1) : result.summary;
  for (const line of lines) log.act(`✔ ${name}: ${line}.`);
}

/** Logs the next command at a terminal. In a pipeline the next job continues by itself. */
function formatNext(log: ClosableLog, { context }: Session, typed: Typed): void {
  const { journal, settings } = context;
  if (journal.version() === 0) return;
  const next = nextStage(journal.current().deployment.phase);
  if (next === undefined) return;
  log.act(lineOf({ text: 'Next', command: next, runner: settings.runnerName }, typed));
}

async function readRun(program: Program, settings: StackSettings, deployment: string | undefined) {
  const { detectRun } = await import('../adapters/ci/detect-run.ts');
  const given = deployment === undefined ? {} : { HOSTED_RUNNER_DEPLOYMENT: deployment };
  return detectRun({
    ...program,
    environment: { ...program.environment, ...given },
    readCreation: async (reference) => {
      const { readRunCreation } = await import('./compose/compose-pipelines.ts');
      return readRunCreation({ settings, surroundings: program }, reference);
    },
  });
}

/** Opens a stack for a command that only reads. */
export async function openReading(
  program: Program,
  settings: Opening['settings'],
  log: ClosableLog,
  stage: SessionCommand = 'status',
): Promise<StageContext> {
  // `doctor` sends many requests one after another, and reports each one without a response.
  const surroundings = stage === 'doctor' ? { ...program, patienceMs: 4000 } : program;
  const { openSession } = await import('./session-opening.ts');
  const run = await readRun(program, settings, undefined);
  const session = await openSession({
    stage,
    typed: program.typed,
    settings,
    run,
    surroundings,
    log,
    takeLock: false,
  });
  return session.context;
}
