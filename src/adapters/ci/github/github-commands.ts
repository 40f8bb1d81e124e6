import { systemReason } from '../../../errors/system-reason.ts';
import type { CiEnvironment } from '../ci-variables.ts';

/**
 * What we say to GitHub, by its own toolkit; loaded by the action alone.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export interface GitHubCommands {
  /** Prints the secret for GitHub to replace it from now on, so only ever where GitHub reads it. */
  addMask(secret: string): void;
  annotate(level: 'warning' | 'error', text: string, title?: string): void;
  /** Appends to the file that GitHub has made; without one there is nobody to read it. */
  setOutput(name: string, value: string): void;
  appendSummary(text: string): Promise<void>;
}

export async function openGitHubCommands(environment: CiEnvironment): Promise<GitHubCommands> {
  const core = await import('@actions/core');
  const annotate: GitHubCommands['annotate'] = (level, text, title) =>
    core[level](text, title === undefined ? {} : { title });
  const isThere = (variable: string) => (environment[variable] ?? '') !== '';
  const unwritable = new Set<string>();
  // The run's own outcome is what counts: it neither changes nor hides behind a file of GitHub's.
  const tell = (variable: string, error: unknown) => {
    if (unwritable.has(variable)) return;
    unwritable.add(variable);
    const reason = systemReason(error);
    annotate('warning', `${variable} cannot be written (${reason}): later steps will miss it.`);
  };
  return {
    addMask: core.setSecret,
    annotate,
    setOutput(name, value) {
      if (!isThere('GITHUB_OUTPUT')) return;
      try {
        core.setOutput(name, value);
      } catch (error) {
        tell('GITHUB_OUTPUT', error);
      }
    },
    async appendSummary(text) {
      if (!isThere('GITHUB_STEP_SUMMARY')) return;
      try {
        await core.summary.addRaw(text).write();
      } catch (error) {
        tell('GITHUB_STEP_SUMMARY', error);
      }
    },
  };
}
