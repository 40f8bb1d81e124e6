import { systemReason } from '../../../errors/system-reason.ts';
import type { CiEnvironment } from '../ci-variables.ts';

/**
 * Workflow commands to GitHub, through its own toolkit. Only the action loads it.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export interface GitHubCommands {
  /**
   * Prints the secret, and GitHub masks it from then on. Call this only if GitHub reads the output.
   */
  addMask(secret: string): void;
  annotate(level: 'warning' | 'error', text: string, title?: string): void;
  /** Appends to GitHub's output file. Does nothing without that file. */
  setOutput(name: string, value: string): void;
  appendSummary(text: string): Promise<void>;
}

export async function openGitHubCommands(environment: CiEnvironment): Promise<GitHubCommands> {
  const core = await import('@actions/core');
  const annotate: GitHubCommands['annotate'] = (level, text, title) =>
    core[level](text, title === undefined ? {} : { title });
  const isThere = (variable: string) => (environment[variable] ?? '') !== '';
  const unwritable = new Set<string>();
  // A file that cannot be written only causes a warning: it does not change the run's outcome.
  const warnOnce = (variable: string, error: unknown) => {
    if (unwritable.has(variable)) return;
    unwritable.add(variable);
    const reason = systemReason(error);
    annotate('warning', `${variable} cannot be written (${reason}): later steps will not get it.`);
  };
  return {
    addMask: core.setSecret,
    annotate,
    setOutput(name, value) {
      if (!isThere('GITHUB_OUTPUT')) return;
      try {
        core.setOutput(name, value);
      } catch (error) {
        warnOnce('GITHUB_OUTPUT', error);
      }
    },
    async appendSummary(text) {
      if (!isThere('GITHUB_STEP_SUMMARY')) return;
      try {
        await core.summary.addRaw(text).write();
      } catch (error) {
        warnOnce('GITHUB_STEP_SUMMARY', error);
      }
    },
  };
}
