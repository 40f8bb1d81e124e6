import { counted } from '../../../domain/text/count-text.ts';
import type { DeployError } from '../../../errors/deploy-error.ts';
import { outcomeOf, type RunReport } from '../../../report/run-report.ts';
import type { CiEnvironment } from '../ci-variables.ts';
import type { GitHubCommands } from './github-commands.ts';
import { actionOutputs, outputsOf } from './github-outputs.ts';
import { renderSummary } from './github-summary.ts';

export interface GitHubResults {
  /** Makes GitHub mask the secret in the log from now on. */
  mask(secret: string): void;
  publish(report: RunReport): Promise<void>;
  /**
   * Reports an error that occurred before `publish`. Does nothing after it. `text` is redacted.
   */
  reportError(error: DeployError, text: string): void;
}

/**
 * Number of warnings. GitHub shows ten warnings and ten errors per step, which other tools share.
 */
const mostWarnings = 5;
const mostCharacters = 3000;

/**
 * Opens the results for GitHub: masks, outputs, summary and annotations. Masks are printed only on
 * GitHub.
 */
export function openGitHubResults(
  environment: CiEnvironment,
  commands: GitHubCommands,
): GitHubResults {
  const isGitHub = environment['GITHUB_ACTIONS'] === 'true';
  let published = false;
  const masked = new Set<string>();
  return {
    mask(secret) {
      if (!isGitHub) return;
      // GitHub applies a mask to single lines only.
      for (const line of new Set(secret.split(/\r?\n/).map((part) => part.trim()))) {
        if (line.length < 4) continue;
        masked.add(line);
        commands.addMask(line);
      }
    },
    async publish(report) {
      published = true;
      setOutputs(commands, outputsOf(report), masked);
      const warnings = report.acts.filter(({ kind }) => kind === 'warning');
      for (const { text } of warnings.slice(-mostWarnings))
        commands.annotate('warning', text.slice(0, mostCharacters));
      const more = warnings.length - mostWarnings;
      if (more > 0)
        commands.annotate('warning', `${counted(more, 'earlier warning')} in the log of this job.`);
      if (report.error !== undefined) {
        const title = `${report.stage}: ${report.error.what}`;
        annotate(commands, { exitCode: report.exitCode, title, text: report.error.text });
      }
      await commands.appendSummary(renderSummary(report));
    },
    reportError(error, text) {
      if (published) return;
      const outcome = outcomeOf(error.exitCode, 'done');
      const known = { outcome, exit_code: String(error.exitCode) };
      setOutputs(commands, known, masked);
      const [title = ''] = text.replace(/^✖ /, '').split('\n');
      annotate(commands, { exitCode: error.exitCode, title, text });
    },
  };
}

/**
 * Sets the outputs. GitHub drops a job output that contains a masked value and logs nothing, so
 * this adds a warning.
 */
function setOutputs(
  commands: GitHubCommands,
  values: Readonly<Record<string, string>>,
  masked: ReadonlySet<string>,
): void {
  for (const { name } of actionOutputs) {
    const value = values[name] ?? '';
    commands.setOutput(name, value);
    if (![...masked].some((secret) => value.includes(secret))) continue;
    commands.annotate(
      'warning',
      `Other jobs do not get the output ${name}: GitHub drops it, because it contains a secret of this job. Give that secret a value that is not an ordinary word.`,
    );
  }
}

/** Annotates the run. A run that needs a retry, or that an operator stopped, is no error. */
function annotate(
  commands: GitHubCommands,
  { exitCode, title, text }: { exitCode: number; title: string; text: string },
): void {
  const level = exitCode === 75 || exitCode === 130 ? 'warning' : 'error';
  const shown = title.replace(/\s+/g, ' ').slice(0, 200);
  commands.annotate(level, text.slice(0, mostCharacters), shown);
}
