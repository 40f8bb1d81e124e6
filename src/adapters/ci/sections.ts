import type { Run } from '../../ports/run.ts';

/** How a CI folds a part of its log. */
export interface CiSections {
  /** What to print before the first line of a section; ends in a newline. */
  open(section: Section): string;
  /** What to print after its last line; may be empty. */
  close(section: Section): string;
}

export interface Section {
  /** Letters, digits and underscores; the same for open and close. */
  readonly name: string;
  readonly title: string;
  /** Whole seconds since 1970. */
  readonly atSeconds: number;
}

export function logSections(ci: Run['ci']): CiSections {
  switch (ci) {
    case 'gitlab':
      return gitlabSections;
    case 'github':
      return githubSections;
    case 'terminal':
      return plainSections;
  }
}

// https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections
const clear = '\u001b[0K';
const gitlabSections: CiSections = {
  open: ({ name, title, atSeconds }) =>
    `${clear}section_start:${atSeconds}:${name}\r${clear}${title}\n`,
  close: ({ name, atSeconds }) => `${clear}section_end:${atSeconds}:${name}\r${clear}\n`,
};

// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#grouping-log-lines
// As GitHub's toolkit prints them. The toolkit is not used: only the action loads it, and it writes to
// standard output past the log, which keeps the order of the lines.
const githubSections: CiSections = {
  open: ({ title }) => `::group::${title.replaceAll('%', '%25')}\n`,
  close: () => '::endgroup::\n',
};

const plainSections: CiSections = {
  open: ({ title }) => `${title}\n`,
  close: () => '',
};
