import type { Deployment } from '../../domain/deployment/record.ts';
import type { DeployError } from '../../errors/deploy-error.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StageContext } from './context.ts';

/** Success of a stage. Doing nothing is a result with a reason, not an error. */
export type StageResult =
  /** Outcome, followed by lines that a step has already logged, for reports without a log. */
  { readonly kind: 'done'; readonly summary: readonly string[] } | NothingToDo;

export interface NothingToDo {
  readonly kind: 'nothing';
  readonly reason: string;
}

/** Release of the lock during a bake. The session later takes it again and calls `resume`. */
export interface LockRelease {
  readonly kind: 'release_lock';
  readonly reason: string;
  readonly resume: (context: StageContext) => Promise<RunResult>;
}

/** Result of a command that ran under its lock. */
export type RunResult = StageResult | LockRelease;

/** Rollback of the deployment to its old shard, because the promoted shard failed its checks. */
export interface Rollback {
  readonly kind: 'rollback';
  readonly reason: string;
  /** The old shard's process has ended. It is started before the shard is verified. */
  readonly isStartedAgain: boolean;
}

/** Wait that needs no operator but more time than this run has: the next run resumes it. */
export interface RetryLater {
  readonly kind: 'retry_later';
  /** The reason, as reported at the end of this run. */
  readonly error: DeployError;
}

/** Result of a step. A problem that only an operator can solve is an error instead. */
export type StepResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'nothing'; readonly reason: string }
  | { readonly kind: 'release_lock'; readonly reason: string }
  | RetryLater
  | Rollback;

/**
 * Result of a stage whose deployment is done; names the command that begins the next one.
 *
 * @param reason such as `deployment 1-200 is done`
 */
export function alreadyDone(context: StageContext, reason: string) {
  const { settings, typed } = context;
  const hasNoBake = typed.command === 'bake' && settings.bake.forMs === undefined;
  const noBake = hasNoBake ? ', and no bake is configured (bake.for is not set)' : '';
  const next = formatBeginning(context, {
    ends: 'starts the next one',
    inCi: 'start a new pipeline to deploy again',
  });
  return { kind: 'nothing', reason: `${reason}${noBake}; ${next}` } as const;
}

/** Result of a stage that finds no deployment; it names the command that begins the first one. */
export function nothingStarted(context: StageContext) {
  const next = formatBeginning(context, {
    ends: 'starts the first one',
    inCi: 'start a pipeline to deploy',
  });
  const reason = `${context.settings.runnerName} has no deployment; ${next}`;
  return { kind: 'nothing', reason } as const;
}

/**
 * Result of a takeover that was already begun; it names the command that finishes it, or that
 * begins the next deployment.
 */
export function alreadyTaken(context: StageContext, deployment: Deployment) {
  const { kind, candidate, phase } = deployment;
  const reason = `the ${kind} to ${candidate} is already ${phase}`;
  if (phase === 'done') return alreadyDone(context, reason);
  const { runnerName: runner } = context.settings;
  const finalize = commandOf({ command: 'finalize', runner }, context.typed);
  return { kind: 'nothing', reason: `${reason}; "${finalize}" finishes the ${kind}` } as const;
}

function formatBeginning(
  { run, settings, typed }: StageContext,
  { ends, inCi }: { readonly ends: string; readonly inCi: string },
): string {
  if (run.ci !== 'terminal') return inCi;
  const deploy = commandOf({ command: 'deploy', runner: settings.runnerName }, typed);
  return `"${deploy}" ${ends}`;
}
