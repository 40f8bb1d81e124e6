import { setMaxListeners } from 'node:events';
import { sealPorts } from '../../src/app/compose/seam.ts';
import type { StageName } from '../../src/domain/deployment/stages-and-steps.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { checkHealth } from '../../src/operator/check-health.ts';
import { deploy } from '../../src/operator/deploy.ts';
import { examineStack, type Findings } from '../../src/operator/doctor/doctor.ts';
import { repairStack } from '../../src/operator/doctor/repair.ts';
import { hold, release } from '../../src/operator/hold.ts';
import { createLooker } from '../../src/operator/look-once.ts';
import { recover } from '../../src/operator/recover/recover.ts';
import { renew } from '../../src/operator/renew.ts';
import { reportStack } from '../../src/operator/status.ts';
import { activate } from '../../src/operator/takeover/activate.ts';
import { rollback } from '../../src/operator/takeover/rollback.ts';
import type { Log } from '../../src/ports/log.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import { createJournal } from '../../src/stages/record/journal.ts';
import { parameterNames } from '../../src/stages/record/names.ts';
import type { StageContext } from '../../src/stages/walk/context.ts';
import type { StageResult } from '../../src/stages/walk/result.ts';
import { type Refuse, runSession, runWithoutLock } from '../../src/stages/walk/session.ts';
import { runStage } from '../../src/stages/walk/walk.ts';
import { pink, purple } from '../fakes/builders.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import type { Incarnation, IncarnationOptions, Simulation } from '../fakes/simulation.ts';
import { parametersOf, parameterValue } from '../fakes/world/serving.ts';

import { createRecordingLog } from './recording-log.ts';
import { bearWitness } from './witness.ts';

/** What a person or a CI types. */
export type Command =
  | StageName
  | 'provision --until healthy'
  | 'healthcheck'
  | 'deploy'
  | 'rollback'
  | 'activate pink'
  | 'activate purple'
  | 'activate purple 48214'
  /** Ids of the other shard, and of nothing. */
  | 'activate purple 48213'
  | 'activate pink 48214'
  | 'activate pink 49999'
  | 'healthcheck --once'
  | 'status'
  | 'recover rerun'
  | 'recover cleanup'
  | 'recover replace'
  | 'recover terminate'
  | 'recover auto'
  | 'recover although'
  | 'doctor'
  | 'doctor --fix'
  | 'hold'
  | 'release'
  | 'renew';

/** How one run of one command ended. */
export type Ending = {
  /** Of the record afterwards; `none` where there is no record. */
  readonly phase: string;
  readonly log: readonly string[];
  readonly events: readonly LogEvent[];
} & (
  | { readonly kind: 'done' | 'nothing'; readonly says: string }
  | { readonly kind: 'error'; readonly error: DeployError; readonly says: string }
  | { readonly kind: 'killed' }
);

export interface Drive extends IncarnationOptions {
  readonly takeLock?: boolean;
  /** Aborted by the test: a cancelled job. */
  readonly signal?: AbortSignal;
  /** Instead of what the command does by itself. */
  readonly act?: (context: StageContext) => Promise<StageResult>;
  /** What it refuses before it takes the lock. */
  readonly refuse?: Refuse;
  readonly locks?: boolean;
  /** Gets the lines that the program would write to its evidence file. */
  readonly evidence?: (line: string) => void;
}

/** Runs one command to its end, as app.ts would: sealed ports under a lock. */
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

/** Begins a command without waiting for it, for those that run side by side. */
export function start(simulation: Simulation, command: Command, options: Drive) {
  const { takeLock = false, signal = unaborted(), evidence, act, refuse, ...chosen } = options;
  const incarnation = simulation.incarnation({ command, ...chosen });
  const witness = evidence === undefined ? undefined : bearWitness(incarnation, command, evidence);
  const log = createRecordingLog(witness?.event);
  const ports = witness?.ports ?? incarnation.ports;
  const stage = command.split(' ')[0] ?? command;
  const { context, unsealed } = contextsOf({ ...incarnation, ports }, { stage, log, signal });
  const session = { context, unsealed, takeLock };
  const locks = options.locks ?? !withoutLock.includes(command);
  const acts = act ?? ((given: StageContext) => body(command, given));
  const run = locks ? runSession(session, acts, refuse) : runWithoutLock(session, acts);
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

/** As of the process itself: whatever is under way side by side listens to it. */
function unaborted(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

function contextsOf(
  { stack, run, ports }: Incarnation,
  { stage, log, signal }: { stage: string; log: Log; signal: AbortSignal },
): { context: StageContext; unsealed: StageContext } {
  const names = parameterNames(stack);
  const again = `hosted-runner ${stage} --runner ${stack.runnerName}`;
  const sealed = sealPorts(ports, { signal, stage, again });
  const journal = createJournal({
    ports: sealed,
    parameter: names.record,
    runner: stack.runnerName,
  });
  const common = { stage, again, settings: stack, run, names, log };
  return {
    context: { ...common, ports: sealed, journal },
    unsealed: { ...common, ports, journal: journal.through(ports) },
  };
}

const consent = { kind: 'given' } as const;

function body(command: Command, context: StageContext): Promise<StageResult> {
  switch (command) {
    case 'provision --until healthy':
      return runStage(context, 'provision', { until: 'healthy' });
    case 'healthcheck':
      return checkHealth(context);
    case 'deploy':
      return deploy(context);
    case 'rollback':
      return rollback(context);
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
      return looked(context);
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
      return recover(context, { method: 'cleanup', consent, although: 'nothing_serves' });
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
      return runStage(context, command);
  }
}

/** What `healthcheck --once` asks; the verdict is for whoever reads it. */
async function looked(context: StageContext): Promise<StageResult> {
  const { status } = await createLooker(context)();
  return { kind: 'done', summary: [status] };
}

async function examined(findings: Promise<Findings>): Promise<StageResult> {
  const { diagnoses } = await findings;
  return { kind: 'done', summary: diagnoses.map(({ code }) => code) };
}

function endingOf(
  outcome: Awaited<ReturnType<Simulation['run']>>,
  seen: { phase: string; log: readonly string[]; events: readonly LogEvent[] },
): Ending {
  if (outcome.kind === 'returned') {
    const result = outcome.value as StageResult;
    const says = result.kind === 'nothing' ? result.reason : result.summary.join('; ');
    return { ...seen, kind: result.kind, says };
  }
  if (outcome.kind === 'stopped') return { ...seen, kind: 'killed' };
  if (outcome.kind === 'threw' && outcome.error instanceof DeployError) {
    const { error } = outcome;
    return { ...seen, kind: 'error', error, says: error.fields.what };
  }
  if (outcome.kind === 'threw') throw outcome.error;
  throw new Error(`${outcome.kind}: ${outcome.waiting.join(', ')}\n${seen.log.join('\n')}`);
}

function phaseOf({ world }: Simulation, { stack }: Incarnation): string {
  return deploymentOf(parameterValue(world, parametersOf(stack).record)).phase ?? 'none';
}
