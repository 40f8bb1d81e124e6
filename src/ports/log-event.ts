import type { BakeVerdict } from '../domain/bake/judge-bake.ts';
import type { DeploymentCost } from '../domain/deployment/cost.ts';
import type { GuardName } from '../domain/deployment/guards/guard-catalogue.ts';
import type { RemovalResult } from '../domain/deployment/guards/worker-removal.ts';
import type { Phase, StepName } from '../domain/deployment/stages-and-steps.ts';
import type { DrainTally } from '../domain/deployment/tally.ts';
import type { Contradiction } from '../domain/doctor/contradictions.ts';
import type { Finding } from '../domain/doctor/find-faults.ts';
import type { DrainVerdict } from '../domain/drain/drain-check.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import type { Evidence, HealthVerdict } from '../domain/health/evidence.ts';
import type { Service } from '../domain/health/service-verdict.ts';
import type { StackSettings } from '../domain/settings.ts';
import type { RegistrationId, Shard } from '../domain/shard.ts';
import type { FailureKind } from './failure.ts';
import type { CallName } from './ports.ts';
import type { Run } from './run.ts';

/**
 * Events of a run for programs: its event file (docs/operate/evidence.md), report and annotations.
 * The file has these field names in snake_case; `verify` and other programs read it independently.
 */
export type LogEvent =
  | RunEvent
  | ResumedEvent
  | EndEvent
  | GuardEvent
  | EvidenceEvent
  | RecordEvent
  | BeginEvent
  | CallEvent
  | RepetitionEvent
  /** Time for which a system has not responded; logged once per system. */
  | { readonly kind: 'silence'; readonly side: string; readonly ms: number }
  | GitLabEvent
  | { readonly kind: 'step'; readonly step: StepName; readonly phase: Phase }
  | { readonly kind: 'status'; readonly active: Shard | undefined }
  | { readonly kind: 'service'; readonly shard: Shard; readonly service: Service }
  | { readonly kind: 'drain'; readonly shard: Shard; readonly judgement: DrainVerdict }
  | BakeEvent
  | { readonly kind: 'drained'; readonly shard: Shard; readonly tally: DrainTally }
  | { readonly kind: 'removal'; readonly shard: Shard; readonly judgement: RemovalResult }
  | ({ readonly kind: 'cost'; readonly deployment: string } & DeploymentCost)
  | { readonly kind: 'token_stored'; readonly registration: RegistrationId }
  | {
      readonly kind: 'doctor';
      readonly findings: readonly (Pick<Finding, 'code' | 'seen'> & {
        readonly commands: readonly string[];
      })[];
      readonly contradictions: readonly Contradiction[];
    }
  /** Text that was printed for operators. */
  | { readonly kind: 'said'; readonly how: 'act' | 'warning' | 'wait'; readonly text: string };

/** First event of a run: actor, command, stack and rules. */
export interface RunEvent {
  readonly kind: 'run';
  readonly schema: number;
  readonly program: string;
  readonly command: string;
  readonly deployment: string;
  readonly pipeline_created_at: string;
  readonly pipeline_url?: string;
  readonly ci: Run['ci'];
  readonly job: string;
  readonly by: string;
  readonly own_registration?: string;
  readonly deadline?: string;
  readonly stack: {
    readonly runner_name: string;
    readonly runners: 'gitlab' | 'github';
    readonly shards: StackSettings['shards'];
    readonly parameter_prefix: string;
    readonly tags: readonly string[];
    readonly run_untagged: boolean;
    readonly host_access: StackSettings['host']['access'];
    readonly evidence: StackSettings['healthcheck']['evidence'];
    readonly evidence_max_age_ms: number;
    readonly poll_of_runner_ms: number;
    readonly may_kill_jobs: boolean;
  };
}

/**
 * A command at a terminal resumes a recorded deployment, which replaces the one of its `run` line.
 */
export interface ResumedEvent {
  readonly kind: 'resumed';
  readonly deployment: string;
  readonly pipeline_created_at: string;
}

/** One check of a promoted shard during its bake. */
export interface BakeEvent {
  readonly kind: 'bake';
  readonly shard: Shard;
  readonly verdict: BakeVerdict['kind'];
  readonly reason: string;
  /** Customer jobs that finished on the shard; absent if they cannot be listed. */
  readonly finished?: number;
  /** Value of `bake.jobs`. */
  readonly wanted: number;
}

/** Last event of a run that was not killed. */
export type EndEvent =
  | {
      readonly kind: 'end';
      readonly schema: number;
      readonly exit_code: 0;
      readonly outcome: 'done';
      readonly summary: readonly string[];
    }
  | {
      readonly kind: 'end';
      readonly schema: number;
      readonly exit_code: 0;
      readonly outcome: 'nothing';
      readonly reason: string;
    }
  | {
      readonly kind: 'end';
      readonly schema: number;
      readonly exit_code: number;
      readonly outcome: 'error';
      readonly error: ErrorData;
    };

/** Error in its form for programs. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly why: readonly string[];
  readonly now?: string;
  readonly fix: readonly string[];
  /** Page of the error code, in the documents of this version. */
  readonly ref: string;
}

export interface GuardEvent {
  readonly kind: 'guard';
  readonly guard: GuardName;
  /** `unanswered`: the guard got no response, and the effect behind it did not start either. */
  readonly outcome: 'passed' | 'refused' | 'unanswered';
  readonly code?: ErrorCode;
  readonly exitCode?: number;
  readonly detail?: string;
}

export interface EvidenceEvent {
  readonly kind: 'evidence';
  readonly shard: Shard;
  readonly verdict: HealthVerdict['kind'];
  readonly evidence: readonly Evidence[];
}

export interface RecordEvent {
  readonly kind: 'record';
  readonly how: 'read' | 'written';
  readonly deployment: DeploymentView;
}

/** Deployment as last read from the record. */
export interface DeploymentView {
  readonly id: string;
  readonly kind: string;
  readonly candidate: string;
  readonly retiring?: string;
  readonly phase: Phase;
  readonly phaseAt: string;
  readonly startedAt: string;
  readonly pipelineUrl?: string;
  readonly registration?: string;
  readonly canary?: string;
  /** ISO 8601: expected end of the last job of a drain. */
  readonly expectedAt?: string;
  /** Effects on customers so far. */
  readonly cost?: DeploymentCost;
}

/** Effect that is about to be requested. */
export interface BeginEvent {
  readonly kind: 'begin';
  /** Number of the call within the run. */
  readonly c: number;
  readonly call: CallName;
  readonly args: readonly unknown[];
}

/** Call of a port, with its result; each port defines the form of `answer`. */
export type CallEvent = {
  readonly kind: 'call';
  readonly c: number;
  readonly call: CallName;
  readonly effect: boolean;
  readonly args: readonly unknown[];
} & (
  | { readonly outcome: 'answered'; readonly answer: unknown }
  | {
      readonly outcome: 'rejected';
      readonly failure?: string;
      /** Whether the other system may have changed nevertheless. */
      readonly effect_unknown?: boolean;
      readonly error: string;
    }
);

/** Retry of a request. */
export interface RepetitionEvent {
  readonly kind: 'http_repetition';
  readonly source: string;
  readonly attempts: number;
  readonly afterMs: number;
  readonly told: boolean;
}

/** First response of GitLab to a run. */
export type GitLabEvent = { readonly kind: 'gitlab' } & (
  | { readonly outcome: FailureKind; readonly detail: string }
  | {
      readonly outcome: 'answered';
      readonly version: string;
      readonly enterprise: boolean;
      readonly ahead_ms: number;
    }
);

/** Destination of log lines, one each; the adapter redacts, cleans and renders them. */
export interface Log {
  section(title: string): void;
  /** Logs a completed act or decision, in the past tense, with its reason. */
  act(text: string): void;
  /** Logs a wait; printed when the reason changes, and otherwise once a minute. */
  wait(text: string): void;
  warn(text: string): void;
  /** Writes an event to the event file. */
  event(event: LogEvent): void;
}
