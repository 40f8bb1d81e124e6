import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { ProcessTable, Run } from '../../ports/run.ts';
import type { CiEnvironment } from './ci-variables.ts';
import { type ReadCreation, readGitHubRun } from './github/github-run.ts';
import { readGitLabRun } from './gitlab-run.ts';
import { readTerminalRun } from './terminal-run.ts';

export interface DetectRequest {
  readonly environment: CiEnvironment;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: ProcessTable;
  /** `user@host`, for a run from a terminal. */
  readonly operator: string;
  readonly readCreation: ReadCreation;
}

/** Detects the current run from the CI's variables. Rejects with RunUnknown instead of a guess. */
export async function detectRun(request: DetectRequest): Promise<Run> {
  const { environment } = request;
  switch (detectCi(environment)) {
    case 'gitlab':
      return readGitLabRun(environment);
    case 'github':
      return readGitHubRun(request);
    case 'terminal':
      return readTerminalRun(request);
  }
}

export function detectCi(environment: CiEnvironment): Run['ci'] {
  if (environment['GITLAB_CI'] === 'true') return 'gitlab';
  if (environment['GITHUB_ACTIONS'] === 'true') return 'github';
  return 'terminal';
}
