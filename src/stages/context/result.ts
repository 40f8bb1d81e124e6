import type { Deployment } from '../../domain/deployment/record.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StageContext } from './context.ts';

/** How a stage ended well. Doing nothing is a result with a reason, not an error. */
export type StageResult =
  /** How it ended, and then what a step has said already: for reports, which have no log above them. */
  | { readonly kind: 'done'; readonly summary: readonly string[] }
  | { readonly kind: 'nothing'; readonly reason: string };

/**
 * Ends what a session does under its lock, and no error of anybody's: a bake is watched without it, and
 * then gone on with.
 */
export class LetGo extends Error {
  readonly resume: (context: StageContext) => Promise<StageResult>;

  constructor(resume: (context: StageContext) => Promise<StageResult>) {
    super('the lock is let go of while a bake is watched');
    this.resume = resume;
  }
}

/**
 * The result of a stage whose deployment is done: it names what begins the next one.
 *
 * @param reason such as `deployment 1-200 is done`
 */
export function alreadyDone(context: StageContext, reason: string) {
  const next = tellBeginning(context, {
    ends: 'begins the next one',
    inCi: 'start a new pipeline to deploy again',
  });
  return { kind: 'nothing', reason: `${reason}; ${next}` } as const;
}

/** The result of a stage that finds no deployment: it names what begins the first one. */
export function neverBegun(context: StageContext) {
  const next = tellBeginning(context, {
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

function tellBeginning(
  { run, settings, typed }: StageContext,
  { ends, inCi }: { readonly ends: string; readonly inCi: string },
): string {
  if (run.ci !== 'terminal') return inCi;
  const deploy = commandOf({ command: 'deploy', runner: settings.runnerName }, typed);
  return `"${deploy}" ${ends}`;
}
