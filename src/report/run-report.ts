import { formatJobCounts } from '../domain/deployment/cost.ts';
import type { EvidenceKind } from '../domain/health/evidence.ts';
import type { Requirement } from '../domain/settings.ts';
import type { DeployError, ExitCode } from '../errors/deploy-error.ts';
import { renderError } from '../errors/render.ts';
import type { BakeEvent, DeploymentView, EvidenceEvent, GuardEvent } from '../ports/log-event.ts';

/** Result of one command for its CI. Every text in it is redacted, sanitized and cut. */
export interface RunReport extends Collected {
  /** Name of the command: a stage, or an operator's command. */
  readonly stage: string;
  readonly runner: string;
  readonly outcome: RunOutcome;
  readonly exitCode: 0 | ExitCode;
  /** Summary of the run, or the reason of a run that had nothing to do. */
  readonly summary: readonly string[];
  readonly error?: ReportedError;
  readonly links: readonly Link[];
  /** Absent if the configuration could not be read. */
  readonly requirements?: Readonly<Record<EvidenceKind, Requirement>>;
}

/** Result that later jobs can use: one word per exit code, and `nothing` for a skipped run. */
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
  /** Text as shown at a terminal, in several lines. */
  readonly text: string;
}

export interface Link {
  readonly label: string;
  readonly url: string;
}

/** Observations of a run. Times are milliseconds since 1970. */
export interface Collected {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly acts: readonly Act[];
  /** Number of acts that were not kept. */
  readonly actsLeftOut: number;
  readonly steps: readonly StepRun[];
  /** Phases that this run wrote, in order. */
  readonly phases: readonly PhaseMark[];
  /** Phase of the deployment at the first read of the record, with its time from the record. */
  readonly found?: PhaseMark;
  /** Jobs that were observed on a draining shard, up to a limit. */
  readonly jobs: readonly ReportedJob[];
  /** Waits, one entry per occurrence of a reason. */
  readonly waits: readonly Wait[];
  /** Processes, machines and jobs that this run killed. */
  readonly kills: readonly Kill[];
  /** Last result of each guard. */
  readonly guards: readonly GuardAnswer[];
  /** Last check of each shard. */
  readonly evidence: readonly ReportedEvidence[];
  readonly deployment?: DeploymentView;
  /** Last check of a bake. */
  readonly bake?: Omit<BakeEvent, 'kind'>;
  /** Shards that this run's last check of each shard verified. */
  readonly verified: readonly string[];
  /** Active shard from the last read or write of `deployment_status`. Absent without one. */
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

/** Job that a check of a drain listed. */
export interface ReportedJob {
  readonly id: string;
  readonly name: string;
  readonly shard: string;
  /** Start as the registry reports it, or else the time of the first check that listed the job. */
  readonly startedAt: number;
  /** Time of the first check without the job, or else of the last check that listed it. */
  readonly endedBy: number;
}

/** Wait from its first check to the next event, with its last text. */
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

/**
 * Combines the observations and the result into a report for all renderers. `clean` removes all
 * secrets.
 */
export function finishReport(
  collected: Collected,
  ending: Ending,
  clean: (report: RunReport) => RunReport,
): RunReport {
  const { stage, runner, result, error, links, requirements } = ending;
  const exitCode = error?.exitCode ?? 0;
  const summary =
    result === undefined ? [] : result.kind === 'done' ? result.summary : [result.reason];
  const report: RunReport = {
    ...collected,
    // A run without steps appears as one step in the timeline.
    steps:
      collected.steps.length > 0
        ? collected.steps
        : [{ name: stage, startedAt: collected.startedAt, endedAt: collected.endedAt }],
    stage,
    runner,
    exitCode,
    outcome: outcomeOf(exitCode, result?.kind ?? 'done'),
    summary,
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

const outcomes: Readonly<Record<RunOutcome, string>> = {
  done: 'is done',
  nothing: 'had nothing to do',
  failed: 'failed',
  refused: 'was refused',
  stopped: 'stopped',
  unfinished: 'did not finish',
  cancelled: 'was cancelled',
};

/**
 * Formats the outcome of a run for a reader who reads nothing else: what was deployed, which shard
 * accepts jobs, and what happened to the jobs.
 */
export function formatOutcome(report: RunReport): string {
  return [describeRun(report), ...describeShards(report), ...describeJobs(report)].join(' ');
}

function describeRun({ stage, runner, outcome, deployment }: RunReport): string {
  if (deployment === undefined) return `${stage} of ${runner} ${outcomes[outcome]}.`;
  if (deployment.phase === 'done') return `${describeEnd(runner, deployment)}.`;
  return `The deployment of ${deployment.candidate} is in phase ${deployment.phase}.`;
}

function describeEnd(runner: string, { kind, candidate, retiring }: DeploymentView): string {
  const replaced = retiring === undefined ? '' : ` replaced ${retiring}`;
  switch (kind) {
    case 'rollback':
      return `Rolled back ${runner}: ${candidate}${replaced}`;
    case 'activate':
      return `Activated ${candidate} of ${runner}`;
    default:
      return `Deployed ${runner}: ${candidate}${replaced === '' ? ' is its first shard' : replaced}`;
  }
}

/** States the active shard, and each shard that the last check of this run verified. */
function describeShards({ activeShard, verified }: RunReport): readonly string[] {
  const others = verified
    .filter((shard) => shard !== activeShard)
    .map((shard) => `${shard} accepts jobs.`);
  if (activeShard === undefined) return others;
  const accepts = verified.includes(activeShard) ? ' and accepts jobs' : '';
  return [`${activeShard} is active${accepts}.`, ...others];
}

function describeJobs({ deployment }: RunReport): readonly string[] {
  if (deployment?.cost === undefined) return [];
  const { finished, broken } = formatJobCounts(deployment.cost);
  return [`Jobs: ${finished} finished, ${broken} lost or interrupted.`];
}
