import { writeReportFolder } from '../adapters/system/report-folder.ts';
import { quote } from '../adapters/transport/words/quote.ts';
import { scrub } from '../adapters/transport/words/scrub.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { DeployError } from '../errors/deploy-error.ts';
import { createCollector } from '../report/collector.ts';
import { linksOf } from '../report/links.ts';
import { renderReportFiles } from '../report/report-files.ts';
import { finishReport } from '../report/run-report.ts';
import type { StageResult } from '../stages/context/result.ts';
import type { Program } from './process-program.ts';

export interface Reporting {
  readonly tee: ReturnType<typeof createCollector>['tee'];
  /** Writes the CI's reports. Never rejects, because the run's own result counts. */
  finish(ending: RunEnding): Promise<void>;
}

export interface RunEnding {
  readonly stage: string;
  readonly runner: string;
  readonly settings?: StackSettings | undefined;
  readonly result?: StageResult | undefined;
  readonly error?: DeployError;
}

/**
 * Opens the reports about the end of a run: files in a folder, and direct reports to the CI. Add
 * further receivers here.
 */
export function openReporting(program: Program, reportDirectory: string | undefined): Reporting {
  const { clock, environment, redactor } = program;
  const collector = createCollector(clock);
  return {
    tee: collector.tee,
    async finish({ stage, runner, settings, result, error }) {
      try {
        const collected = collector.collected();
        const facts = { deployment: collected.deployment, environment, reportDirectory };
        const report = finishReport(
          collected,
          {
            stage,
            runner,
            links: settings === undefined ? [] : linksOf({ ...facts, settings }),
            ...(settings === undefined ? {} : { requirements: settings.healthcheck.evidence }),
            ...(result === undefined ? {} : { result }),
            ...(error === undefined ? {} : { error }),
          },
          (whole) => scrub(whole, redactor.redact),
        );
        try {
          if (reportDirectory !== undefined)
            writeReportFolder(reportDirectory, renderReportFiles(report));
        } finally {
          await program.publish?.(report);
        }
      } catch (problem) {
        const words = problem instanceof Error ? problem.message : String(problem);
        program.showError(`! Could not write the report: ${quote(words, redactor)}\n`);
      }
    },
  };
}
