import { counted } from '../../../domain/text/count-text.ts';
import type { DeployError } from '../../../errors/deploy-error.ts';
import { outcomeOf, type RunReport } from '../../../report/run-report.ts';
import type { CiEnvironment } from '../ci-variables.ts';
import type { GitHubCommands } from './github-commands.ts';
import { actionOutputs, outputsOf } from './github-outputs.ts';
import { renderSummary } from './github-summary.ts';

export interface GitHubResults {
  /** GitHub replaces it in the log from now on. */
  mask(secret: string): void;
  publish(report: RunReport): Promise<void>;
  /** Tells an error that came before there was anything to report, and no other; `text` is redacted. */
  reportError(error: DeployError, text: string): void;
}

/** Of ten warnings and ten errors that GitHub shows of a step, a few are left to other tools. */
const mostWarnings = 5;
const mostCharacters = 3000;

/** Masks, outputs, summary and annotations. Masks are printed only where GitHub reads them. */
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
      // A mask of more than one line hides none of them.
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

/** A job's output that holds a masked value is dropped by GitHub without a word, so that we say it. */
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
      `Other jobs do not get the output ${name}: GitHub drops it, for a secret of this job is a part of it. Give that secret a value that is no ordinary word.`,
    );
  }
}

/** A run that has to be run again, or that a person stopped, is no error of anybody. */
function annotate(
  commands: GitHubCommands,
  { exitCode, title, text }: { exitCode: number; title: string; text: string },
): void {
  const level = exitCode === 75 || exitCode === 130 ? 'warning' : 'error';
  const shown = title.replace(/\s+/g, ' ').slice(0, 200);
  commands.annotate(level, text.slice(0, mostCharacters), shown);
}
