import type { Deployment } from '../../domain/deployment/record.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StageContext } from './context.ts';

/** How a stage ended well. Doing nothing is a result with a reason, not an error. */
export type StageResult =
  /** How it ended, and then what a step has said already: for reports, which have no log above them. */
  { readonly kind: 'done'; readonly summary: readonly string[] } | NothingToDo;

export interface NothingToDo {
  readonly kind: 'nothing';
  readonly reason: string;
}

/** The lock is released while a bake is watched. The session then takes it again and calls `resume`. */
export interface LockRelease {
  readonly kind: 'release_lock';
  readonly reason: string;
  readonly resume: (context: StageContext) => Promise<RunResult>;
}

/** What a command ends with under its lock. */
export type RunResult = StageResult | LockRelease;

/** The deployment makes its old shard active again: the promoted one is bad or no longer serves. */
export interface Rollback {
  readonly kind: 'rollback';
  readonly reason: string;
  /** The old shard's process has ended on its host, and is started before it is proven. */
  readonly isStartedAnew: boolean;
}

/** The step waits for what no operator ends, and this run has no time left: the next run resumes it. */
export interface RetryLater {
  readonly kind: 'retry_later';
  /** The reason, as the end of this run reports it. */
  readonly error: DeployError;
}

/** How a step ended. What only an operator can solve is an error. */
export type StepResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'nothing'; readonly reason: string }
  | { readonly kind: 'release_lock'; readonly reason: string }
  | RetryLater
  | Rollback;

/**
 * The result of a stage whose deployment is done: it names what begins the next one.
 *
 * @param reason such as `deployment 1-200 is done`
 */
export function alreadyDone(context: StageContext, reason: string) {
  const next = formatBeginning(context, {
    ends: 'begins the next one',
    inCi: 'start a new pipeline to deploy again',
  });
  return { kind: 'nothing', reason: `${reason}; ${next}` } as const;
}

/** The result of a stage that finds no deployment: it names what begins the first one. */
export function nothingStarted(context: StageContext) {
  const next = formatBeginning(context, {
    ends: 'begins the first one',
    inCi: 'start a pipeline to deploy',
  });
  const reason = `no deployment of ${context.settings.runnerName} was ever begun; ${next}`;
  return { kind: 'nothing', reason } as const;
}

/**
 * The result of a takeover that was begun before: it names what finishes it, or what begins the next
 * deployment.
 */
export function alreadyTaken(context: StageContext, deployment: Deployment) {
  const { kind, candidate, phase } = deployment;
  const reason = `the ${kind} to ${candidate} is ${phase} already`;
  if (phase === 'done') return alreadyDone(context, reason);
  const { runnerName: runner } = context.settings;
  const finalize = commandOf({ command: 'finalize', runner }, context.typed);
  return { kind: 'nothing', reason: `${reason}; "${finalize}" finishes it` } as const;
}

function formatBeginning(
  { run, settings, typed }: StageContext,
  { ends, inCi }: { readonly ends: string; readonly inCi: string },
): string {
  if (run.ci !== 'terminal') return inCi;
  const deploy = commandOf({ command: 'deploy', runner: settings.runnerName }, typed);
  return `"${deploy}" ${ends}`;
}
