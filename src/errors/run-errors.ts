import type { Run } from '../ports/run.ts';
import { DeployError } from './deploy-error.ts';

export interface RunProblem {
  /** Name of the variable. */
  readonly variable: string;
  /** Absent where the variable is not set; secrets are never among them. */
  readonly value?: string | undefined;
  readonly expected: string;
  /** A sentence that names the variable. */
  readonly fix: string;
}

const looksLike = {
  gitlab: 'a job of GitLab',
  github: 'a job of GitHub',
  terminal: 'a terminal',
} as const satisfies Readonly<Record<Run['ci'], string>>;

/** The environment does not say which run of which pipeline this is. */
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
    what: `This looks like ${looksLike[ci]}, but ${names.join(', ')} ${names.length === 1 ? 'does' : 'do'} not say what is needed; nothing was touched.`,
    why: problems.map(describe),
    fix: [
      // What is missing may be so because there is no CI at all.
      ...(problems.some(({ value }) => value === undefined)
        ? [
            'Run it as the job of a pipeline, or unset CI, GITLAB_CI and GITHUB_ACTIONS to run it from a terminal.',
          ]
        : []),
      ...problems.slice(0, mostFixes).map(({ fix }) => fix),
    ],
  });
}

/** Of a dozen problems, which all have a line of their own above. */
const mostFixes = 3;

/** The API that knows when the run was created did not say it. */
export function runUnreadable({ run, reason }: { run: string; reason: string }): DeployError {
  return new DeployError({
    code: 'RunUnknown',
    what: `GitHub did not say when the workflow run ${run} was created; nothing was touched.`,
    why: [reason],
    fix: [
      'Give the job `permissions: actions: read` and GITHUB_TOKEN.',
      'Or give the time itself: HOSTED_RUNNER_PIPELINE_CREATED_AT, e.g. 2026-11-20T10:00:00Z.',
    ],
  });
}

function describe({ variable, value, expected }: RunProblem): string {
  if (value === undefined || value === '') return `${variable} is not set; expected ${expected}.`;
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return `${variable} is ${JSON.stringify(shown)}; expected ${expected}.`;
}
