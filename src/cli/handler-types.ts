import type { StageName } from '../domain/deployment/stages-and-steps.ts';
import type { StackShard } from '../domain/shard.ts';
import type { ExitCode } from '../errors/deploy-error.ts';
import type { Shell } from './arguments.ts';
import type {
  readActivateOptions,
  readCheckDocumentOptions,
  readDashboardOptions,
  readDoctorOptions,
  readFinalizeAllOptions,
  readHealthcheckOptions,
  readHoldOptions,
  readProvisionOptions,
  readRecoverOptions,
  readRollbackOptions,
  readStatusOptions,
  readValidateOptions,
} from './command-values.ts';
import type { readBeginningOptions, readReported, readStage } from './option-values.ts';

/** What a command ends with; errors are thrown instead. */
export type CommandExit = 0 | ExitCode;

/** The work behind each command. Functions import what they need when they are called. */
export interface Handlers
  extends Record<
    Exclude<StageName, 'provision' | 'prepare'>,
    (options: StageOptions) => Promise<CommandExit>
  > {
  prepare(options: BeginningOptions): Promise<CommandExit>;
  healthcheck(options: HealthcheckOptions): Promise<CommandExit>;
  provision(options: ProvisionOptions): Promise<CommandExit>;
  finalizeAll(options: FinalizeAllOptions): Promise<CommandExit>;
  deploy(options: BeginningOptions): Promise<CommandExit>;
  status(options: StatusOptions): Promise<CommandExit>;
  dashboard(options: DashboardOptions): Promise<CommandExit>;
  doctor(options: DoctorOptions): Promise<CommandExit>;
  rollback(options: ReturnType<typeof readRollbackOptions>): Promise<CommandExit>;
  activate(options: ReturnType<typeof readActivateOptions>): Promise<CommandExit>;
  recover(options: ReturnType<typeof readRecoverOptions>): Promise<CommandExit>;
  hold(options: ReturnType<typeof readHoldOptions>): Promise<CommandExit>;
  release(options: ReportedOptions): Promise<CommandExit>;
  renew(options: ReportedOptions): Promise<CommandExit>;
  validate(options: ValidateOptions): Promise<CommandExit>;
  checkDocument(options: ReturnType<typeof readCheckDocumentOptions>): Promise<CommandExit>;
  completion(options: CompletionOptions): Promise<CommandExit>;
  explain(options: ExplainOptions): Promise<CommandExit>;
  verify(options: VerifyOptions): Promise<CommandExit>;
  replay(options: ReplayOptions): Promise<CommandExit>;
  init(options: InitOptions): Promise<CommandExit>;
  demo(options: DemoOptions): Promise<CommandExit>;
  sandbox(options: SandboxOptions): Promise<CommandExit>;
  sandboxApply(options: StackShard): Promise<CommandExit>;
  sandboxDestroy(options: StackShard): Promise<CommandExit>;
  sandboxSignal(options: SandboxSignalOptions): Promise<CommandExit>;
  /** Started by the sandbox itself; the arguments as they are. */
  sandboxManager(argv: readonly string[]): Promise<CommandExit>;
}

export type ReportedOptions = ReturnType<typeof readReported>;
export type StageOptions = ReturnType<typeof readStage>;
export type BeginningOptions = ReturnType<typeof readBeginningOptions>;
export type ProvisionOptions = ReturnType<typeof readProvisionOptions>;
export type HealthcheckOptions = ReturnType<typeof readHealthcheckOptions>;
export type FinalizeAllOptions = ReturnType<typeof readFinalizeAllOptions>;
export type StatusOptions = ReturnType<typeof readStatusOptions>;
export type DashboardOptions = ReturnType<typeof readDashboardOptions>;
export type DoctorOptions = ReturnType<typeof readDoctorOptions>;
export type ValidateOptions = ReturnType<typeof readValidateOptions>;

export interface CompletionOptions {
  readonly shell: Shell;
}

export interface ExplainOptions {
  /** Of an error, as it was printed or in other letters; absent: all of them in brief. */
  readonly code?: string;
  readonly json: boolean;
}

export interface VerifyOptions {
  /** In the order of the deployment. */
  readonly files: readonly string[];
  readonly json: boolean;
}

export interface ReplayOptions {
  readonly file: string;
  readonly json: boolean;
}

export interface InitOptions {
  readonly config?: string;
  readonly ci?: 'gitlab' | 'github';
  /** A root module for one shard beside the configuration. */
  readonly terraform?: boolean;
  readonly force: boolean;
  readonly json?: boolean;
  readonly color: boolean;
}

export interface DemoOptions {
  readonly json?: string;
  readonly report?: string;
  readonly runners: 'gitlab' | 'github';
  /** The newest that is simulated when not given. */
  readonly gitlabVersion?: SimulatedGitlab;
  /** How many times faster than its usual pace; 1 when not given. */
  readonly speed: number;
  /** Every scene, and not the usual ones alone. */
  readonly all?: boolean;
  /** Every line, and not those alone that tell the story. */
  readonly verbose?: boolean;
  readonly plain?: boolean;
}

export interface SandboxOptions {
  readonly folder?: string;
  /** Where the exports are written once the sandbox accepts requests. */
  readonly env?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** A released gitlab-runner for the hosts. */
  readonly runnerBinary?: string;
  /** Where Parameter Store requests go instead of the sandbox's own. */
  readonly forwardSsm?: string;
  /** Whose runners its configuration deploys. */
  readonly runners: 'gitlab' | 'github';
  /** The newest that is simulated when not given. */
  readonly gitlabVersion?: SimulatedGitlab;
  readonly color: boolean;
}

export interface SandboxSignalOptions {
  /** Who is told: one alarm of CloudWatch, one query of Prometheus, or the webhook. */
  readonly of: { readonly alarm: string } | { readonly query: string } | 'webhook';
  /** Which words each of them knows, the sandbox itself tells. */
  readonly says: string;
}

/** The GitLabs that the sandbox can be, oldest first; the newest is what it is when nobody says. */
export const simulatedGitlabs = ['17.5', '17.11', '18.0', '18.7', '18.9', '19.1', '19.3'] as const;
export type SimulatedGitlab = (typeof simulatedGitlabs)[number];
