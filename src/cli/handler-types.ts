import type { StageName } from '../domain/deployment/stages-and-steps.ts';
import type { RunnerName, StackShard } from '../domain/shard.ts';
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
  readSetupOptions,
  readStatusOptions,
  readValidateOptions,
} from './command-values.ts';
import type { readBeginningOptions, readReported, readStage } from './option-values.ts';

/** Exit code of a command; errors are thrown instead. */
export type CommandExit = 0 | ExitCode;

/** Implementation of each command. Handlers import their code when they are called. */
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
  /** Lists the stacks of the configuration file; empty if it cannot be read. */
  listStacks(config: string | undefined): Promise<readonly string[]>;
  status(options: StatusOptions): Promise<CommandExit>;
  dashboard(options: DashboardOptions): Promise<CommandExit>;
  doctor(options: DoctorOptions): Promise<CommandExit>;
  rollback(options: ReturnType<typeof readRollbackOptions>): Promise<CommandExit>;
  activate(options: ReturnType<typeof readActivateOptions>): Promise<CommandExit>;
  recover(options: ReturnType<typeof readRecoverOptions>): Promise<CommandExit>;
  hold(options: ReturnType<typeof readHoldOptions>): Promise<CommandExit>;
  release(options: ReportedOptions): Promise<CommandExit>;
  renew(options: ReportedOptions): Promise<CommandExit>;
  setup(options: SetupGitLabOptions): Promise<CommandExit>;
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
  /** Started by the sandbox itself, with unchanged arguments. */
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
export type SetupGitLabOptions = ReturnType<typeof readSetupOptions>;
export type ValidateOptions = ReturnType<typeof readValidateOptions>;

export interface CompletionOptions {
  readonly shell: Shell;
}

export interface ExplainOptions {
  /** Code of an error in any case; if absent, all codes are listed briefly. */
  readonly code?: string;
  readonly json: boolean;
}

export interface VerifyOptions {
  /** Files in the order of the deployment. */
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
  /** Names of the stacks; undefined for a prompt or the default name. */
  readonly stacks?: readonly RunnerName[];
  /** Additionally writes a root module for one shard. */
  readonly terraform?: boolean;
  readonly force: boolean;
  readonly json?: boolean;
  readonly color: boolean;
}

export interface DemoOptions {
  readonly json?: string;
  readonly report?: string;
  readonly runners: 'gitlab' | 'github';
  /** Simulated GitLab version; the newest by default. */
  readonly gitlabVersion?: SimulatedGitlab;
  /** Speed relative to the usual pace; 1 by default. */
  readonly speed: number;
  /** Runs every scene instead of the usual ones. */
  readonly all?: boolean;
  /** Prints every line instead of a selection. */
  readonly verbose?: boolean;
  readonly plain?: boolean;
}

export interface SandboxOptions {
  readonly folder?: string;
  /** File for the exports, written once the sandbox accepts requests. */
  readonly env?: string;
  /** Port; 0 for any free port. */
  readonly port?: number;
  /** A released gitlab-runner for the hosts. */
  readonly runnerBinary?: string;
  /** Address that receives the Parameter Store requests instead of the sandbox. */
  readonly forwardSsm?: string;
  /** Registry of the runners that the sandbox's configuration deploys. */
  readonly runners: 'gitlab' | 'github';
  /** Simulated GitLab version; the newest by default. */
  readonly gitlabVersion?: SimulatedGitlab;
  readonly color: boolean;
}

export interface SandboxSignalOptions {
  /** Target of the signal: a CloudWatch alarm, a Prometheus query, or the webhook. */
  readonly of: { readonly alarm: string } | { readonly query: string } | 'webhook';
  /** Value of the signal; the sandbox checks which values the target accepts. */
  readonly value: string;
}

/** GitLab versions that the sandbox can simulate, oldest first. The newest is the default. */
export const simulatedGitlabs = ['17.5', '17.11', '18.0', '18.7', '18.9', '19.1', '19.3'] as const;
export type SimulatedGitlab = (typeof simulatedGitlabs)[number];
