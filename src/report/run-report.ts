import type { EvidenceKind } from '../domain/health/evidence.ts';
import type { Requirement } from '../domain/settings.ts';
import type { DeployError, ExitCode } from '../errors/deploy-error.ts';
import { renderError } from '../errors/render.ts';
import type { BakeEvent, DeploymentView, EvidenceEvent, GuardEvent } from '../ports/log-event.ts';

/** What one run of one command leaves for its CI; every text in it is redacted, clean and cut. */
export interface RunReport extends Collected {
  /** The command: a stage, or one of the operator's. */
  readonly stage: string;
  readonly runner: string;
  readonly outcome: RunOutcome;
  readonly exitCode: 0 | ExitCode;
  /** The summary of a run that did something, or the reason of one that had nothing to do. */
  readonly said: readonly string[];
  readonly error?: ReportedError;
  readonly links: readonly Link[];
  /** Absent where the configuration could not be read. */
  readonly requirements?: Readonly<Record<EvidenceKind, Requirement>>;
}

/** What a later job can decide by; one word for each exit code, and `nothing` for a skip. */
export type RunOutcome =
  | 'done'
  | 'nothing'
  | 'failed'
  | 'refused'
  | 'stopped'
  | 'unfinished'
  | 'cancelled';

export interface ReportedError {
  readonly code: string;
  readonly what: string;
  /** As the terminal shows it, over several lines. */
  readonly text: string;
}

export interface Link {
  readonly label: string;
  readonly url: string;
}

/** What was seen while it ran; times are milliseconds since 1970. */
export interface Collected {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly acts: readonly Act[];
  /** How many acts were too many to keep. */
  readonly actsLeftOut: number;
  readonly steps: readonly StepRun[];
  /** Phases that this run wrote, in order. */
  readonly phases: readonly PhaseMark[];
  /** Where the deployment stood when this run read its record first; since when, by the record. */
  readonly found?: PhaseMark;
  /** Jobs that were seen on a shard while it drained, as far as they are kept. */
  readonly jobs: readonly ReportedJob[];
  /** What was waited for, each reason as often as it came. */
  readonly waits: readonly Wait[];
  /** What this run has ended by force. */
  readonly kills: readonly Kill[];
  /** What each guard that was asked said last. */
  readonly guards: readonly GuardAnswer[];
  /** The last look at each shard. */
  readonly looks: readonly ReportedEvidence[];
  readonly deployment?: DeploymentView;
  /** The last look at a promoted shard that is watched. */
  readonly bake?: Omit<BakeEvent, 'kind'>;
  /** By `deployment_status` as last seen or written; absent where nobody looked. */
  readonly activeShard?: string;
}

export interface Act {
  readonly at: number;
  readonly kind: 'act' | 'warning';
  readonly text: string;
}

export interface StepRun {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface PhaseMark {
  readonly phase: string;
  readonly at: number;
}

/** Between the first and the last look that saw it. */
export interface ReportedJob {
  readonly id: string;
  readonly name: string;
  readonly shard: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/** From the first look that waited to what came after it; the text as it was said last. */
export interface Wait {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Kill {
  readonly at: number;
  readonly text: string;
}

export type GuardAnswer = Omit<GuardEvent, 'kind'>;

export interface ReportedEvidence extends Pick<EvidenceEvent, 'verdict' | 'evidence'> {
  readonly shard: string;
}

export function outcomeOf(exitCode: RunReport['exitCode'], result: 'done' | 'nothing'): RunOutcome {
  switch (exitCode) {
    case 0:
      return result;
    case 1:
      return 'failed';
    case 2:
      return 'refused';
    case 3:
      return 'stopped';
    case 75:
      return 'unfinished';
    case 130:
      return 'cancelled';
  }
}

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

/** What was collected and how it ended, as one value that renderers may print as it is: `clean` leaves no secret in it. */
export function finishReport(
  collected: Collected,
  ending: Ending,
  clean: (report: RunReport) => RunReport,
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
  return clean(report);
}
