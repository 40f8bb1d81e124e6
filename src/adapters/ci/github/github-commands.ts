import { appendFileSync } from 'node:fs';
import { systemReason } from '../../../errors/system-reason.ts';
import type { Random } from '../../../ports/random.ts';

/**
 * The few commands of GitHub's that we send. Not by @actions/core: it brings an HTTP client of 0.4 MB
 * into every health check, for calls that we never make.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export interface GitHubCommands {
  /** Prints the secret for GitHub to replace it from now on, so only ever where GitHub reads it. */
  addMask(secret: string): void;
  annotate(level: 'warning' | 'error', text: string, title?: string): void;
  /** Appends to the file that the variable names; without one there is nobody to read it. */
  setOutput(name: string, value: string): void;
  appendSummary(text: string): void;
}

export function createGitHubCommands({
  environment,
  random,
  write,
}: {
  environment: Readonly<Record<string, string | undefined>>;
  random: Random;
  /** Standard output, not redacted: a mask has to name what it hides. */
  write: (text: string) => void;
}): GitHubCommands {
  const unwritable = new Set<string>();
  const annotate: GitHubCommands['annotate'] = (level, text, title) => {
    const properties = title === undefined ? '' : ` title=${escapeProperty(title)}`;
    write(`::${level}${properties}::${escapeData(text)}\n`);
  };
  // The run's own outcome is what counts: it neither changes nor hides behind a file of GitHub's.
  const append = (variable: string, text: string) => {
    const file = environment[variable];
    if (file === undefined || file === '' || unwritable.has(variable)) return;
    try {
      appendFileSync(file, text);
    } catch (error) {
      unwritable.add(variable);
      const reason = systemReason(error);
      annotate('warning', `${variable} cannot be written (${reason}): later steps will miss it.`);
    }
  };
  return {
    addMask: (secret) => write(`::add-mask::${escapeData(secret)}\n`),
    annotate,
    setOutput(name, value) {
      // A delimiter that nobody can guess: a value cannot end itself and begin another output.
      const delimiter = `end_${random.id()}`;
      append('GITHUB_OUTPUT', `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
    },
    appendSummary: (text) => append('GITHUB_STEP_SUMMARY', text),
  };
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
