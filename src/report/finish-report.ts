import { scrub } from '../adapters/transport/words/scrub.ts';
import type { DeployError } from '../errors/deploy-error.ts';
import { renderError } from '../errors/render.ts';
import { type Collected, outcomeOf, type RunReport } from './run-report.ts';

export interface Ending {
  readonly stage: string;
  readonly runner: string;
  readonly result?:
    | { readonly kind: 'done'; readonly summary: readonly string[] }
    | { readonly kind: 'nothing'; readonly reason: string };
  readonly error?: DeployError;
  readonly links: RunReport['links'];
  readonly requirements?: RunReport['requirements'];
}

/** What was collected and how it ended, as one value that renderers may print as it is. */
export function finishReport(
  collected: Collected,
  ending: Ending,
  redact: (text: string) => string,
): RunReport {
  const { stage, runner, result, error, links, requirements } = ending;
  const exitCode = error?.exitCode ?? 0;
  const said =
    result === undefined ? [] : result.kind === 'done' ? result.summary : [result.reason];
  const report: RunReport = {
    ...collected,
    // A run without steps of its own is one step to whoever looks at the timeline.
    steps:
      collected.steps.length > 0
        ? collected.steps
        : [{ name: stage, startedAt: collected.startedAt, endedAt: collected.endedAt }],
    stage,
    runner,
    exitCode,
    outcome: outcomeOf(exitCode, result?.kind ?? 'done'),
    said,
    links,
    ...(requirements === undefined ? {} : { requirements }),
    ...(error === undefined
      ? {}
      : {
          error: {
            code: error.code,
            what: error.fields.what,
            text: renderError(stage, error.fields),
          },
        }),
  };
  return scrub(report, redact);
}
