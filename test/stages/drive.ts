import { setMaxListeners } from 'node:events';
import type { SessionCommand, StageName } from '../../src/domain/deployment/stages-and-steps.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { checkHealth } from '../../src/operator/check-health.ts';
import { deploy } from '../../src/operator/deploy.ts';
import { type Examined, examineStack } from '../../src/operator/doctor/doctor.ts';
import { repairStack } from '../../src/operator/doctor/repair.ts';
import { createChecker } from '../../src/operator/health-checker.ts';
import { hold, release } from '../../src/operator/hold-commands.ts';
import { recover } from '../../src/operator/recover/recover.ts';
import { renew } from '../../src/operator/renew.ts';
import { reportStack } from '../../src/operator/status-report.ts';
import { activate } from '../../src/operator/takeover/activate.ts';
import { rollback } from '../../src/operator/takeover/rollback.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import type { Run } from '../../src/ports/run.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import type { RunResult, StageResult } from '../../src/stages/context/result.ts';
import { runStage } from '../../src/stages/run/run-stage.ts';
import { type Refuse, runSession, runWithoutLock } from '../../src/stages/run/session.ts';
import { pink, purple } from '../fakes/builders.ts';
import type { IncarnationOptions, Simulation } from '../fakes/simulation.ts';
import { contextsOf } from './contexts.ts';
import { endingOf, phaseOf } from './ending.ts';
import { createRecordingLog } from './recording-log.ts';
import { refusalOf } from './refusal.ts';
import { bearWitness } from './witness.ts';

/** Command that an operator or a CI runs. */
export type Command =
  | StageName
  | 'prepare --again'
  | 'provision --until healthy'
  | 'provision --until promoted'
  | 'healthcheck'
  | 'deploy'
  | 'rollback'
  | 'activate pink'
  | 'activate purple'
  | 'activate purple 48214'
  /** Ids of the other shard and of no shard. */
  | 'activate purple 48213'
  | 'activate pink 48214'
  | 'activate pink 49999'
  | 'healthcheck --once'
  | 'status'
  | 'recover rerun'
  | 'recover cleanup'
  | 'recover replace'
  | 'recover terminate'
  /** Recovery of the instance that an error names. */
  | `recover terminate ${string}`
  | 'recover auto'
  | 'recover although'
  | 'doctor'
  | 'doctor --fix'
  | 'hold'
  | 'release'
  | 'renew';

/** End of one run of a command. */
export type Ending = {
  /** Phase in the record afterwards; `none` without a record. */
  readonly phase: string;
  readonly log: readonly string[];
  readonly events: readonly LogEvent[];
} & (
  | { readonly kind: 'done' | 'nothing'; readonly text: string }
  | { readonly kind: 'error'; readonly error: DeployError; readonly text: string }
  | { readonly kind: 'killed' }
);

export interface Drive extends IncarnationOptions {
  readonly takeLock?: boolean;
  /** File of `--config`, if it is not the usual one. */
  readonly config?: string;
  /** Reason of `--again`. */
  readonly againBecause?: string;
  /** Reason of a rollback. */
  readonly reason?: string;
  /** Signal of the test for a cancelled job. */
  readonly signal?: AbortSignal;
  /** Replacement for the command's own action. */
  readonly act?: (context: StageContext) => Promise<RunResult>;
  /** Checks that can refuse the command before the lock. */
  readonly refuse?: Refuse;
  readonly locks?: boolean;
  /**
   * Whether the command runs at a terminal without `--deployment`. The record then decides which
   * deployment it works on.
   */
  readonly isUnnamed?: boolean;
  /** Receives the lines that the program would write to its event file. */
  readonly evidence?: (line: string) => void;
}

/** Runs one command to its end like app.ts, with sealed ports under a lock. */
export async function drive(
  simulation: Simulation,
  command: Command,
  options: Drive,
): Promise<Ending> {
  const started = start(simulation, command, options);
  const outcome = await simulation.run(started.promise, started.incarnation);
  return started.ending(outcome);
}

type Outcome = Awaited<ReturnType<Simulation['run']>>;

const withoutLock: readonly Command[] = [
  'healthcheck',
  'healthcheck --once',
  'status',
  'doctor',
  'doctor --fix',
  'hold',
  'release',
  'renew',
];

/** Starts a command without waiting for it, to run several in parallel. */
export function start(simulation: Simulation, command: Command, options: Drive) {
  const { takeLock = false, signal = unaborted(), evidence, act, refuse, ...rest } = options;
  const { againBecause, reason, config, ...chosen } = rest;
  const incarnation = simulation.incarnation({ command, ...chosen });
  const witness = evidence === undefined ? undefined : bearWitness(incarnation, command, evidence);
  const log = createRecordingLog(witness?.event);
  const stage = command.split(' ')[0] as SessionCommand;
  const opened = contextsOf(incarnation, { stage, log, recorded: witness, signal, config });
  const { context, calls } = opened;
  // Like `openSession`, a terminal without a named deployment resumes the record's.
  const portsOfResumed =
    options.isUnnamed === true
      ? async (of: Run) => calls.around(incarnation.portsOf(of.deploymentId))
      : undefined;
  const session = { context, takeLock, portsOfResumed, effects: calls.effects };
  const locks = options.locks ?? !withoutLock.includes(command);
  const typed = (given: StageContext) =>
    command === 'rollback' ? rollback(given, reason) : body(command, given, againBecause);
  const acts = act ?? typed;
  const refuses = refuse ?? (act === undefined ? refusalOf(command) : undefined);
  const run = locks ? runSession(session, acts, refuses) : runWithoutLock(session, acts);
  const promise = witness === undefined ? run : witness.toEnd(run);
  return {
    incarnation,
    promise,
    ending(outcome: Outcome): Ending {
      return endingOf(outcome as Awaited<ReturnType<typeof simulation.run<StageResult>>>, {
        phase: phaseOf(simulation, incarnation),
        log: log.lines,
        events: log.events,
      });
    },
  };
}

/**
 * Returns a signal without a listener limit, like the process's own: parallel operations all listen
 * to it.
 */
function unaborted(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

const consent = { kind: 'given' } as const;

const namesInstance = (command: Command): command is `recover terminate ${string}` =>
  command.startsWith('recover terminate ');

function body(
  command: Exclude<Command, 'rollback'>,
  context: StageContext,
  againBecause: string | undefined,
): Promise<RunResult> {
  if (namesInstance(command)) {
    const instance = command.split(' ').at(-1) as string;
    return recover(context, { method: 'terminate', consent, instance });
  }
  switch (command) {
    case 'prepare --again':
      return runStage(context, 'prepare', { againBecause: 'what was bad is gone' });
    case 'provision --until healthy':
      return runStage(context, 'provision', { until: 'healthy' });
    case 'provision --until promoted':
      return runStage(context, 'provision', { until: 'promoted' });
    case 'healthcheck':
      return checkHealth(context);
    case 'deploy':
      return deploy(context, againBecause);
    case 'activate pink':
      return activate(context, { shard: pink });
    case 'activate purple':
      return activate(context, { shard: purple });
    case 'activate purple 48214':
      return activate(context, { shard: purple, registration: '48214' as RegistrationId });
    case 'activate purple 48213':
      return activate(context, { shard: purple, registration: '48213' as RegistrationId });
    case 'activate pink 48214':
      return activate(context, { shard: pink, registration: '48214' as RegistrationId });
    case 'activate pink 49999':
      return activate(context, { shard: pink, registration: '49999' as RegistrationId });
    case 'healthcheck --once':
      return checkOnce(context);
    case 'status':
      return reportStack(context).then(({ now }) => ({ kind: 'done', summary: [now] }));
    case 'recover rerun':
      return recover(context, { method: 'rerun', consent });
    case 'recover cleanup':
      return recover(context, { method: 'cleanup', consent });
    case 'recover replace':
      return recover(context, { method: 'replace', consent });
    case 'recover terminate':
      return recover(context, { method: 'terminate', consent });
    case 'recover although':
      return recover(context, { method: 'cleanup', consent, forceWhenNoneAccepts: true });
    case 'recover auto':
      return recover(context, { method: 'auto', consent });
    case 'doctor':
      return examined(examineStack(context));
    case 'doctor --fix':
      return examined(repairStack(context, consent));
    case 'hold':
      return hold(context, 'an incident');
    case 'release':
      return release(context);
    case 'renew':
      return renew(context);
    default:
      return runStage(context, command, { againBecause });
  }
}

/** Runs the check of `healthcheck --once`, whose verdict is only for the reader. */
async function checkOnce(context: StageContext): Promise<StageResult> {
  const { status } = await createChecker(context)();
  return { kind: 'done', summary: [status] };
}

async function examined(examination: Promise<Examined>): Promise<StageResult> {
  const { findings } = await examination;
  return { kind: 'done', summary: findings.map(({ code }) => code) };
}
