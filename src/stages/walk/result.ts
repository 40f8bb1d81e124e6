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
export function alreadyDone({ run, settings, typed }: StageContext, reason: string) {
  const deploy = commandOf({ command: 'deploy', runner: settings.runnerName }, typed);
  const next =
    run.ci === 'terminal'
      ? `"${deploy}" begins the next one`
      : 'start a new pipeline to deploy again';
  return { kind: 'nothing', reason: `${reason}; ${next}` } as const;
}
