import type { Run } from '../ports/run.ts';
import { DeployError } from './deploy-error.ts';

export interface RunProblem {
  /** Name of the variable. */
  readonly variable: string;
  /** Absent if the variable is not set; never a secret. */
  readonly value?: string | undefined;
  readonly expected: string;
  /** Sentence that names the variable. */
  readonly fix: string;
}

const runNames = {
  gitlab: 'a GitLab job',
  github: 'a GitHub job',
  terminal: 'a terminal',
} as const satisfies Readonly<Record<Run['ci'], string>>;

/** The environment does not identify the run of a pipeline. */
export function runUnknown({
  ci,
  problems,
}: {
  ci: Run['ci'];
  problems: readonly RunProblem[];
}): DeployError {
  const names = problems.map(({ variable }) => variable);
  return new DeployError({
    code: 'RunUnknown',
    what: `Detected ${runNames[ci]}, but ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing or invalid; nothing was touched.`,
    why: problems.map(describe),
    fix: [
      // A missing variable may mean that no CI is present.
      ...(problems.some(({ value }) => value === undefined)
        ? [
            'Run the command in a pipeline job. To run it from a terminal, unset CI, GITLAB_CI and GITHUB_ACTIONS.',
          ]
        : []),
      ...problems.slice(0, mostFixes).map(({ fix }) => fix),
    ],
  });
}

/** Maximum number of fixes; `why` lists every problem. */
const mostFixes = 3;

/** The API did not return the creation time of the run. */
export function runUnreadable({ run, reason }: { run: string; reason: string }): DeployError {
  return new DeployError({
    code: 'RunUnknown',
    what: `GitHub did not return the creation time of workflow run ${run}; nothing was touched.`,
    why: [reason],
    fix: [
      'Give the job `permissions: actions: read` and GITHUB_TOKEN.',
      'Or set the time yourself: HOSTED_RUNNER_PIPELINE_CREATED_AT, e.g. 2026-11-20T10:00:00Z.',
    ],
  });
}

function describe({ variable, value, expected }: RunProblem): string {
  if (value === undefined || value === '') return `${variable} is not set; expected ${expected}.`;
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return `${variable} is ${JSON.stringify(shown)}; expected ${expected}.`;
}
