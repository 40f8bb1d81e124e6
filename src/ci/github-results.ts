import * as core from '@actions/core';
import type { DeployError } from '../errors/deploy-error.ts';
import { outcomeOf, type RunReport } from '../report/run-report.ts';
import { actionOutputs, outputsOf } from './github-outputs.ts';
import { renderSummary } from './github-summary.ts';
import type { Environment } from './variables.ts';

export interface GitHubResults {
  /** GitHub replaces it in the log from now on. */
  mask(secret: string): void;
  publish(report: RunReport): Promise<void>;
  /** Tells an error that came before there was anything to report, and no other. */
  tellError(error: DeployError, text: string): void;
}

/** Of ten warnings and ten errors that GitHub shows of a step, a few are left to other tools. */
const mostWarnings = 5;
const mostCharacters = 3000;

/** Masks, outputs, summary and annotations. Masks are printed only where GitHub reads them. */
export function openGitHubResults(environment: Environment): GitHubResults {
  const isGitHub = environment['GITHUB_ACTIONS'] === 'true';
  let published = false;
  return {
    mask(secret) {
      if (!isGitHub) return;
      // A mask of more than one line hides none of them.
      for (const line of new Set(secret.split(/\r?\n/).map((part) => part.trim()))) {
        if (line.length >= 4) core.setSecret(line);
      }
    },
    async publish(report) {
      published = true;
      setOutputs(environment, outputsOf(report));
      for (const { text } of report.acts
        .filter(({ kind }) => kind === 'warning')
        .slice(-mostWarnings)) {
        core.warning(text.slice(0, mostCharacters));
      }
      if (report.error !== undefined) {
        const title = `${report.stage}: ${report.error.what}`;
        annotate(report.exitCode, title, report.error.text);
      }
      if (environment['GITHUB_STEP_SUMMARY']) {
        await core.summary.addRaw(renderSummary(report), true).write();
      }
    },
    tellError(error, text) {
      if (published) return;
      const outcome = outcomeOf(error.exitCode, 'done');
      const known = { outcome, exit_code: String(error.exitCode) };
      setOutputs(environment, known);
      annotate(error.exitCode, error.fields.what, text);
    },
  };
}

function setOutputs(environment: Environment, values: Readonly<Record<string, string>>): void {
  // Without the file @actions/core prints a command that GitHub no longer takes.
  if (!environment['GITHUB_OUTPUT']) return;
  for (const { name } of actionOutputs) core.setOutput(name, values[name] ?? '');
}

/** A run that has to be run again, or that a person stopped, is no error of anybody. */
function annotate(exitCode: number, title: string, text: string): void {
  const properties = { title: title.replace(/\s+/g, ' ').slice(0, 200) };
  const shown = text.slice(0, mostCharacters);
  if (exitCode === 75 || exitCode === 130) core.warning(shown, properties);
  else core.error(shown, properties);
}
