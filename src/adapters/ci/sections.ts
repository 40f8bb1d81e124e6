import type { Run } from '../../ports/run.ts';

/** Folding of log sections in a CI. */
export interface CiSections {
  /** Returns the text before the first line of a section. It ends with a newline. */
  open(section: Section): string;
  /** Returns the text after the last line of a section. It may be empty. */
  close(section: Section): string;
}

export interface Section {
  /** Letters, digits and underscores. `open` and `close` get the same name. */
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
// The format of GitHub's toolkit. The toolkit itself is not used: only the action loads it, and it
// would write to standard output directly, out of the order of the log.
const githubSections: CiSections = {
  open: ({ title }) => `::group::${title.replaceAll('%', '%25')}\n`,
  close: () => '::endgroup::\n',
};

const plainSections: CiSections = {
  open: ({ title }) => `${title}\n`,
  close: () => '',
};
